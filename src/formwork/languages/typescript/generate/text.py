"""TypeScript source text from texts that others wrote."""

import json
import re
import textwrap

_WIDTH = 116
_SIMPLE = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def literal(text: str) -> str:
    """`text` as a string literal, whatever it contains."""
    escaped = json.dumps(text)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{escaped}'"


def member(name: str) -> str:
    """`name` as the name of a property in a type: bare where the grammar allows it."""
    return name if _SIMPLE.fullmatch(name) else literal(name)


def key(name: str) -> str:
    """`name` as the name of a property in an object literal, where `__proto__` would mean something else."""
    return f"['{name}']" if name == "__proto__" else member(name)


def comment(text: str, indent: str = "") -> list[str]:
    """The lines of a documentation comment that holds `text`; none for an empty one."""
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
    """`text` on one line, printable, for a `//` comment."""
    return "".join(each if each.isprintable() else " " for each in text)


def _printable(text: str) -> str:
    shown = "".join(each if each.isprintable() else " " for each in text)
    return shown.replace("*/", "*\\/").replace("/*", "/ *")
