"""Python source text from arbitrary texts."""

WIDTH = 112


def docstring(text: str, indent: str) -> list[str]:
    """Return the lines of a docstring with an arbitrary `text`, indented, wrapped and escaped."""
    paragraphs = [" ".join(each.split()) for each in text.splitlines()]
    lines: list[str] = []
    for paragraph in paragraphs:
        if not paragraph and (not lines or not lines[-1]):
            continue
        escaped = _escape(paragraph)
        lines.extend([escaped] if len(escaped) <= WIDTH - len(indent) else _wrap(escaped, WIDTH - len(indent)))
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) <= 1:
        return [f'{indent}"""{"".join(lines)}"""']
    return [f'{indent}"""{lines[0]}', *(indent + each if each else "" for each in lines[1:]), f'{indent}"""']


def literal(text: str) -> str:
    """Return a string literal of `text` in ASCII."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{"".join(each if " " <= each <= "~" else _code_point(each) for each in escaped)}"'


def _wrap(text: str, width: int) -> list[str]:
    import textwrap  # noqa: PLC0415 - most descriptions are short

    return textwrap.wrap(text, width, break_long_words=False)


def comment_text(text: str) -> str:
    """Return `text` on one line, printable, for a comment."""
    return "".join(each if each.isprintable() else " " for each in text)


def _escape(text: str) -> str:
    # A quote before the closing ones, a backslash, and characters that editors hide or reorder.
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if not escaped.isprintable():
        escaped = "".join(each if each.isprintable() else _code_point(each) for each in escaped)
    return f'{escaped[:-1]}\\"' if escaped.endswith('"') and not escaped.endswith('\\"') else escaped


def _code_point(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
