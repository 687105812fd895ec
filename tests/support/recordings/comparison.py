"""Recorded answers and ours, member by member.

A member is a leaf: a value that has no members of its own. What the recorder put in place of ids, names and times
(`<stack-name:1>`, `datetime`) stands for any text, but for the same one wherever it stands in one recording.
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum

_PLACEHOLDER = re.compile(r"<[A-Za-z][\w.-]*(?::\d+)?>")
_ANYWHERE = frozenset({"<region>", "<partition>"})
_TIMES = frozenset({"datetime", "timestamp", "date"})
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
# What the recorder left as it was, though no two runs share it: a UUID, the end of a name that the service made up.
_RANDOM = (
    re.compile(rf"{_UUID}$"),
    re.compile(r"(?<=-)(?=[a-z]*[A-Z0-9])(?=[A-Z]*[a-z0-9])[A-Za-z0-9]{12,13}$"),
    re.compile(r"(?<=-)([a-z]{12}|[A-Z]{12})$"),  # one in fifty has no digit
)
# Members whose entries the service gives in no order: what tells them apart, None for everything.
_UNORDERED = {
    "Changes": None,
    "Details": None,
    "Outputs": "OutputKey",
    "Parameters": "ParameterKey",
    "ResourceIdentifierSummaries": "ResourceType",
    "ResourceTypes": None,
    "Tags": "Key",
}
_NOTHING = object()


class Verdict(StrEnum):
    """What has become of a member."""

    EQUAL = "equal"
    DIFFERENT = "different"
    MISSING = "missing"
    EXTRA = "extra"  # ours alone


@dataclass(frozen=True)
class Member:
    """A member of a recorded answer and ours; `path` is that of the recording."""

    path: tuple[str, ...]
    verdict: Verdict
    theirs: object = None
    ours: object = None

    @property
    def place(self):
        """The path with list indexes left out."""
        return "/".join("*" if each.isdecimal() else each for each in self.path)


class Comparison:
    """Compares the answers of one recording; what placeholders stand for is kept from one to the next."""

    def __init__(self, any_texts=frozenset()):
        self._bound = {}
        self._any = any_texts

    def compare(self, theirs, ours, path=()):
        """Every member of the one or the other."""
        if isinstance(theirs, dict | list) and isinstance(ours, str):
            ours = _parsed(ours)
        if isinstance(theirs, dict) and theirs and isinstance(ours, dict):
            yield from self._objects(theirs, ours, path)
        elif isinstance(theirs, list) and theirs and isinstance(ours, list):
            if path and path[-1] in _UNORDERED:
                theirs, ours = _ordered(theirs, _UNORDERED[path[-1]]), _ordered(ours, _UNORDERED[path[-1]])
            for index in range(max(len(theirs), len(ours))):
                step = (*path, str(index))
                yield from self.compare(_at(theirs, index), _at(ours, index), step)
        elif theirs is _NOTHING:
            yield from (Member(place, Verdict.EXTRA, None, leaf) for place, leaf in leaves(ours, path))
        elif ours is _NOTHING:
            yield from (Member(place, Verdict.MISSING, leaf) for place, leaf in leaves(theirs, path))
        elif isinstance(theirs, dict | list) and theirs:
            yield from (Member(place, Verdict.DIFFERENT, leaf, ours) for place, leaf in leaves(theirs, path))
        else:
            equal = self.alike(theirs, ours)
            yield Member(path, Verdict.EQUAL if equal else Verdict.DIFFERENT, theirs, ours)

    def _objects(self, theirs, ours, path):
        left = dict(ours)
        for key, value in theirs.items():
            found = next((each for each in left if each == key or self._matches(key, each)), None)
            mine = _NOTHING if found is None else left.pop(found)
            yield from self.compare(value, mine, (*path, key))
        for key, value in left.items():
            yield from self.compare(_NOTHING, value, (*path, key))

    def alike(self, theirs, ours):
        """Whether two leaves are the same as far as the recording tells."""
        if isinstance(theirs, str) and theirs in _TIMES | self._any:
            return bool(ours)
        if isinstance(theirs, str) and isinstance(ours, int) and not isinstance(ours, bool):
            return self._matches(theirs, str(ours))
        if not isinstance(theirs, str) or not isinstance(ours, str):
            return type(theirs) is type(ours) and theirs == ours
        return theirs == ours or self._matches(theirs, ours) or self._differ_at_random(theirs, ours)

    def _differ_at_random(self, theirs, ours):
        return any(
            one.search(theirs) and other.search(ours) and self._matches(one.sub("", theirs), other.sub("", ours))
            for one in _RANDOM
            for other in _RANDOM
        )

    def _matches(self, theirs, ours):
        if "<" not in theirs and not theirs.endswith("-date"):
            return theirs == ours
        pattern, names = self._pattern(theirs)
        match = re.fullmatch(pattern, ours, re.DOTALL)
        if match is None:
            return False
        self._bound.update({name: match[group] for group, name in names.items()})
        return True

    def _pattern(self, theirs):
        """The pattern of a recorded text, and the placeholders that it finds values for by the name of their group."""
        if theirs.endswith("-date"):
            theirs = f"{theirs.removesuffix('date')}<any-date>"
        parts, names = [], {}
        end = 0
        for found in _PLACEHOLDER.finditer(theirs):
            parts.append(re.escape(theirs[end : found.start()]))
            end = found.end()
            name = found[0]
            known = next((group for group, each in names.items() if each == name), None)
            if name in _ANYWHERE:
                parts.append("[a-z0-9-]+")
            elif name == "<any-date>":
                parts.append("[-0-9TZ:.]+")
            elif name in self._bound:
                parts.append(re.escape(self._bound[name]))
            elif known is not None:
                parts.append(f"(?P={known})")
            else:
                group = f"p{len(names)}"
                names[group] = name
                parts.append(f"(?P<{group}>{_UUID if name.startswith('<uuid:') else '.+?'})")
        return "".join([*parts, re.escape(theirs[end:])]), names


def leaves(value, path=()):
    """Every member that has no members, with its path."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, (*path, str(key)))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, str(index)))
    else:
        yield path, value


def _at(values, index):
    return values[index] if index < len(values) else _NOTHING


def _parsed(text):
    """JSON in a text, as the recorder unpacked it."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _ordered(entries, key):
    def name(entry):
        if isinstance(entry, dict) and "ResourceChange" in entry:
            return str(entry["ResourceChange"]["LogicalResourceId"])
        if isinstance(entry, dict) and key in entry:
            return str(entry[key])
        return json.dumps(entry, sort_keys=True, default=str)

    return sorted(entries, key=name)
