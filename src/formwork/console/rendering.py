"""Templates to HTML: everything is escaped, and a name that a page does not have is an error."""

import functools
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from formwork import __version__
from formwork.console.views.statuses import status_kind

_FOLDER = Path(__file__).parent / "templates"
_PART = 16 * 1024  # characters: about the first 60 rows of a timeline
_UNITS = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s"))


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "clock": show_clock,
        "day": show_day,
        "iso": show_iso,
        "duration": show_duration,
        "json": show_json,
        "line": lambda value: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False),
        "kind": status_kind,
        "segment": lambda text: quote(str(text), safe=""),
    }
    environment.globals["version"] = __version__
    return environment


def render(template: str, values: Mapping[str, Any]) -> str:
    """Return the HTML of a template with these values."""
    return str(_environment().get_template(template).render(values))


def render_parts(template: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the HTML of a template in parts, so that a browser paints the first rows while the others are made."""
    part: list[str] = []
    size = 0
    for piece in _environment().get_template(template).generate(values):
        part.append(piece)
        size += len(piece)
        if size >= _PART:
            yield "".join(part)
            part.clear()
            size = 0
    yield "".join(part)


def show_clock(moment: float | datetime | None) -> str:
    """Return the time of day, in the time zone of this machine, which is that of the browser."""
    return "" if moment is None else f"{_local(moment):%H:%M:%S}"


def show_day(moment: float | datetime | None) -> str:
    """Return the date and the time of day."""
    return "" if moment is None else f"{_local(moment):%Y-%m-%d %H:%M:%S}"


def show_iso(moment: float | datetime | None) -> str:
    """Return a time for the attribute `datetime`."""
    return "" if moment is None else _local(moment).astimezone(UTC).isoformat(timespec="milliseconds")


def show_duration(seconds: float | None) -> str:
    """Return a duration with its unit."""
    if seconds is None:
        return ""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    for size, unit, smaller, smaller_unit in _UNITS:
        if seconds >= size:
            whole, rest = divmod(int(seconds), size)
            return f"{whole} {unit} {rest // smaller} {smaller_unit}"
    raise AssertionError(seconds)


def show_json(value: Any) -> str:
    """Return a JSON value, or a JSON text, indented; a text that is not JSON as it is."""
    if isinstance(value, str):
        text: str = value
        try:
            value = json.loads(text)
        except ValueError:
            return text
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def _local(moment: float | datetime) -> datetime:
    if isinstance(moment, datetime):
        return moment.astimezone()
    return datetime.fromtimestamp(moment, UTC).astimezone()
