"""Invocations on the terminal: status first, then what was sent and answered.

Callbacks do not repeat what was sent, and polls share a line.
"""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwork.contract_results.report.shown import Shown
from formwork.invoke import Exchange

# Longer lines are hard to read, however wide the terminal.
MOST_COLUMNS = 118
_MOST_EXCHANGES = 6
_MOST_CALLS = 8
_MOST_CHARACTERS = 1500
# Members that every event has, where they say nothing.
_SILENT: Mapping[str, Any] = {"message": "", "callbackDelaySeconds": 0}


def exchange_lines(exchanges: Sequence[Exchange], shown: Shown, width: int = MOST_COLUMNS) -> Iterator[str]:
    """Yield the lines of a finding's invocations: polls in one line, the first and the last of very many."""
    blocks = _blocks(exchanges, shown)
    if len(blocks) > _MOST_EXCHANGES:
        yield f"  (the first and the last of {len(exchanges)} invocations)"
        blocks = [*blocks[: _MOST_EXCHANGES - 2], *blocks[-2:]]
    for lines in blocks:
        for line in lines:
            yield from _wrapped(line, width)


def _blocks(exchanges: Sequence[Exchange], shown: Shown) -> list[list[str]]:
    """Return the lines of each exchange; of polls that follow each other one line for all."""
    blocks: list[list[str]] = []
    polls: list[tuple[Exchange, list[str]]] = []
    before: dict[str, Any] = {}
    answer: Any = None
    for exchange in exchanges:
        request = shown.request(exchange)
        called_back = is_callback(request, before, answer)
        lines = [*_request(request, before, called_back=called_back)]
        before, answer = request, shown.answer(exchange)
        lines += _calls(shown.call_lines(exchange))
        lines += _answer(exchange, answer)
        if called_back and exchange.unfinished:
            polls.append((exchange, lines))
            continue
        blocks += _told_polls(polls)
        polls = []
        blocks.append(lines)
    return blocks + _told_polls(polls)


def _told_polls(polls: Sequence[tuple[Exchange, list[str]]]) -> list[list[str]]:
    """Callbacks that were answered with yet another one: how many there were, a single one as it was."""
    if len(polls) < 2:
        return [lines for _, lines in polls]
    seconds = sum(exchange.answer.seconds for exchange, _ in polls)
    action = Shown.action(polls[0][0])
    return [[f"  → {action} again, {len(polls)} times; each answer is IN_PROGRESS  ({seconds * 1000:.0f} ms)"]]


def short(value: Any) -> str:
    """Return the value as JSON; a text in parentheses, which stands for no value, as it is."""
    text = value if isinstance(value, str) and value.startswith("(") else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + f"… ({len(text)} characters)"


def _request(request: Mapping[str, Any], before: Mapping[str, Any], *, called_back: bool) -> Iterator[str]:
    if called_back:
        yield f"  → {request['action']} again, with that model and callbackContext"
        return
    yield f"  → {request['action']}"
    for name, value in request.items():
        if name == "token":
            yield _member(name, "the same" if value == before.get(name) else str(value))
        elif name != "action":
            yield _member(name, short(value))


def is_callback(request: Mapping[str, Any], before: Mapping[str, Any], answer: Any) -> bool:
    """Return whether the request is the one before, called back with what its answer gave and nothing else."""
    if not isinstance(answer, dict) or answer.get("status") != "IN_PROGRESS" or "callbackContext" not in request:
        return False
    given = {"desired": answer.get("resourceModel"), "callbackContext": answer.get("callbackContext")}
    return request == {**before, **{name: value for name, value in given.items() if value is not None}}


def _calls(lines: Sequence[str]) -> Iterator[str]:
    for line in lines[:_MOST_CALLS]:
        yield f"    > {line}"
    if len(lines) > _MOST_CALLS:
        yield f"    > and {len(lines) - _MOST_CALLS:,} more calls"


def _answer(exchange: Exchange, answer: Any) -> Iterator[str]:
    time = f"({exchange.answer.seconds * 1000:.0f} ms)"
    if not isinstance(answer, dict):
        yield f"  ← {short(answer)}  {time}"
        return
    said = "hookStatus" if "hookStatus" in answer else "status"
    status = answer.get(said)
    yield f"  ← {status if isinstance(status, str) else 'no status'}  {time}"
    for name, value in answer.items():
        shown_already = name == said and isinstance(status, str)
        if not shown_already and not (name in _SILENT and value == _SILENT[name]):
            yield _member(name, short(value))


def _member(name: str, text: str) -> str:
    return f"      {name}: {text}"


def _wrapped(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent="        ", break_long_words=False, break_on_hyphens=False)
