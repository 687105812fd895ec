"""`#` comments in JSON files, as the user guide's examples of `overrides.json` have them.

Comments become spaces, so that every line and column stays where it was.
"""

import re

# A string, or a comment up to the end of its line. The guide's examples wrap a comment onto the next line without
# another "#"; a line that starts like no JSON token can only be that.
_STRING_OR_COMMENT = re.compile(
    r"""
    "(?:[^"\\\n]|\\.)*"
    | (?P<comment>
        \#[^\n]*
        (?:\n[ \t]*(?!true\b|false\b|null\b|NaN\b|Infinity\b)[A-Za-z][^\n]*)*
    )
    """,
    re.VERBOSE,
)
_VISIBLE = re.compile(r"[^\r\n]")


def blank_comments(text: str) -> str:
    """`text` with every `#` comment outside a string replaced by as many spaces."""
    if "#" not in text:
        return text

    def blanked(found: re.Match[str]) -> str:
        return found.group() if found["comment"] is None else _VISIBLE.sub(" ", found.group())

    return _STRING_OR_COMMENT.sub(blanked, text)
