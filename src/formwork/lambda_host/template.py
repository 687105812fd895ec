"""`template.yml` as AWS SAM reads it: the functions in it, with Globals and defaults applied."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import Diagnostic, Location, Severity
from formwork.documents import Document

_SERVERLESS = "AWS::Serverless::Function"
_LAMBDA = "AWS::Lambda::Function"
# What SAM and Lambda take where the template says nothing.
_DEFAULT_TIMEOUT = 3
_DEFAULT_MEMORY = 128
_TIMEOUTS = range(1, 901)
_MEMORIES = range(128, 10_241)

_Tokens = tuple[str, ...]
_PSEUDO_PARAMETERS = {
    "AWS::Region": "us-east-1",
    "AWS::AccountId": "123456789012",
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": "local",
}


class FunctionSpec(Struct, frozen=True):
    """A function as the template has it; `code_uri` is relative to the template's folder, None for code elsewhere."""

    name: str
    handler: str
    runtime: str
    code_uri: str | None
    timeout: int
    memory_mb: int
    environment: Mapping[str, str]
    location: Location


class FunctionTemplate(Struct, frozen=True):
    """The functions that can be run, and what is to say about the template."""

    functions: tuple[FunctionSpec, ...]
    diagnostics: tuple[Diagnostic, ...]


def read_template(document: Document) -> FunctionTemplate:
    """Return the functions of a SAM or CloudFormation template (parsed with short tags)."""
    reader = _Reader(document)
    functions = tuple(reader.functions())
    return FunctionTemplate(functions, tuple(reader.diagnostics))


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._root = _object(document.value)
        self.diagnostics: list[Diagnostic] = []
        self._globals = _object(_object(self._root.get("Globals")).get("Function"))

    def functions(self) -> Iterator[FunctionSpec]:
        resources = self._root.get("Resources")
        if not isinstance(resources, dict):
            self._report(Severity.ERROR, "resources", "the template has no Resources", (), "an object with functions")
            return
        for name, resource in resources.items():
            kind = _object(resource).get("Type")
            if kind in (_SERVERLESS, _LAMBDA):
                function = self._function(name, kind, _object(resource.get("Properties")))
                if function is not None:
                    yield function

    def _function(self, name: str, kind: str, own: Mapping[str, Any]) -> FunctionSpec | None:
        shared = self._globals if kind == _SERVERLESS else {}
        properties = {**shared, **own}
        place = ("Resources", name, "Properties")
        if properties.get("PackageType") == "Image" or "InlineCode" in properties:
            what = "a container image" if "InlineCode" not in properties else "inline code"
            self._report(Severity.WARNING, "not-runnable", f"function {name} is {what}: it cannot be run here", place)
            return None
        runtime = self._text(properties, "Runtime", self._place(name, own, "Runtime"))
        handler = self._text(properties, "Handler", self._place(name, own, "Handler"))
        if runtime is None or handler is None:
            return None
        code = properties.get("CodeUri" if kind == _SERVERLESS else "Code", "." if kind == _SERVERLESS else None)
        return FunctionSpec(
            name,
            handler,
            runtime,
            code if isinstance(code, str) and "://" not in code else None,
            self._number(properties, _TIMEOUTS, _DEFAULT_TIMEOUT, self._place(name, own, "Timeout")),
            self._number(properties, _MEMORIES, _DEFAULT_MEMORY, self._place(name, own, "MemorySize")),
            self._environment(shared, own, place),
            self._document.locate(place[:2]),
        )

    def _place(self, function: str, own: Mapping[str, Any], name: str) -> _Tokens:
        """Return where a property of a function stands: in the function, or in the Globals."""
        shared = name in self._globals and name not in own
        return ("Globals", "Function", name) if shared else ("Resources", function, "Properties", name)

    def _environment(self, shared: Mapping[str, Any], own: Mapping[str, Any], place: _Tokens) -> dict[str, str]:
        variables: dict[str, str] = {}
        for properties in (shared, own):
            for name, value in _object(_object(properties.get("Environment")).get("Variables")).items():
                resolved = self._resolve(value)
                if isinstance(resolved, dict | list) or resolved is None:
                    message = f"environment variable {name} is not set: its value is unknown without a stack"
                    self._report(
                        Severity.WARNING, "unresolved-variable", message, (*place, "Environment", "Variables", name)
                    )
                else:
                    variables[name] = _scalar_text(resolved)
        return variables

    def _text(self, properties: Mapping[str, Any], name: str, place: _Tokens) -> str | None:
        value = self._resolve(properties.get(name))
        if isinstance(value, str) and value:
            return value
        problem = f"{name} is missing" if name not in properties else f"{name} is not a known string"
        self._report(Severity.ERROR, "function", f"{_owner(place)}: {problem}", place, f"a {name}")
        return None

    def _number(self, properties: Mapping[str, Any], allowed: range, default: int, place: _Tokens) -> int:
        value = self._resolve(properties.get(place[-1], default))
        if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value in allowed:
            return value
        if isinstance(value, dict):  # an intrinsic function
            message = f"{_owner(place)}: {place[-1]} is unknown without a stack; {default} is used"
            self._report(Severity.WARNING, "unresolved-number", message, place)
            return default
        expected = f"a whole number from {allowed.start} to {allowed.stop - 1}"
        self._report(
            Severity.ERROR, "function", f"{_owner(place)}: {place[-1]} is {json.dumps(value)}", place, expected
        )
        return default

    def _resolve(self, value: Any) -> Any:
        """A `Ref` to a parameter with a default, or to a pseudo parameter, as its value; anything else as it is."""
        match value:
            case {"Ref": str(name), **rest} if not rest:
                parameter = _object(_object(self._root.get("Parameters")).get(name))
                return parameter.get("Default", _PSEUDO_PARAMETERS.get(name, value))
            case _:
                return value

    def _report(
        self, severity: Severity, code: str, message: str, tokens: _Tokens, expected: str | None = None
    ) -> None:
        location = self._document.locate(tokens)
        found = Diagnostic(f"template.{code}", severity, message, location, expected)
        if found not in self.diagnostics:  # what the Globals have wrong is wrong for every function
            self.diagnostics.append(found)


def _owner(place: _Tokens) -> str:
    return "the Globals" if place[0] == "Globals" else f"function {place[1]}"


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _scalar_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def find_template(root: Path) -> Path | None:
    """Return the template of a project folder, under one of the names that SAM knows."""
    candidates = (root / name for name in ("template.yml", "template.yaml", "template.json"))
    return next((each for each in candidates if each.is_file()), None)
