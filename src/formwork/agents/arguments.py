"""JSON Schemas of the tools' arguments. Patterns keep a value from being read as an option of the command."""

from typing import Any

_PRINTED = r"^[^\u0000-\u001F]+$"
_WORD = r"^[A-Za-z0-9][-A-Za-z0-9_.]*$"
# Answers to the questions of one language, by the options of `cfn init`.
LANGUAGE_ANSWERS = ("import_path", "namespace", "codegen_model")


def _text(description: str, pattern: str = _PRINTED, most: int = 1024) -> dict[str, Any]:
    return {"type": "string", "description": description, "pattern": pattern, "maxLength": most}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def confirm(runs: str) -> dict[str, Any]:
    """Return the schema of the argument that allows a tool to run code."""
    return _flag(f"true: the user agreed that this runs {runs}")


PATH = _text("a project's folder or a schema file (default: the server's folder)")
PROJECT = _text("the project's folder")
CODE = _text("the code or clause", _WORD)
STACK = _text("the stack's name or ARN", r"^(arn:\S+|[A-Za-z][-A-Za-z0-9]*)$")
TEMPLATE = _text("the template's file")
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "description": "values of the template's parameters; others keep the values of the stack",
    "propertyNames": {"pattern": r"^[A-Za-z0-9]+$"},
    "additionalProperties": {"type": "string", "pattern": r"^[^\u0000]*$"},
}
CAPABILITIES: dict[str, Any] = {
    "type": "array",
    "description": "acknowledgements that the template requires",
    "items": {"enum": ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]},
}
SCAFFOLD: dict[str, Any] = {
    "project": _text("the folder to make the project in"),
    "type_name": _text("such as Acme::Store::Thing", r"^\w+(::\w+)+$"),
    "kind": {"enum": ["RESOURCE", "HOOK", "MODULE"], "description": "default: RESOURCE"},
    "language": _text("python39 … python314, typescript, go or java; a module has none", _WORD),
    "sample": _flag("write working handlers instead of empty ones"),
    "yaml": _flag("the example schema in YAML"),
    "smithy_model": _text("a Smithy model, or a folder of them, that the schema is converted from"),
    "import_path": _text("Go: the module's import path"),
    "namespace": _text("Java: the package of the handlers"),
    "codegen_model": {"enum": ["default", "guided_aws"], "description": "Java"},
    "answers": {
        "type": "object",
        "description": "answers to the questions of any other language",
        "propertyNames": {"pattern": r"^\w+$"},
        "additionalProperties": {"type": "string", "pattern": _PRINTED},
    },
}
CONTRACT_TESTS: dict[str, Any] = {
    "project": PROJECT,
    "aws": {"enum": ["none", "moto"], "description": "who answers AWS calls of the handlers (default: none)"},
    "tests": _text("run only the tests whose names match, such as contract_create", r"^[A-Za-z_(][A-Za-z0-9_() ]*$"),
    "last_failed": _flag("only the tests that failed in the last run, with its seed"),
    "seed": {"type": "integer", "minimum": 0, "description": "make the inputs of an earlier run again"},
    "effort": {"enum": ["quick", "thorough"], "description": "default: quick"},
}
