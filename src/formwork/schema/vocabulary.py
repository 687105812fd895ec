"""The names that our meta-schemas know at a place, for messages about a name that they don't."""

import json
from functools import cache
from typing import Any

from formwork.schema.findings import Path
from formwork.schema.metaschemas import read_metaschema

_PROPERTY_HOLDERS = ("properties", "definitions", "patternProperties", "dependencies", "allOf", "anyOf", "oneOf")


def known_names(path: Path) -> list[str]:
    """Return the member names that may stand in the object at `path` of a schema document; empty where that is open."""
    base = _load("base.json")
    names: Any
    if not path:
        names = [*_load("resource.json")["properties"], *_load("hook.json")["properties"]]
    elif path[-1] == "items" or (path[-2:-1] and path[-2] in _PROPERTY_HOLDERS):
        names = base["definitions"]["property"]["properties"]
    elif path[0] == "handlers":
        names = _handler_names(path)
    elif path[-1] == "relationshipRef":
        names = base["definitions"]["relationshipRef"]["properties"]
    else:
        node = _load("type-configuration.json") if path == ("typeConfiguration",) else None
        node = node or _load("resource.json")["properties"].get(str(path[0]), {})
        names = node.get("properties", {})
    return list(dict.fromkeys(names))


def _handler_names(path: Path) -> list[str]:
    resource, hook = _load("resource.json"), _load("hook.json")
    if len(path) == 1:
        return [*resource["properties"]["handlers"]["properties"], *hook["properties"]["handlers"]["properties"]]
    if str(path[1]).startswith("pre"):
        return list(hook["definitions"]["handler"]["properties"])
    names = resource["definitions"]["listHandler" if path[1] == "list" else "handler"]["properties"]
    return list(names["handlerSchema"]["properties"] if "handlerSchema" in path else names)


@cache
def _load(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(read_metaschema(name))
    return value
