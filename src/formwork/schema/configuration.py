"""Type configurations: what users set for a type once an account and Region, checked against its schema.

Everything in one may be a secret, so no message quotes a value.
"""

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import Diagnostic, Severity, parse_pointer
from formwork.documents import Document
from formwork.schema.models import check_model
from formwork.schema.validator import compile_configuration_validator

# Where CloudFormation's own document holds the properties of a hook.
ENVELOPE = ("CloudFormationConfiguration", "HookConfiguration", "Properties")
MAX_BYTES = 300 * 1024  # the most that a hook's configuration can store, says the guide; resources get the same here


def check_configuration(schema: Mapping[str, Any], document: Document) -> list[Diagnostic]:
    """What is wrong with the configuration in `document` under the `typeConfiguration` of a type's whole `schema`.

    A hook's file may hold the properties alone, or CloudFormation's envelope around them
    (`{"CloudFormationConfiguration": {"HookConfiguration": {"Properties": …}}}`).
    """
    if not isinstance(schema.get("typeConfiguration"), dict):
        words = "the type has no type configuration"
        return [_error("model.no-configuration", words, document, (), "a typeConfiguration in the schema")]
    size = len(json.dumps(document.value))
    if size > MAX_BYTES:
        return [
            _error("model.too-large", f"the configuration has {size:,} bytes", document, (), f"{MAX_BYTES:,} at most")
        ]
    path, value = _properties(document.value)
    validator = compile_configuration_validator(schema)
    names = value.keys() if isinstance(value, dict) else ()
    found = check_model(validator, value, secret=[(name,) for name in names], document=None)
    return [placed(each, document, path) for each in found]


def _properties(value: Any) -> tuple[tuple[str, ...], Any]:
    """Return the path and value of the properties inside CloudFormation's envelope, or the whole value."""
    if not isinstance(value, dict) or ENVELOPE[0] not in value:
        return (), value
    for depth, name in enumerate(ENVELOPE):
        if not isinstance(value, dict) or name not in value:
            return ENVELOPE[:depth], {}  # no properties set
        value = value[name]
    return ENVELOPE, value


def placed(found: Diagnostic, document: Document, path: tuple[str, ...]) -> Diagnostic:
    """Return `found`, whose pointer is relative to `path`, at its place in `document`, without the source text."""
    tokens = parse_pointer(found.location.pointer or "")
    key = found.code == "model.undeclared-property"
    location = replace(document.locate((*path, *tokens), key=key), confidential=True)
    return replace(found, location=location)


def _error(code: str, message: str, document: Document, path: tuple[str, ...], expected: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, document.locate(path), expected)
