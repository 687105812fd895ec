"""The English of a file: strings and comments of programs, paragraphs of pages."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of English and the line of the file on which it begins."""

    line: int
    text: str


def texts(path: Path) -> Iterator[Text]:
    """Yield what `path` says in English; Python and Markdown are parsed, other files are read as they are."""
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _strings(content)
        yield from _comments(content)
    elif path.suffix == ".md":
        yield Text(1, _without_code(content))
    else:
        yield Text(1, content)


def _strings(source: str) -> Iterator[Text]:
    parts: set[int] = set()  # constants inside an f-string, which is read as a whole
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts.update(map(id, node.values))
            values = (value.value if isinstance(value, ast.Constant) else "{}" for value in node.values)
            yield Text(node.lineno, "".join(map(str, values)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield Text(node.lineno, node.value)


def _comments(source: str) -> Iterator[Text]:
    """Yield comments, those of consecutive lines as one text."""
    first, lines = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if lines and token.start[0] != first + len(lines):
            yield Text(first, "\n".join(lines))
            lines = []
        if not lines:
            first = token.start[0]
        lines.append(token.string)
    if lines:
        yield Text(first, "\n".join(lines))


def _without_code(page: str) -> str:
    """Return a page with its code replaced by blanks, so that offsets and lines stay."""
    blank = re.compile(r"[^\n]")
    fenced = re.sub(r"^( *)```.*?^\1```", lambda code: blank.sub(" ", code[0]), page, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`]+`", lambda code: blank.sub("x", code[0]), fenced)
