"""`Fn::ForEach`: loops of AWS::LanguageExtensions, expanded before anything else is read.

Source: CloudFormation user guide, "Fn::ForEach". A loop `{"Fn::ForEach::Name": [identifier, collection, body]}` stands
in a section or among a resource's properties; each turn puts the body's members in its place, with `${identifier}` in
keys and texts standing for the item, and `&{identifier}` for its letters and digits.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from formwork.template.bounds import MAX_TEMPLATE_BYTES
from formwork.template.expressions import Path

LOOP = "Fn::ForEach::"
MAX_DEPTH = 5  # loops within loops, the service's quota
_MAX_CHARACTERS = 2 * MAX_TEMPLATE_BYTES  # of all that loops make, on the way to what is smaller

_NOT_ALPHANUMERIC = re.compile(r"[^A-Za-z0-9]", re.ASCII)


class LoopError(ValueError):
    """A loop that can't be expanded; `path` is its place in the template."""

    def __init__(self, message: str, path: Path) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


def expand_loops(value: Any, collection: Callable[[Any, Path], list[str] | None]) -> Any:
    """Return a copy of a template's value without loops.

    `collection` gives the items of what a loop's collection is computed from, such as `{"Ref": parameter}`, and None
    where it is not a list.

    Raises:
        LoopError: a loop has the wrong form, an unusable collection, or makes two members of one name.
    """
    return _Loops(collection).expand(value, {}, (), 0)


class _Loops:
    def __init__(self, collection: Callable[[Any, Path], list[str] | None]) -> None:
        self._collection = collection
        self._made = 0

    def expand(self, value: Any, names: Mapping[str, str], path: Path, depth: int) -> Any:
        if names:
            self._count(1, path)
        match value:
            case {"Ref": str(name)} if len(value) == 1 and name in names:
                return self._substitute("${" + name + "}", names, path)
            case dict():
                return self._members(value, names, path, depth)
            case list():
                return [self.expand(each, names, (*path, i), depth) for i, each in enumerate(value)]
            case str():
                return self._substitute(value, names, path)
            case _:
                return value

    def _members(self, value: Mapping[str, Any], names: Mapping[str, str], path: Path, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, each in value.items():
            here = (*path, key)
            if key.startswith(LOOP):
                found = self._loop(each, names, here, depth + 1)
            else:
                found = {self._substitute(key, names, here): self.expand(each, names, here, depth)}
            if twice := made.keys() & found.keys():
                raise LoopError(f'the loop creates two members named "{min(twice)}"', here)
            made |= found
        return made

    def _loop(self, value: Any, names: Mapping[str, str], path: Path, depth: int) -> dict[str, Any]:
        match value:
            case [str(identifier), items, dict(body)]:
                pass
            case _:
                raise LoopError("a loop is a list of an identifier, a collection and a body", path)
        if depth > MAX_DEPTH:
            raise LoopError(f"loops may be nested at most {MAX_DEPTH} deep", path)
        made: dict[str, Any] = {}
        for item in self._items(self.expand(items, names, (*path, 1), depth), (*path, 1)):
            found = self._members(body, {**names, identifier: item}, (*path, 2), depth)
            if twice := made.keys() & found.keys():
                raise LoopError(f'the loop creates two members named "{min(twice)}"', path)
            made |= found
        return made

    def _substitute(self, text: str, names: Mapping[str, str], path: Path) -> str:
        for name, item in names.items():
            for mark, each in (("${" + name + "}", item), ("&{" + name + "}", _NOT_ALPHANUMERIC.sub("", item))):
                _check_size(len(text) + text.count(mark) * (len(each) - len(mark)), path)  # before it is built
                text = text.replace(mark, each)
        if names:
            self._count(len(text), path)
        return text

    def _count(self, characters: int, path: Path) -> None:
        """Count what loops make: they multiply."""
        self._made += characters
        _check_size(self._made, path)

    def _items(self, value: Any, path: Path) -> list[str]:
        if isinstance(value, list):
            items: list[str] = []
            for index, each in enumerate(value):
                items += [str(each)] if isinstance(each, (str, int, float)) else self._computed(each, (*path, index))
            return items
        return self._computed(value, path)

    def _computed(self, value: Any, path: Path) -> list[str]:
        items = self._collection(value, path)
        if items is None:
            raise LoopError("the collection of a loop is a list of texts, known before any resource is", path)
        return items


def _check_size(characters: int, path: Path) -> None:
    if characters > _MAX_CHARACTERS:
        raise LoopError(f"the template that loops make may not exceed {MAX_TEMPLATE_BYTES} bytes in size", path)
