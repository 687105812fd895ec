"""Quoted strings and text blocks: lexeme to value, and what is wrong with a lexeme that has none."""

import re

_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|\n|.)", re.DOTALL)
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": ""}
_NEWLINE = re.compile(r"\r\n?")


def string_value(lexeme: str) -> str:
    """Return the value of a STRING lexeme with its quotes."""
    content = lexeme[1:-1]
    if "\\" not in content and "\r" not in content:
        return content
    return _unescape(_NEWLINE.sub("\n", content))


def text_block_value(lexeme: str) -> str:
    """Return the value of a TEXT_BLOCK lexeme with its quotes: common leading blanks and trailing blanks are gone."""
    return _unescape("\n".join(text_block_lines(lexeme)))


def text_block_lines(lexeme: str) -> list[str]:
    """Return the lines of a TEXT_BLOCK lexeme without common leading and trailing blanks, escapes as they are."""
    return _strip_indent(_NEWLINE.sub("\n", lexeme[3:-3]).split("\n")[1:])


def _strip_indent(lines: list[str]) -> list[str]:
    # The last line counts even when blank: the closing quotes show how far the block is indented.
    counted = [line for line in lines[:-1] if line.strip(" \t\f\v")] + lines[-1:]
    indent = min(len(line) - len(line.lstrip(" ")) for line in counted)
    return [line[indent:].rstrip(" ") for line in lines]


def _unescape(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        escape = match[1]
        return chr(int(escape[1:], 16)) if len(escape) > 1 else _SIMPLE[escape]

    value = _ESCAPE.sub(replace, text)
    # Two escapes may be the halves of one character.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _has_surrogates(value) else value


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= each <= "\udfff" for each in text)


def describe_bad_string(lexeme: str) -> str | None:
    """Return why a lexeme that starts with a quote is not a string; None where it is only not closed."""
    block = lexeme.startswith('"""')
    quotes = 3 if block else 1
    content = lexeme[quotes:]
    what = "text block" if block else "quoted string"
    if len(lexeme) < 2 * quotes or not _is_closed(content, '"' * quotes):
        return None
    problem = _first_problem(content[:-quotes], block=block)
    return f"Error parsing {what}: {problem}"


def _is_closed(content: str, quotes: str) -> bool:
    if not content.endswith(quotes):
        return False
    body = content[: -len(quotes)]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 0


def _first_problem(content: str, *, block: bool) -> str:
    if block and not content:
        return "Text block is empty"
    if block and content[0] not in "\r\n":
        return "Text block must start with a new line"
    position = 0
    while position < len(content):
        character = content[position]
        if character == "\\":
            problem = _escape_problem(content, position + 1)
            if problem:
                return problem
            position += 1
        elif character < " " and character not in "\t\n\r":
            return f"Invalid character: `{character}`"
        position += 1
    return "Invalid string"


def _escape_problem(content: str, position: int) -> str | None:
    escape = content[position : position + 1]
    if escape != "u":
        return None if escape in _SIMPLE or escape == "\r" else f"Invalid escape found in string: `\\{escape}`"
    digits = content[position + 1 : position + 5]
    bad = next((each for each in digits if each not in "0123456789abcdefABCDEF"), None)
    if bad is not None:
        return f"Invalid unicode escape character: `{bad}`"
    return None if len(digits) == 4 else "Invalid unclosed unicode escape found in string"
