"""The JSON pointers to properties that a schema has."""

from collections.abc import Iterator

from formwork.diagnostics import PointerError, parse_pointer, render_pointer
from formwork.documents.refs import ReferenceError_, split_local_ref
from formwork.schema.checking import POINTER_LISTS
from formwork.schema.paths import PropertyPath
from formwork.schema.view import SchemaView, Subschema

_DEEPEST = 6
_MOST = 3000
_SINGLE = ("tagProperty",)


def list_properties(view: SchemaView) -> Iterator[tuple[PropertyPath, Subschema]]:
    """Yield each property with its path, `*` for the items of arrays; none below a type that it is itself part of."""
    pending: list[tuple[PropertyPath, Subschema, tuple[Subschema, ...]]] = [((), view.root, ())]
    count = 0
    while pending and count < _MOST:
        path, node, above = pending.pop(0)
        target = node.target
        if target in above or len(path) > _DEEPEST:
            continue
        for branch in target.branches():
            for name, child in branch.properties.items():
                count += 1
                yield (*path, name), child
                pending.append(((*path, name), child, (*above, target)))
            items = branch.items
            if items is not None and path:
                pending.append(((*path, "*"), items, (*above, target)))


def pointer_text(path: PropertyPath) -> str:
    """Return the pointer to a property, as the lists of a schema have it."""
    return render_pointer(("properties", *path))


def is_pointer_place(path: tuple[str | int, ...]) -> bool:
    """Return whether the schema's value at `path` is a pointer to a property."""
    if not path:
        return False
    if path[0] in POINTER_LISTS or path[0] == "additionalIdentifiers":
        return len(path) > 1
    return path[-1] in _SINGLE or (len(path) == 3 and path[:2] == ("resourceLink", "mappings"))


def pointed_property(view: SchemaView, text: str) -> Subschema | None:
    """Return the property that a pointer means, None where it leads nowhere."""
    try:
        path, found = view.normalise(parse_pointer(text))
    except PointerError:
        return None
    return property_at(view, path) if found else None


def property_at(view: SchemaView, path: PropertyPath) -> Subschema | None:
    """Return the property at a path, where it is declared: a `$ref` there is not followed."""
    node = view.root
    for name in path:
        child = node.child(name)
        if child is None:
            return None
        node = child
    return node


def referred(ref: str) -> tuple[str, ...] | None:
    """Return the path in the schema that a local `$ref` names, None for another one."""
    try:
        return split_local_ref(ref)
    except ReferenceError_:
        return None
