"""The nodes of one schema in merged form, each merged once, and the alternatives of their choices, told apart."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from formwork.instances.shapes import Node, intersect, merge_node
from formwork.schema.view import SchemaView

_OF_A_MODEL = ("properties", "required", "oneOf", "anyOf", "allOf", "dependencies", "minProperties", "maxProperties")


class Nodes:
    """The merged nodes of one schema."""

    def __init__(self, view: SchemaView) -> None:
        self._view = view
        self._merged: dict[int, tuple[Any, Node | None]] = {}

    @functools.cached_property
    def of_a_model(self) -> Mapping[str, Any]:
        """The node of a whole model: an object of the root's properties and no others."""
        root = self._view.root.value
        said = {key: root[key] for key in _OF_A_MODEL if key in root}
        return {**said, "type": "object", "additionalProperties": False}

    def merge(self, node: Any) -> Node | None:
        """Return the merged form of `node`, which may be merged already; None for one that nothing satisfies."""
        if not isinstance(node, dict):
            return None if node is False else {}
        if isinstance(node.get("type"), tuple) or "patterns" in node or "choices" in node:
            return node
        known = self._merged.get(id(node))
        if known is None or known[0] is not node:
            known = self._merged[id(node)] = (node, merge_node(node, self._resolve))
        return known[1]

    def alternatives(self, merged: Node, in_order: Callable[[int], Iterable[int]]) -> Iterator[Node]:
        """`merged` with its first choice decided, each way that is one; `in_order` gives the order of so many."""
        (keyword, branches), *others = merged["choices"]
        base = {key: value for key, value in merged.items() if key != "choices"}
        if others:
            base["choices"] = tuple(others)
        for index in in_order(len(branches)):
            branch = self.merge(branches[index])
            both = None if branch is None else intersect(base, branch)
            if both is None:
                continue
            if keyword == "oneOf":
                both = self._apart(both, [each for other, each in enumerate(branches) if other != index])
            yield both

    def _apart(self, node: Node, others: list[Any]) -> Node:
        """`node`, narrowed so that its values satisfy none of the `others`, the other branches of a oneOf.

        It loses the optional properties that another branch asks for; where another branch asks for nothing and
        declares all it allows, a property that is not among that has to be there.
        """
        required = list(node.get("required") or ())
        foreign: set[str] = set()
        for each in others:
            other = self.merge(each)
            if other is None:
                continue
            foreign |= self._asked_for(other) - set(required)
            declared = other.get("properties") or {}
            closed = other.get("additionalProperties") is False and "patternProperties" not in other
            if closed and declared.keys() >= set(required) >= set(other.get("required") or ()):
                required += [name for name in node.get("properties") or () if name not in declared][:1]
        without = frozenset(foreign - set(required)) | node.get("_without", frozenset())
        return {**node, "required": required, "_without": without} if required or without else node

    def _asked_for(self, branch: Node) -> set[str]:
        """The properties that a merged branch requires; where it requires none itself, those that its choices do."""
        required = set(branch.get("required") or ())
        if not required:
            for _, alternatives in branch.get("choices", ()):
                for each in alternatives:
                    required |= set((self.merge(each) or {}).get("required") or ())
        return required

    def _resolve(self, ref: str) -> Any:
        found = self._view.resolve(ref)
        return True if found is None else found.value
