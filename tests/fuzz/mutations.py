"""Mutations that keep some structure: parts of JSON values and of texts replaced, removed, doubled, or put elsewhere.

Bytes that are changed blindly seldom get past a parser; what is behind it is reached by these.

The reasons are in docs/decisions/1298.
"""

import json
import re
from random import Random

_PIECES = re.compile(r"\w+|\s+|[^\w\s]")
_ODD = (None, True, False, 0, -1, 1e308, 10**30, "", "*", "a" * 300, [], {}, [[]], {"": {}}, "\ud800", "\x00", "é", "1")
_MOST = 20_000  # characters of what is taken apart
_POOL = 4_000


class Mutator:
    """Changes inputs, with parts of `seeds` as material."""

    def __init__(self, seeds):
        self._values, self._pieces = list(_ODD), []
        for seed in seeds:
            text = seed.decode("utf-8", "surrogateescape")[:_MOST]
            value = _parsed(text)
            if value is not _NONE:
                self._values += [each for _holder, _key, each in _places(value)][:200]
            self._pieces += _PIECES.findall(text)[:400]
        self._pieces = list(dict.fromkeys(self._pieces))[:_POOL] or [" "]
        self._values = self._values[:_POOL]

    def mutate(self, data, seed):
        """A changed input, or None where only bytes can be changed."""
        random = Random(seed)
        text = data.decode("utf-8", "surrogateescape")
        if len(text) > _MOST:
            return None
        value = _parsed(text)
        changed = self._text(text, random) if value is _NONE or random.random() < 0.2 else self._json(value, random)
        return changed.encode("utf-8", "surrogateescape")

    def _json(self, value, random):
        holder = [value]
        for _ in range(random.choice((1, 1, 1, 2, 4))):
            self._change_place(holder, random)
        return json.dumps(holder[0] if holder else None)

    def _change_place(self, root, random):
        places = list(_places(root))
        if not places:
            root.append({})
            return
        holder, key, old = random.choice(places)
        match random.randrange(8):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(key, self._value(random))
            case 1:
                holder[str(random.choice(self._pieces))] = old
            case 2 if isinstance(old, dict):
                old[self._name(random)] = self._value(random)
            case 2 if isinstance(old, list):
                old.append(self._value(random))
            case 3 if isinstance(old, str):
                holder[key] = self._inner(old, random)
            case 4:
                holder[key] = json.loads(json.dumps(random.choice(places)[2]))
            case 5:
                holder[key] = {self._name(random): old}
            case 6 if isinstance(old, str):
                holder[key] = self._inner(old, random)
            case _:
                holder[key] = self._value(random)

    def _inner(self, text, random):
        """A text leaf changed: as a JSON document, if it is one."""
        value = _parsed(text)
        if value is not _NONE and isinstance(value, dict | list) and random.random() < 0.8:
            return self._json(value, random)
        return self._text(text, random)

    def _value(self, random):
        chosen = random.choice(self._values if random.random() < 0.7 else _ODD)
        return json.loads(json.dumps(chosen))

    def _name(self, random):
        return random.choice([each for each in random.choices(self._pieces, k=4) if each.isalnum()] or ["Ref"])

    def _text(self, text, random):
        pieces = _PIECES.findall(text)
        for _ in range(random.choice((1, 1, 2, 3))):
            at = random.randrange(len(pieces) + 1)
            end = min(len(pieces), at + random.choice((1, 1, 2, 5, 20)))
            match random.randrange(6):
                case 0:
                    del pieces[at:end]
                case 1:
                    pieces[at:at] = pieces[at:end] * random.choice((1, 1, 1, 40))
                case 2:
                    pieces[at:end] = random.choices(self._pieces, k=random.choice((1, 1, 2, 4)))
                case 3:
                    to = random.randrange(len(pieces) + 1)
                    pieces[to:to] = pieces[at:end]
                case _:
                    pieces[at:at] = [random.choice(self._pieces)]
        return "".join(pieces)


_NONE = object()


def _parsed(text):
    if not text.lstrip().startswith(("{", "[")):
        return _NONE
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NONE


def _places(value):
    """(holder, key, value) of everything in a JSON value, without going deep."""
    pending = [value]
    for _ in range(2_000):
        if not pending:
            return
        holder = pending.pop(0)
        members = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, each in list(members):
            yield holder, key, each
            if isinstance(each, dict | list):
                pending.append(each)
