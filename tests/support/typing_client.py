"""A project for the language server, and a document of it that a test types in."""

import io

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "definitions": {
        "Tag": {
            "type": "object",
            "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}},
            "required": ["Key", "Value"],
            "additionalProperties": False,
        }
    },
    "properties": {
        "Name": {"type": "string", "description": "Its name.", "minLength": 2},
        "Id": {"type": "string"},
        "Size": {"type": "string", "enum": ["small", "large"]},
        "Tags": {"type": "array", "items": {"$ref": "#/definitions/Tag"}},
        "Nested": {"type": "object", "properties": {"Name": {"type": "string"}}, "additionalProperties": False},
    },
    "required": ["Name"],
    "additionalProperties": False,
    "primaryIdentifier": ["/properties/Id"],
    "readOnlyProperties": ["/properties/Id"],
    "createOnlyProperties": ["/properties/Name", "/properties/Nested/Name"],
    "propertyTransform": {"/properties/Name": "$lowercase(Name) $OR Name & '-x'"},
    "tagging": {"taggable": True, "tagProperty": "/properties/Tags"},
    "handlers": {"create": {"permissions": ["s3:PutObject"]}, "read": {"permissions": []}},
}
CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Acme::Store::Thing",
    "language": "python311",
    "runtime": "python3.11",
    "entrypoint": "acme_store_thing.handlers.resource",
    "testEntrypoint": "acme_store_thing.handlers.test_entrypoint",
    "settings": {"protocolVersion": "2.0.0"},
}
INPUTS = {"Name": "AB", "Tags": [{"Key": "a", "Value": "b"}], "Nested": {"Name": "c"}}


class Typist:
    """A document that is open, in which places are found by the text before them."""

    def __init__(self, client, path, text=None, language="json"):
        self.client, self.version = client, 1
        self.text = path.read_text() if text is None else text
        self.uri = client.open(path, self.text, language=language)

    def position(self, before, *, nth=0):
        at = -1
        for _ in range(nth + 1):
            at = self.text.index(before, at + 1)
        at += len(before)
        return {"line": self.text.count("\n", 0, at), "character": at - self.text.rfind("\n", 0, at) - 1}

    def write(self, text):
        self.version += 1
        self.text = text
        self.client.replace(self.uri, self.version, text)

    def ask(self, method, before, *, nth=0, **more):
        position = self.position(before, nth=nth)
        return self.client.ask(
            f"textDocument/{method}", {"textDocument": {"uri": self.uri}, "position": position, **more}
        )

    def complete(self, before, *, nth=0):
        found = self.ask("completion", before, nth=nth)
        return [each["label"] for each in found["items"]]

    def hover(self, before, *, nth=0):
        found = self.ask("hover", before, nth=nth)
        return None if found is None else found["contents"]["value"]


def applied(text, edits):
    """The text after edits of the protocol, whose characters are counted in UTF-32."""
    lines = io.StringIO(text, newline="").readlines()  # `splitlines` knows more ends of lines than the protocol

    def offset(position):
        return sum(map(len, lines[: position["line"]])) + position["character"]

    for edit in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text
