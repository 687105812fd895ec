"""Support for editors: JSON schemas in the project for completion and checks, and which files they are for.

The meta-schemas are copied into `.formwork/`: a path into the installation would differ on each machine, and the
folder is meant to be committed. Inputs and configurations are checked by the type's own schema, a JSON schema.
"""

import json
from pathlib import PurePath
from typing import Any, NamedTuple

from formwork.egress.rules_file import EGRESS_FILES, egress_schema
from formwork.extensions import ExtensionKind
from formwork.generate.plan import PlannedFile, managed, seed
from formwork.generate.templates import TEMPLATES, render_template
from formwork.project.overrides import HOOK_ACTIONS, HOOK_PARTS, OVERRIDES_FILE, RESOURCE_ACTIONS
from formwork.schema.metaschemas import read_metaschema

_FOLDER = ".formwork"
_DRAFT = "http://json-schema.org/draft-07/schema#"
# Kind → its meta-schema, and those it refers to.
_META_SCHEMAS = {
    ExtensionKind.RESOURCE: ("resource.json", "base.json", "type-configuration.json"),
    ExtensionKind.HOOK: ("hook.json", "base.json", "hook-configuration.json"),
}
# The usual arguments of `--configuration` and `--typeconfig`.
_CONFIGURATIONS = ("typeConfiguration.json", "configuration.json")


class _Association(NamedTuple):
    """A schema in `.formwork/` and the files of the project that it is for."""

    title: str
    schema: str
    files: tuple[str, ...]
    yaml: tuple[str, ...] = ()
    not_files: tuple[str, ...] = ()


def plan_editors(kind: ExtensionKind, schema_file: str) -> dict[str, PlannedFile]:
    """Return the schemas, and their association with files in VS Code and in PyCharm and its relatives."""
    names = _META_SCHEMAS[kind]
    stem = PurePath(schema_file).stem
    own = {
        "inputs.json": _inputs(kind, stem),
        "overrides.json": _overrides(kind),
        "configuration.json": {"$schema": _DRAFT, "$ref": f"../{stem}.json#/typeConfiguration"},
        "egress.json": egress_schema(),
    }
    in_yaml = (f"{stem}.yaml", f"{stem}.yml")
    associations = (
        _Association(f"CloudFormation {kind.noun} type", names[0], (f"{stem}.json",), in_yaml),
        _Association("Inputs of contract tests", "inputs.json", ("inputs/*.json",), (), ("inputs/*invalid*.json",)),
        _Association("Overrides of contract tests", "overrides.json", (OVERRIDES_FILE,)),
        _Association("Type configuration", "configuration.json", _CONFIGURATIONS),
        _Association("Rules for what handlers send", "egress.json", (), EGRESS_FILES),
    )
    return {
        **{f"{_FOLDER}/{name}": managed(read_metaschema(name)) for name in names},
        **{f"{_FOLDER}/{name}": managed(json.dumps(value, indent=4) + "\n") for name, value in own.items()},
        ".vscode/settings.json": seed(json.dumps(_vs_code(associations), indent=4) + "\n"),
        ".idea/jsonSchemas.xml": seed(_pycharm(associations)),
    }


def _inputs(kind: ExtensionKind, stem: str) -> dict[str, Any]:
    """Return the JSON schema of inputs: a resource's are models of the type, a hook's contain properties of targets."""
    if kind is ExtensionKind.RESOURCE:
        return {"$schema": _DRAFT, "$ref": f"../{stem}.json"}
    parts = {part: {"type": "object"} for part in HOOK_PARTS}
    target = {"type": "object", "properties": parts, "additionalProperties": False}
    return {"$schema": _DRAFT, "type": "object", "additionalProperties": target}


def _overrides(kind: ExtensionKind) -> dict[str, Any]:
    values: dict[str, Any] = {"type": "object"}
    if kind is ExtensionKind.RESOURCE:
        return _members(RESOURCE_ACTIONS, values)
    return _members(HOOK_ACTIONS, {"type": "object", "additionalProperties": _members(HOOK_PARTS, values)})


def _members(names: tuple[str, ...], value: dict[str, Any]) -> dict[str, Any]:
    properties = dict.fromkeys(names, value)
    return {"$schema": _DRAFT, "type": "object", "properties": properties, "additionalProperties": False}


def _vs_code(associations: tuple[_Association, ...]) -> dict[str, Any]:
    return {
        "json.schemas": [
            {
                "fileMatch": [*(f"/{file}" for file in each.files), *(f"!/{file}" for file in each.not_files)],
                "url": f"./{_FOLDER}/{each.schema}",
            }
            for each in associations
        ],
        "yaml.schemas": {
            f"./{_FOLDER}/{each.schema}": [f"/{file}" for file in each.yaml] for each in associations if each.yaml
        },
    }


def _pycharm(associations: tuple[_Association, ...]) -> str:
    entries = [
        render_template(
            TEMPLATES / "jsonSchemas.entry.xml.txt",
            {
                "title": each.title,
                "meta_schema": f"{_FOLDER}/{each.schema}",
                "items": "".join(map(_item, (*each.files, *each.yaml))).rstrip("\n"),
            },
        )
        for each in associations
    ]
    return render_template(TEMPLATES / "jsonSchemas.xml.txt", {"entries": "".join(entries).rstrip("\n")})


def _item(file: str) -> str:
    pattern = '<option name="pattern" value="true" />' if "*" in file else ""
    indent = " " * 18
    lines = ["<Item>", f'  <option name="path" value="{file}" />', *([f"  {pattern}"] if pattern else []), "</Item>"]
    return "".join(f"{indent}{line}\n" for line in lines)
