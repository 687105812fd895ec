"""smithy-build.json: which files make a model, what is done to it, and the settings of the plugin."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from formwork.convert.errors import config_error
from formwork.smithy.load import read_text
from formwork.smithy.nodes import parse_number, type_name

PLUGIN = "cloudformation"


class BuildProjection(Struct, frozen=True):
    """One projection, with what the file says for all of them."""

    name: str
    # Model files and folders, as paths.
    sources: tuple[Path, ...]
    settings: Mapping[str, Any]
    # (name, arguments) of every transform, in order.
    transforms: tuple[tuple[str, Mapping[str, Any]], ...] = field(default=())


def read_smithy_build(path: Path) -> list[BuildProjection]:
    """The projections that the file asks the plugin for: those that configure it, or are not abstract where all do.

    Raises:
        BadInputError: the file cannot be read or has the wrong form.
    """
    build = _parse(path)
    base = path.parent
    sources = tuple(base / each for key in ("sources", "imports") for each in _strings(build, key))
    shared = _object(build, "plugins").get(PLUGIN)
    projections: list[BuildProjection] = []
    rows = _object(build, "projections") or {"source": {}}
    for name, row in rows.items():
        if row.get("abstract"):
            continue
        own = _object(row, "plugins").get(PLUGIN)
        if shared is None and own is None:
            continue
        imports = tuple(base / each for each in _strings(row, "imports"))
        transforms = tuple(_transforms(row, rows))
        projections.append(BuildProjection(name, sources + imports, {**(shared or {}), **(own or {})}, transforms))
    if not projections:
        raise config_error(f'"{path}" configures the plugin "{PLUGIN}" in no projection')
    return projections


def _parse(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(_without_comments(read_text(path)), parse_float=parse_number)
    except (json.JSONDecodeError, RecursionError) as error:
        raise config_error(f'"{path}" is not JSON: {error}') from error
    if not isinstance(value, dict):
        raise config_error(f'"{path}" is a JSON {type_name(value)}, expected an object')
    return value


def _without_comments(text: str) -> str:
    """Return the text without lines that are // comments, which smithy-build.json may have."""
    return "\n".join("" if line.lstrip().startswith("//") else line for line in text.split("\n"))


def _object(row: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = row.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(each, dict) for each in value.values()):
        raise config_error(f"`{key}` of smithy-build.json is not an object of objects")
    return value


def _strings(row: Mapping[str, Any], key: str) -> list[str]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise config_error(f"`{key}` of smithy-build.json is not an array of strings")
    return value


def _transforms(row: Mapping[str, Any], rows: Mapping[str, Any]) -> Sequence[tuple[str, Mapping[str, Any]]]:
    found: list[tuple[str, Mapping[str, Any]]] = []
    for each in row.get("transforms", []):
        name = each.get("name") if isinstance(each, dict) else None
        if not isinstance(name, str):
            raise config_error("a transform of smithy-build.json has no `name`")
        arguments = each.get("args", {})
        if name == "apply":
            for other in arguments.get("projections", []):
                found += _transforms(dict(rows.get(other, {})), rows)
        else:
            found.append((name, arguments))
    return found
