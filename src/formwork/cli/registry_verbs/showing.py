"""Answers of a registry for people and for programs: aligned columns, or JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from formwork.command_context.output import CommandOutput

_WIDEST = 60


def show_json(value: Any, output: CommandOutput) -> None:
    """An answer as JSON; times in ISO 8601."""
    output.result(json.dumps(value, indent=2, ensure_ascii=False, default=_plain))


def show_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], output: CommandOutput, *, empty: str) -> None:
    """Rows below their heads, in columns; `empty` says to stderr that there are none."""
    texts = [[_cell(each) for each in row] for row in rows]
    if not texts:
        output.say(empty)
        return
    widths = [max(len(row[at]) for row in [list(heads), *texts]) for at in range(len(heads))]
    for row in [list(heads), *texts]:
        output.result("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def show_members(answer: Mapping[str, Any], output: CommandOutput) -> None:
    """The members of an answer, one a line; deeper ones as JSON, those without a value not at all."""
    shown = {
        name: each for name, each in answer.items() if name != "ResponseMetadata" and each not in (None, "", [], {})
    }
    width = max((len(name) for name in shown), default=0)
    for name, each in shown.items():
        output.result(f"{name.ljust(width)}  {_member(each)}")


def without_metadata(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer without botocore's `ResponseMetadata`."""
    return {name: each for name, each in answer.items() if name != "ResponseMetadata"}


def _member(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain) if isinstance(value, (list, dict)) else _plain(value)


def _cell(value: Any) -> str:
    text = " ".join(_plain("" if value is None else value).split())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _plain(value: Any) -> str:
    match value:
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M:%S")
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
