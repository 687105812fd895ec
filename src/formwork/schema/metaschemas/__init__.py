"""Our meta-schemas, as data; editors read the same files.

`base.json` holds what the others share. They are JSON Schema draft-07 and refer to each other by file name.
"""

import functools
from pathlib import Path
from typing import Any

import jsonschema_rs
from msgspec.json import decode

from formwork.extensions import ExtensionKind

_HOME = "formwork:/metaschemas/"
_SHARED = ("base.json", "type-configuration.json", "hook-configuration.json")


def read_metaschema(name: str) -> str:
    """Return the text of one of the files of this folder, such as `resource.json`."""
    # importlib.resources would cost 8 ms of the start-up; the wheel is never run from within a zip file.
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@functools.cache
def meta_validator(kind: ExtensionKind) -> Any:
    """Return the jsonschema-rs validator of schemas of `kind`; made once a process."""
    name = f"{kind.noun}.json"
    return _validator(decode(read_metaschema(name)), name)


@functools.cache
def property_validator() -> Any:
    """Return the jsonschema-rs validator of the schema of one property; made once a process."""
    return _validator({"$ref": "base.json#/definitions/property"}, "property.json")


def _validator(schema: dict[str, Any], name: str) -> Any:
    resources = [(_HOME + each, decode(read_metaschema(each))) for each in _SHARED]
    registry = jsonschema_rs.Registry(resources, draft=jsonschema_rs.Draft7)
    return jsonschema_rs.Draft7Validator(
        schema, registry=registry, base_uri=_HOME + name, validate_formats=False, offline=True
    )
