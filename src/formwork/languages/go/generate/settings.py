"""The settings of a Go project, and the names of its handlers."""

import re
from collections.abc import Mapping
from typing import Any

from formwork.diagnostics import BadInputError
from formwork.extensions import ExtensionKind
from formwork.model import TypeModel

# The setting of `.rpdk-config` for the handler library, and its value for the toolkit's; without it, AWS's is used.
LIBRARY_SETTING = "handler_library"
OWN_LIBRARY = "formwork"
# Valid paths of modules, restricted so that no path of a file can leave the project.
IMPORT_PATH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
_HANDLERS = {
    ExtensionKind.RESOURCE: {name: name.capitalize() for name in ("create", "read", "update", "delete", "list")},
    ExtensionKind.HOOK: {"preCreate": "PreCreate", "preUpdate": "PreUpdate", "preDelete": "PreDelete"},
}


def has_own_runtime(settings: Mapping[str, Any]) -> bool:
    """Return whether a project has Formwork's runtime; one made with AWS's CLI has AWS's."""
    return settings.get(LIBRARY_SETTING) == OWN_LIBRARY and settings.get("aws_runtime") is not True


def import_path_of(settings: Mapping[str, Any]) -> str:
    """Return the module's import path; older projects spell the setting in one word.

    Raises:
        BadInputError: the settings have no valid one.
    """
    path = settings.get("import_path", settings.get("importpath"))
    path = path.rstrip("/") if isinstance(path, str) else path  # as AWS's CLI reads it
    if not isinstance(path, str) or IMPORT_PATH.fullmatch(path) is None:
        raise BadInputError.of(
            "generate.import-path",
            "the settings have no valid import path of a Go module",
            expected='"import_path" in the settings of .rpdk-config, such as "github.com/acme/store-thing"',
        )
    return path


def package_of(kind: ExtensionKind) -> str:
    """Return the package of the handlers, in `cmd/`."""
    return "hook" if kind is ExtensionKind.HOOK else "resource"


def handler_names(types: TypeModel) -> dict[str, str]:
    """Return the functions of the schema's handlers, in the order of the contract."""
    return {name: function for name, function in _HANDLERS[types.kind].items() if name in types.handlers}
