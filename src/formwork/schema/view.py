"""A schema document as typed nodes: what walks over schemas use in place of the document's JSON.

    view = SchemaView(document.value)
    view.root.properties["Tags"].target.items      the schema of one tag, whether written there or referred to
    view.at(("Tags", "*", "Key"))                  the same by a property path

A node is made when it is first asked for, and once for each place in the document: two references to a definition give
the same node, so that a walk over a schema that refers to itself ends by remembering nodes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwork.diagnostics import render_pointer
from formwork.documents.refs import ReferenceError_, follow_ref
from formwork.schema.findings import Path
from formwork.schema.paths import ANY, PropertyPath

COMBINERS = ("allOf", "anyOf", "oneOf")
_COMBINING = frozenset(COMBINERS)
_MAPS = ("properties", "definitions", "patternProperties")
_HOLDERS = frozenset({*_MAPS, "items", "dependencies", *COMBINERS})
_NOT_A_SCHEMA: dict[str, Any] = {}


class Subschema:
    """One schema of a document: its keywords, its parts as nodes, and its place.

    `value` has the keywords as written, {} where something other than an object is written. `path` is the place in the
    document. Only `target` and what is built on it (`branches`, `child`) follow `$ref`.
    """

    __slots__ = ("_children", "_properties", "_view", "path", "value")

    def __init__(self, view: "SchemaView", value: Any, path: Path) -> None:
        self._view = view
        self._children: dict[str, Subschema] = {}  # those that were asked for
        self._properties: dict[str, Subschema] | None = None
        self.value: dict[str, Any] = value if isinstance(value, dict) else _NOT_A_SCHEMA
        self.path = path

    def __repr__(self) -> str:
        return f"Subschema({self.pointer!r})"

    def __contains__(self, keyword: str) -> bool:
        return keyword in self.value

    def get(self, keyword: str, default: Any = None) -> Any:
        """Return the value of a keyword."""
        return self.value.get(keyword, default)

    @property
    def pointer(self) -> str:
        """The JSON pointer of this place, for diagnostics."""
        return render_pointer(self.path)

    @property
    def target(self) -> "Subschema":
        """The schema that the `$ref` here leads to in the end, or this one; an empty one where it leads nowhere."""
        return self._view.follow(self) if "$ref" in self.value else self

    @property
    def types(self) -> tuple[str, ...]:
        """The names in `type`, in their order; () where there are none."""
        named = self.value.get("type")
        if isinstance(named, str):
            return (named,)
        return tuple(each for each in named if isinstance(each, str)) if isinstance(named, list) else ()

    @property
    def required(self) -> tuple[str, ...]:
        """The names in `required`."""
        return tuple(each for each in self._list("required") if isinstance(each, str))

    @property
    def is_closed(self) -> bool:
        """Whether `additionalProperties` is false."""
        return self.value.get("additionalProperties") is False

    @property
    def properties(self) -> Mapping[str, "Subschema"]:
        """The schemas in `properties`, by name."""
        if self._properties is None:
            self._properties = self._members("properties")
        return self._properties

    @property
    def definitions(self) -> Mapping[str, "Subschema"]:
        """The schemas in `definitions`, by name."""
        return self._members("definitions")

    @property
    def pattern_properties(self) -> Mapping[str, "Subschema"]:
        """The schemas in `patternProperties`, by pattern."""
        return self._members("patternProperties")

    @property
    def items(self) -> "Subschema | None":
        """The schema of all items of an array, None where `items` is absent or a list."""
        written = self.value.get("items")
        return self._view.node(written, (*self.path, "items")) if isinstance(written, dict) else None

    @property
    def combines(self) -> bool:
        """Whether it has schemas in `allOf`, `anyOf` or `oneOf`."""
        return not _COMBINING.isdisjoint(self.value)

    @property
    def all_of(self) -> tuple["Subschema", ...]:
        """The schemas in `allOf`."""
        return self._parts("allOf")

    @property
    def any_of(self) -> tuple["Subschema", ...]:
        """The schemas in `anyOf`."""
        return self._parts("anyOf")

    @property
    def one_of(self) -> tuple["Subschema", ...]:
        """The schemas in `oneOf`."""
        return self._parts("oneOf")

    @property
    def combined(self) -> tuple["Subschema", ...]:
        """The schemas in `allOf`, `anyOf` and `oneOf`."""
        return (*self.all_of, *self.any_of, *self.one_of)

    def parts(self) -> list["Subschema"]:
        """Return the schemas that are written directly inside this one, in a fixed order of keywords."""
        if _HOLDERS.isdisjoint(self.value):
            return []
        found: list[Subschema] = []
        for keyword in _MAPS:
            if keyword in self.value:
                found += self._members(keyword).values()
        for keyword in COMBINERS:
            if keyword in self.value:
                found += self._parts(keyword)
        if self.items is not None:
            found.append(self.items)
        if "dependencies" in self.value:
            found += self._members("dependencies").values()
        return [node for node in found if node.value is not _NOT_A_SCHEMA]

    def walk(self) -> Iterator["Subschema"]:
        """Yield all schemas that are written inside this one, parents before children; no `$ref` is followed."""
        pending = [self]
        while pending:
            nodes = pending.pop().parts()
            yield from nodes
            pending += reversed(nodes)

    def branches(self) -> Iterator["Subschema"]:
        """Yield this schema and all that it combines, at any depth, references followed, each once."""
        seen: set[Subschema] = set()
        pending = [self]
        while pending:
            node = pending.pop().target
            if node not in seen:
                seen.add(node)
                yield node
                pending += node.combined

    def keyword(self, name: str) -> Any:
        """Return a keyword's value here or in the first branch that has it, None where none has."""
        return next((node.value[name] for node in self.branches() if name in node.value), None)

    def child(self, name: str) -> "Subschema | None":
        """Return the schema of a property, or with `*` of items or of a map's values; None where it is not declared."""
        if (known := self._children.get(name)) is not None:
            return known
        own = self.target
        found = own.own_child(name)
        if found is None and own.combines:
            found = next((found for node in own.branches() if (found := node.own_child(name)) is not None), None)
        if found is not None:
            self._children[name] = found
        return found

    def own_child(self, name: str) -> "Subschema | None":
        """Return like `child`, but only a property that this schema itself declares."""
        members = self.value.get("properties")
        if type(members) is dict and name in members:
            return self._view.node(members[name], (*self.path, "properties", name))
        if name != ANY:
            return None
        return self.items or next(iter(self.pattern_properties.values()), None)

    def _members(self, keyword: str) -> dict[str, "Subschema"]:
        written = self.value.get(keyword)
        if not isinstance(written, dict) or not written:
            return {}
        node, here = self._view.node, (*self.path, keyword)
        return {name: node(each, (*here, name)) for name, each in written.items()}

    def _parts(self, keyword: str) -> tuple["Subschema", ...]:
        return tuple(
            self._view.node(each, (*self.path, keyword, index))
            for index, each in enumerate(self._list(keyword))
            if isinstance(each, dict)
        )

    def _list(self, keyword: str) -> list[Any]:
        written = self.value.get(keyword)
        return written if isinstance(written, list) else []


class SchemaView:  # noqa: PLW1641 - made of dicts, which have no hash
    """The nodes of one document; `at` is the path of `document` if it is a part of a larger one."""

    def __init__(self, document: Mapping[str, Any], *, at: Path = ()) -> None:
        self._nodes: dict[Path, Subschema] = {}
        self._targets: dict[str, Subschema] = {}
        self.root = self.node(document if isinstance(document, dict) else dict(document), at)

    def close(self) -> None:
        """Release the nodes, for views of many documents: nodes and view hold each other, and memory with it."""
        self._nodes.clear()
        self._targets.clear()
        del self.root

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SchemaView) and (self.root.path, self.root.value) == (
            other.root.path,
            other.root.value,
        )

    def node(self, value: Any, path: Path) -> Subschema:
        """Return the node of what is written at `path`."""
        found = self._nodes.get(path)
        if found is None:
            found = self._nodes[path] = Subschema(self, value, path)
        return found

    def follow(self, node: Subschema) -> Subschema:
        """Return the target of a node's `$ref`; see `Subschema.target`."""
        reference = node.value["$ref"]
        if not isinstance(reference, str):
            return node
        return self.resolve(reference) or Subschema(self, {}, node.path)

    def resolve(self, reference: str) -> Subschema | None:
        """Return the schema that a reference leads to in the end, None where it leads nowhere in this document."""
        known = self._targets.get(reference)
        if known is not None:
            return known
        try:
            value, tokens = follow_ref({"$ref": reference}, self.root.value)
        except ReferenceError_:
            return None
        found = self._targets[reference] = self.node(value, self._numbered(tokens or ()))
        return found

    def _numbered(self, tokens: Sequence[str]) -> Path:
        """Return the path of pointer tokens, with numbers for the indexes of arrays."""
        if not any(token.isdecimal() for token in tokens):
            return tuple(tokens)
        path: list[str | int] = []
        here: Any = self.root.value
        for token in tokens:
            path.append(int(token) if isinstance(here, list) else token)
            here = here[path[-1]]
        return tuple(path)

    def at(self, path: Sequence[str]) -> Subschema | None:
        """Return the schema at a property path, references followed, None where it leads nowhere; () is the root."""
        node = self.root
        for name in path:
            child = node.child(name)
            if child is None:
                return None
            node = child
        return node.target

    def normalise(self, tokens: Sequence[str]) -> tuple[PropertyPath, bool]:
        """Return the property path that pointer `tokens` mean, and whether it leads to a property.

        Steps that only name the schema's structure (`properties`, `items`, a pattern) are dropped or become `*`;
        where the tokens lead nowhere the rest is kept as it is.
        """
        names: list[str] = []
        node = self.root
        rest = list(tokens[1:] if tokens[:1] == ("properties",) else tokens)
        while rest:
            step = rest.pop(0)
            if step == "properties" and rest and node.child(rest[0]) is not None:
                continue
            child = node.child(step)
            if child is None and step == "patternProperties" and rest:
                rest[0] = ANY
                continue
            if child is None and (step == "items" or step.isdecimal()):
                step, child = ANY, node.child(ANY)
            if child is None:
                inner = node.child(ANY)
                child = inner.child(step) if inner is not None else None
                if child is None:
                    return (*names, step, *rest), False
                names.append(ANY)  # `/properties/Tags/Key`: the step through the array is left out
            names.append(step)
            node = child
        return tuple(names), bool(names)


UNKNOWN = SchemaView({}).root  # stands for the schema of what no schema declares
