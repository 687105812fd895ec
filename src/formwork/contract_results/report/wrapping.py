"""Long lines of a report, wrapped."""

import textwrap


def wrapped(text: str, width: int, indent: str = "          ") -> list[str]:
    """`text` in lines of at most `width` columns: the first indented by two, the others by `indent`."""
    return textwrap.wrap(text, width, initial_indent="  ", subsequent_indent=indent, break_on_hyphens=False)
