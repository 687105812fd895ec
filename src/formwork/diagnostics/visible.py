"""Safe output of foreign text on a terminal: control characters and characters that reorder text are escaped.

What a handler prints, a status reason or a name in a template can hold escape sequences: they recolour and overwrite
lines, change the window's title, or write to the clipboard.
"""

# C0 controls but the line feed, DEL, C1 controls (U+009B begins a sequence like ESC [), other line separators, and the
# marks that change the direction of writing. Tables of `str.translate`: such classes take `re` 0.5 ms to compile.
_UNSEEN = (
    *(*range(0x0A), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x2028, 0x2029),
    *(0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)),
)
_BLANKS = dict.fromkeys(_UNSEEN, " ")
_ESCAPES = {number: f"\\x{number:02x}" if number < 0x7F else f"\\u{number:04x}" for number in _UNSEEN}
del _ESCAPES[ord("\t")]


class TerminalText(str):
    """A text that is ready for a terminal: what comes from others is visible, and escape sequences in it are ours."""

    __slots__ = ()


def visible(text: str) -> str:
    r"""Return the text with `\x1b` for an escape character and the like; a `TerminalText` as it is.

    Beyond ASCII it is `\u009b`, so that a JSON text stays one.
    """
    if text.isprintable() or isinstance(text, TerminalText):
        return text
    return "\r\n".join(each.translate(_ESCAPES) for each in text.split("\r\n"))


def painted(text: str, code: str, *, colour: bool) -> TerminalText:
    """Return the text, visible, in the colour of a SGR code where `colour` is wanted."""
    shown = visible(text)
    return TerminalText(f"\x1b[{code}m{shown}\x1b[0m" if colour else shown)


def in_columns(text: str) -> str:
    """Return the text with a space for each tab and each character that `visible` escapes, so that columns stay."""
    return text if text.isprintable() else text.translate(_BLANKS)
