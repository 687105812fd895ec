"""What a JSON schema says of a place in a value: names, values and descriptions."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from formwork.diagnostics import get_at, parse_pointer
from formwork.diagnostics.pointer import PointerError
from formwork.schema.metaschemas import read_metaschema

_COMBINERS = ("allOf", "anyOf", "oneOf")
_MOST_NODES = 200


class GuideNode(Struct, frozen=True):
    """A part of a schema; `home` is the document that its references start in."""

    value: Mapping[str, Any]
    home: str = ""


class SchemaGuide:
    """A schema, and the documents that it refers to by name: `read` gives the text of one."""

    def __init__(self, root: Mapping[str, Any], *, name: str = "", read: Any = None) -> None:
        self._documents: dict[str, Any] = {name: root}
        self._read = read
        self._root = GuideNode(root, name)

    def at(self, path: Sequence[str | int]) -> list[GuideNode]:
        """Return the schemas of the value at `path`, with all that they combine; empty where nothing is declared."""
        nodes = list(self._spread(self._root))
        for step in path:
            children = [child for node in nodes for child in self._children(node, step)]
            nodes = [each for child in children for each in self._spread(child)][:_MOST_NODES]
        return nodes

    def names(self, path: Sequence[str | int]) -> dict[str, GuideNode]:
        """Return the members that the object at `path` may have."""
        found: dict[str, GuideNode] = {}
        for node in self.at(path):
            members = node.value.get("properties")
            for name, value in members.items() if isinstance(members, dict) else ():
                if isinstance(value, dict):
                    found.setdefault(name, GuideNode(value, node.home))
        return found

    def values(self, path: Sequence[str | int]) -> list[Any]:
        """Return the values that are named for the place: of `enum`, `const`, `default`, and both booleans."""
        found: list[Any] = []
        for node in self.at(path):
            listed = node.value.get("enum")
            found += listed if isinstance(listed, list) else []
            found += [node.value[key] for key in ("const", "default") if key in node.value]
            if node.value.get("type") == "boolean" and "const" not in node.value:
                found += [True, False]
        return list({json.dumps(each, sort_keys=True): each for each in found}.values())

    def types(self, path: Sequence[str | int]) -> list[str]:
        """Return the types that the value at `path` may have."""
        named: list[str] = []
        for node in self.at(path):
            written = node.value.get("type")
            named += [written] if isinstance(written, str) else []
            named += [each for each in written if isinstance(each, str)] if isinstance(written, list) else []
        return list(dict.fromkeys(named))

    def text(self, path: Sequence[str | int], keyword: str = "description") -> str | None:
        """Return the first description, or other text of a keyword, for the place."""
        found = (node.value.get(keyword) for node in self.at(path))
        return next((each for each in found if isinstance(each, str)), None)

    def describe(self, node: GuideNode, keyword: str = "description") -> str | None:
        """Return the description of a node, its own or of what it refers to."""
        found = (each.value.get(keyword) for each in self._spread(node))
        return next((each for each in found if isinstance(each, str)), None)

    def type_of(self, node: GuideNode) -> str | None:
        """Return the type of a node."""
        return self.describe(node, "type")

    def _children(self, node: GuideNode, step: str | int) -> Iterator[GuideNode]:
        value, text = node.value, str(step)
        members = value.get("properties")
        if isinstance(members, dict) and isinstance(members.get(text), dict):
            yield GuideNode(members[text], node.home)
            return
        patterns = value.get("patternProperties")
        if isinstance(patterns, dict) and not isinstance(step, int):  # which one matches only a validator decides
            yield from (GuideNode(each, node.home) for each in patterns.values() if isinstance(each, dict))
        keyword = "items" if isinstance(step, int) else "additionalProperties"
        if isinstance(value.get(keyword), dict):
            yield GuideNode(value[keyword], node.home)

    def _spread(self, node: GuideNode) -> Iterator[GuideNode]:
        seen: list[tuple[int, str]] = []
        pending = [node]
        while pending and len(seen) < _MOST_NODES:
            current = pending.pop(0)
            if (id(current.value), current.home) in seen:
                continue
            seen.append((id(current.value), current.home))
            yield current
            if isinstance(ref := current.value.get("$ref"), str):
                pending += self._resolve(ref, current.home)
            for combiner in _COMBINERS:
                parts = current.value.get(combiner)
                listed = parts if isinstance(parts, list) else []
                pending += [GuideNode(each, current.home) for each in listed if isinstance(each, dict)]

    def _resolve(self, ref: str, home: str) -> list[GuideNode]:
        name, _, pointer = ref.partition("#")
        name = name or home
        if name not in self._documents:
            text = self._read(name) if self._read is not None else None
            self._documents[name] = json.loads(text) if text is not None else {}
        try:
            found = get_at(self._documents[name], parse_pointer(pointer))
        except PointerError:
            return []
        return [GuideNode(found, name)] if isinstance(found, dict) else []


@cache
def meta_guide(name: str) -> SchemaGuide:
    """Return the guide of one of our meta-schemas, such as `resource`."""
    file = f"{name}.json"
    return SchemaGuide(json.loads(read_metaschema(file)), name=file, read=read_metaschema)
