"""Safe output of foreign text on a terminal: control characters and characters that reorder text are escaped.

What a handler prints, a status reason or a name in a template can hold escape sequences: they recolour and overwrite
lines, change the window's title, or write to the clipboard.
"""

import re

# C0 controls but tab and line breaks, DEL, C1 controls (U+009B begins a sequence like ESC [), other line separators,
# and the marks that change the direction of writing.
_UNSEEN = re.compile(
    r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


class TerminalText(str):
    """A text that is ready for a terminal: what comes from others is visible, and escape sequences in it are ours."""

    __slots__ = ()


def visible(text: str) -> str:
    r"""Return the text with `\x1b` for an escape character and the like; a `TerminalText` as it is.

    Beyond ASCII it is `\u009b`, so that a JSON text stays one.
    """
    if text.isprintable() or isinstance(text, TerminalText):
        return text
    return _UNSEEN.sub(_escaped, text)


def painted(text: str, code: str, *, colour: bool) -> TerminalText:
    """Return the text, visible, in the colour of a SGR code where `colour` is wanted."""
    shown = visible(text)
    return TerminalText(f"\x1b[{code}m{shown}\x1b[0m" if colour else shown)


def _escaped(found: re.Match[str]) -> str:
    number = ord(found.group())
    return f"\\x{number:02x}" if number < 0x7F else f"\\u{number:04x}"
