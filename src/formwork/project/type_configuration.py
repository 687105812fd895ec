"""Type configuration files: the values that a type's `typeConfiguration` schema asks for, as tests send them."""

from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError, Location
from formwork.documents import Document, load_document
from formwork.extensions import ExtensionKind

# Below the user's home; read where no other file is named.
DEFAULT_TYPE_CONFIGURATION = Path(".cfn-cli", "typeConfiguration.json")
_HOOK_PATH = ("CloudFormationConfiguration", "HookConfiguration", "Properties")


def load_type_configuration(path: Path, kind: ExtensionKind, *, required: bool) -> dict[str, Any] | None:
    """The configuration in `path`: the whole object for a resource, its `HookConfiguration.Properties` for a hook.

    None where there is no such file and `required` is false, as for the default file.

    Raises:
        BadInputError: the file is required and missing, can't be read, is not an object, or lacks a hook's properties.
    """
    if not required and not path.is_file():
        return None
    return read_type_configuration(load_document(path), kind)


def read_type_configuration(document: Document, kind: ExtensionKind) -> dict[str, Any]:
    """Return the configuration in a document, as `load_type_configuration` does.

    Raises:
        BadInputError: it is not an object, or lacks a hook's properties.
    """
    value: Any = document.value
    if kind is ExtensionKind.HOOK:
        for depth, key in enumerate(_HOOK_PATH):
            if not isinstance(value, dict) or key not in value:
                raise BadInputError.of(
                    "project.type-configuration-path",
                    f'the type configuration has no "{key}"',
                    location=document.locate(_HOOK_PATH[:depth]),
                    expected='{"CloudFormationConfiguration": {"HookConfiguration": {"Properties": {…}}}}',
                )
            value = value[key]
    if not isinstance(value, dict):
        raise BadInputError.of(
            "project.type-configuration-not-an-object",
            "the type configuration is not a JSON object",
            location=Location(document.name),
            expected="an object with a member for each property of the typeConfiguration schema",
        )
    return value
