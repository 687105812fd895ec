"""Write-only properties in generated templates: they become parameters, since reads do not return them.

Source: user guide, "Resolve write-only properties": required ones become parameters; of mutually exclusive sets the
first is taken; arrays and optional properties are left out; each with a warning.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.iac_generator.records import PropertyWarning
from formwork.schema import ResourceSchema
from formwork.schema.paths import ANY
from formwork.schema.view import Subschema

Path = tuple[str, ...]
EXCLUSIVE = "MUTUALLY_EXCLUSIVE_PROPERTIES"
SEVERAL_TYPES = "MUTUALLY_EXCLUSIVE_TYPES"
UNSUPPORTED = "UNSUPPORTED_PROPERTIES"
_REPLACEABLE = "This property can be replaced with other exclusive properties"
_LONGEST_DESCRIPTION = 4000
_PARAMETER_TYPES = {"string": "String", "integer": "Number", "number": "Number", "boolean": "String"}
# Sets that exclude each other although the type's schema does not say so: type, property → sets of members.
_SETS: Mapping[tuple[str, str], tuple[tuple[str, ...], ...]] = {
    ("AWS::Lambda::Function", "Code"): (("S3Bucket", "S3Key"), ("ImageUri",), ("ZipFile",)),
    ("AWS::Lambda::LayerVersion", "Content"): (("S3Bucket", "S3Key"),),
}


class WriteOnlyParameter(Struct, frozen=True):
    """A parameter of the template that stands for a write-only property."""

    path: Path
    name: str
    declaration: Mapping[str, Any]


class _Hidden(Struct, frozen=True):
    """A write-only property; `kind` is the warning about it, None for one that is simply a parameter."""

    path: Path
    node: Subschema
    required: bool
    kind: str | None
    left_out: bool = False


def write_only_parameters(
    schema: ResourceSchema, logical_id: str
) -> tuple[list[WriteOnlyParameter], tuple[PropertyWarning, ...]]:
    """Return the parameters for the write-only properties of a resource, and the warnings about them."""
    found = list(_hidden(schema))
    parameters = [_parameter(each, logical_id) for each in found if not each.left_out]
    warned: dict[str, list[Mapping[str, Any]]] = {}
    for each in found:
        if each.kind is not None:
            described = {"path": "/".join(each.path), "required": each.required, "description": _description(each.node)}
            warned.setdefault(each.kind, []).append(described)
    return parameters, tuple(PropertyWarning(kind=kind, properties=tuple(each)) for kind, each in warned.items())


def _hidden(schema: ResourceSchema) -> Iterator[_Hidden]:
    """Yield the write-only properties, without those of exclusive sets that are not taken."""
    by_parent: dict[Path, list[Path]] = {}
    for path in schema.write_only:
        by_parent.setdefault(path[:-1], []).append(path)
    for parent, paths in by_parent.items():
        node = schema.subschema_at(parent) if parent else schema.view.root
        sets = () if node is None else _exclusive_sets(schema, parent, node, {path[-1] for path in paths})
        taken, others = (set(sets[0]), {name for each in sets[1:] for name in each}) if sets else (set(), set())
        for path in paths:
            leaf = schema.subschema_at(path)
            if leaf is None or path[-1] in others - taken:
                continue
            if path[-1] in taken and _is_required(schema, parent):
                yield _Hidden(path, leaf, required=True, kind=EXCLUSIVE)
            else:
                yield _single(schema, path, leaf)


def _single(schema: ResourceSchema, path: Path, leaf: Subschema) -> _Hidden:
    required = _is_required(schema, path)
    types = _types(leaf)
    if not required or ANY in path or not types or not types <= _PARAMETER_TYPES.keys() | {"object"}:
        return _Hidden(path, leaf, required, UNSUPPORTED, left_out=True)
    if len(types) > 1:
        return _Hidden(path, leaf, required, SEVERAL_TYPES)
    if "object" in types:
        return _Hidden(path, leaf, required, UNSUPPORTED, left_out=True)
    return _Hidden(path, leaf, required, None)


def _exclusive_sets(
    schema: ResourceSchema, parent: Path, node: Subschema, names: set[str]
) -> tuple[tuple[str, ...], ...]:
    """Return the sets of write-only properties of which a parent has one, () where it may have all."""
    if len(parent) == 1 and (known := _SETS.get((schema.type_name, parent[0]))):
        return known
    for choices in (node.target.one_of, node.target.any_of):
        sets = tuple(tuple(name for name in each.target.required if name in names) for each in choices)
        if len(sets) > 1 and all(sets):
            return sets
    return ()


def _is_required(schema: ResourceSchema, path: Path) -> bool:
    """Return whether a property is required, and all that it is in."""
    node: Subschema | None = schema.view.root
    for step in path:
        if node is None or step == ANY or step not in node.target.required:
            return False
        node = node.target.child(step)
    return True


def _types(node: Subschema) -> set[str]:
    own = set(node.target.types)
    if own:
        return own
    return {name for each in (*node.target.one_of, *node.target.any_of) for name in each.target.types}


def _parameter(hidden: _Hidden, logical_id: str) -> WriteOnlyParameter:
    types = _types(hidden.node)
    kind = next(iter(types)) if len(types) == 1 else "string"
    name = logical_id + "".join(filter(str.isalnum, "".join(hidden.path)))
    description = _description(hidden.node)
    if hidden.kind == EXCLUSIVE:
        name += "OneOf"
        description = f"{description}\n{_REPLACEABLE}".strip()
    declaration: dict[str, Any] = {"NoEcho": "true", "Type": _PARAMETER_TYPES.get(kind, "String")}
    if kind == "boolean":
        declaration["AllowedValues"] = ["true", "false"]
    if description:
        declaration["Description"] = description[:_LONGEST_DESCRIPTION]
    return WriteOnlyParameter(hidden.path, name[:255], declaration)


def _description(node: Subschema) -> str:
    found = node.get("description") or node.target.get("description")
    return found if isinstance(found, str) else ""
