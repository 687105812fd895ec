"""TypeScript source text from arbitrary texts."""

import json
import re
import textwrap

_WIDTH = 116
_SIMPLE = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def literal(text: str) -> str:
    """Return a string literal of an arbitrary `text`."""
    escaped = json.dumps(text)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{escaped}'"


def member(name: str) -> str:
    """Return `name` as the name of a property in a type, quoted only where the grammar requires it."""
    return name if _SIMPLE.fullmatch(name) else literal(name)


def key(name: str) -> str:
    """Return `name` as the name of a property in an object literal, where a bare `__proto__` sets the prototype."""
    return f"['{name}']" if name == "__proto__" else member(name)


def comment(text: str, indent: str = "") -> list[str]:
    """Return the lines of a documentation comment with `text`; none for an empty one."""
    paragraphs = [" ".join(_printable(each).split()) for each in text.splitlines()]
    width = _WIDTH - len(indent)
    lines = [line for each in paragraphs for line in (textwrap.wrap(each, width, break_long_words=False) or [""])]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    if not lines:
        return []
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {each}".rstrip() for each in lines), f"{indent} */"]


def line_comment(text: str) -> str:
    """Return `text` on one line, printable, for a `//` comment."""
    return "".join(each if each.isprintable() else " " for each in text)


def _printable(text: str) -> str:
    shown = "".join(each if each.isprintable() else " " for each in text)
    return shown.replace("*/", "*\\/").replace("/*", "/ *")
