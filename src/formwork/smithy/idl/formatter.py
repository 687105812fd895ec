"""The formatter: a file's statements, members and comments, laid out one way.

Lines of at most 120 characters where brackets can be broken, four blanks a level, an empty line between statements,
sorted `use` statements and none unused, text blocks indented as what they stand in, comments on lines of their own or
beside what they follow. What it cannot be without changing what is said it isn't: documentation comments that document
nothing become comments, and those of an unused `use` go with it. Formatting twice changes nothing.

The reasons are in docs/decisions/0803.
"""

from formwork.smithy.idl.formatting.file import format_file
from formwork.smithy.idl.parser import parse_idl


def format_idl(text: str) -> str:
    """The formatted text of a file; what it means is the same. A text with errors in its syntax comes back as it is."""
    if any(event.breaks_model for event in parse_idl(text, name="").events):
        return text
    return format_file(text)
