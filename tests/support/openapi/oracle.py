"""Replies of a stub checked by validators that it does not use: openapi-schema-validator and jsonschema."""

import json
import re

from openapi_schema_validator import OAS30ReadValidator, OAS31Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from formwork.documents import load_document

BASE = "https://document.example/"
_PARAMETER = re.compile(r"\{[^{}/]+\}")


class Oracle:
    """Says what is wrong with replies, given the document that they must be valid against."""

    def __init__(self, path):
        self.path = path
        self._files = {}
        self.root = self._load(path.name)
        self._validator = OAS30ReadValidator if self.root["openapi"].startswith("3.0") else OAS31Validator
        self._registry = Registry(retrieve=self._retrieve)

    def _load(self, name):
        if name not in self._files:
            self._files[name] = load_document(self.path.parent / name).value
        return self._files[name]

    def _retrieve(self, uri):
        return DRAFT202012.create_resource(self._load(uri.removeprefix(BASE)))

    def _follow(self, node):
        while isinstance(node, dict) and "$ref" in node:
            file, _, pointer = node["$ref"].partition("#")
            here = self._load(file) if file else self.root
            for token in pointer.strip("/").split("/"):
                here = here[token.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")]
            node = here
        return node

    def problems(self, template, method, reply):
        """Texts of what is wrong with a reply of an operation."""
        operation = self._follow(self.root["paths"][template])[method.lower()]
        responses = operation["responses"]
        key = next(
            (each for each in (str(reply.status), f"{reply.status // 100}XX", "default") if each in responses), None
        )
        if key is None:
            return [] if reply.status >= 400 else [f"{reply.status} is not declared"]
        response = self._follow(responses[key])
        headers = {name.lower(): value for name, value in reply.headers}
        found = [
            f"missing header {name}"
            for name, header in (response.get("headers") or {}).items()
            if self._follow(header).get("required") and name.lower() not in headers and name.lower() != "content-type"
        ]
        content = response.get("content") or {}
        if not content or reply.status == 204:
            return found
        written = headers.get("content-type")
        media = next((each for each in content if _same(each, written)), None)
        if media is None:
            return [*found, f"content type {written} is not declared: {[*content]}"]
        if "json" not in written or "schema" not in content[media]:
            return found
        pointer = self._pointer(template, method, key, media)
        validator = self._validator({"$ref": pointer}, registry=self._registry)
        errors = validator.iter_errors(json.loads(reply.body))
        return [*found, *(f"{'/'.join(map(str, each.path))}: {each.message[:200]}" for each in errors)]

    def _pointer(self, template, method, status, media):
        """The URL of the schema of a response, references before it followed."""
        steps = ["paths", template, method.lower(), "responses", status, "content", media, "schema"]
        here, base, walked = self.root, self.path.name, []
        for step in steps:
            if isinstance(here, dict) and "$ref" in here:
                file, _, pointer = here["$ref"].partition("#")
                base, walked = file or base, pointer.strip("/").split("/")
                here = self._follow(here)
            walked.append(step.replace("~", "~0").replace("/", "~1"))
            here = here[step]
        return f"{BASE}{base}#/{'/'.join(walked)}".replace("{", "%7B").replace("}", "%7D")


def _same(media, written):
    one, other = media.partition(";")[0].strip(), (written or "").partition(";")[0].strip()
    return one == other or ("*" in one and "json" in other)
