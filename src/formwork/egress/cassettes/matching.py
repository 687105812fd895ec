"""Requests of this run compared with recorded ones."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from formwork.diagnostics.secrets import MASK
from formwork.egress.cassettes.entries import NAMES, Body, BodyKind, RecordedRequest
from formwork.egress.cassettes.pieces import NameBindings, same_text
from formwork.egress.stubs.names import plain

_VOLATILE = tuple(NAMES["members"]["volatile"])
_MOST_UNORDERED = 50
_LONGEST_SHOWN = 60
_SHORTEST_BOUND = 6


def differences(recorded: RecordedRequest, live: RecordedRequest, bindings: NameBindings) -> Iterator[str]:
    """Yield the differences between a recorded and a live request; adds corresponding names to `bindings`."""
    if recorded.method != live.method:
        yield f"method: {recorded.method}, not {live.method}"
    for name, one, other in (("host", recorded.host, live.host), ("path", unquote(recorded.path), unquote(live.path))):
        if not same_text(one, other, bindings):
            yield f"{name}: {_shown(one)}, not {_shown(other)}"
    yield from _values(recorded.query, live.query, "query", bindings)
    yield from _values(recorded.headers, live.headers, "header", bindings)
    yield from _bodies(recorded.body, live.body, bindings)


def _bodies(recorded: Body, live: Body, bindings: NameBindings) -> Iterator[str]:
    if BodyKind.OMITTED in (recorded.kind, live.kind):
        return  # nothing of it is known
    if recorded.kind is not live.kind:
        yield f"body: {recorded.kind}, not {live.kind}"
        return
    yield from _values(recorded.value, live.value, "body", bindings)


def _values(recorded: Any, live: Any, place: str, bindings: NameBindings) -> Iterator[str]:
    match recorded:
        case dict() | Mapping() if isinstance(live, Mapping):
            yield from _members(recorded, live, place, bindings)
        case list() if isinstance(live, list):
            yield from _items(recorded, live, place, bindings)
        case str() if recorded == MASK:
            return
        case str() if isinstance(live, str):
            if not same_text(recorded, live, bindings):
                yield f"{place}: {_shown(recorded)}, not {_shown(live)}"
        case _ if recorded != live or isinstance(recorded, bool) is not isinstance(live, bool):
            if not (_is_number(recorded) and _is_number(live) and same_text(str(recorded), str(live), bindings)):
                yield f"{place}: {_shown(recorded)}, not {_shown(live)}"
        case _:
            return


def _members(recorded: Mapping[str, Any], live: Mapping[str, Any], place: str, bindings: NameBindings) -> Iterator[str]:
    for name in (*recorded, *(name for name in live if name not in recorded)):
        if plain(name).endswith(_VOLATILE):
            one, other = recorded.get(name), live.get(name)
            if isinstance(one, str) and isinstance(other, str) and min(len(one), len(other)) >= _SHORTEST_BOUND:
                bindings.bind(one, other)
        elif name not in live:
            yield f"{place}/{name}: {_shown(recorded[name])}, not sent"
        elif name not in recorded:
            yield f"{place}/{name}: {_shown(live[name])}, not recorded"
        else:
            yield from _values(recorded[name], live[name], f"{place}/{name}", bindings)


def _items(recorded: list[Any], live: list[Any], place: str, bindings: NameBindings) -> Iterator[str]:
    """Compare lists: in their order, or each item with any other, since maps of some languages have no order."""
    if len(recorded) != len(live):
        yield f"{place}: {len(recorded)} items, not {len(live)}"
        return
    tried = bindings.copy()
    found = [each for at, one in enumerate(recorded) for each in _values(one, live[at], f"{place}/{at}", tried)]
    if not found:
        bindings.live, bindings.recorded = tried.live, tried.recorded
        return
    if len(recorded) > _MOST_UNORDERED or not _is_permutation(recorded, live, bindings):
        yield from found


def _is_permutation(recorded: list[Any], live: list[Any], bindings: NameBindings) -> bool:
    left = list(live)
    for one in recorded:
        for at, other in enumerate(left):
            tried = bindings.copy()
            if next(_values(one, other, "", tried), None) is None:
                bindings.live, bindings.recorded = tried.live, tried.recorded
                del left[at]
                break
        else:
            return False
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
