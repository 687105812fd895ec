"""Positions of values in a JSON text, computed only for those that are asked for."""

from json import JSONDecoder

from formwork.documents.json_map import MemberOffsets, list_members

# /shapes/<id>/members/<name>/traits/<id> is the deepest place that events speak of.
_DEPTH = 6

Pointer = tuple[str | int, ...]

# Follows a key that stands more than once in an object: the last of its values is meant, not the first.
REPEATED = "\0repeated"

# Numbers as they are written: some are too long for Python.
_SCAN = JSONDecoder(parse_float=str, parse_int=str, parse_constant=str).scan_once  # type: ignore[attr-defined]


class _JsonText:
    """A text, with the members of the containers that were looked into so far, by the offset of each."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._members: dict[int, dict[str, list[MemberOffsets]]] = {}

    def find(self, pointer: Pointer) -> int | None:
        start = len(self.text) - len(self.text.lstrip())
        found = [MemberOffsets(start, start, start, len(self.text))]
        for token in pointer:
            if token != REPEATED:
                found = self._look_into(found[0].start).get(str(token), [])
            elif len(found) > 1:
                found = found[-1:]
            else:
                return None
            if not found:
                return None
        return found[0].start

    def _look_into(self, start: int) -> dict[str, list[MemberOffsets]]:
        if start not in self._members:
            members: dict[str, list[MemberOffsets]] = {}
            for name, member in list_members(self.text, start, scan=_SCAN):
                members.setdefault(name, []).append(member)
            self._members[start] = members
        return self._members[start]


# The text asked about last: events come in bunches a file.
_LAST: list[_JsonText] = []


def locate_pointer(text: str, pointer: Pointer) -> int | None:
    """Return the offset where the value at `pointer` starts in the JSON `text`, None where there is none.

    What is deeper than places that events name has the offset of the value around it.
    """
    if not _LAST or _LAST[0].text is not text:
        _LAST[:] = [_JsonText(text)]
    try:
        return _LAST[0].find(pointer[:_DEPTH])
    except (RecursionError, StopIteration):  # nested too deeply, or not JSON
        return None
