"""Patterns that Java refuses, read as their authors mean them.

The guide's own example of a type configuration, `{{resolve:.*:[a-zA-Z0-9_-./]+}}`, has braces that begin no repetition
and a hyphen between characters in the wrong order for a range. The guide says what it means: a dynamic reference alone
fits.
"""

from formwork.patterns.parser import parse_pattern
from formwork.patterns.syntax import PatternError

_MOST_ESCAPES = 100


def escape_literals(text: str) -> str | None:
    """Return `text` with a backslash before each brace and hyphen that Java refuses, None if that is not enough."""
    for _ in range(_MOST_ESCAPES):
        try:
            parse_pattern(text)
        except PatternError as error:
            at = _literal_at(text, error.position)
            if at is None:
                return None
            text = f"{text[:at]}\\{text[at:]}"
        else:
            return text
    return None


def _literal_at(text: str, position: int) -> int | None:
    """Return the position of the brace or hyphen that caused a parse error, or None."""
    if text[position : position + 1] == "{":
        return position
    hyphen = position + 1
    return hyphen if text[hyphen : hyphen + 1] == "-" else None
