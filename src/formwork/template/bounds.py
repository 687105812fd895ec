"""How large templates and what is made of them may get: held before anything is built, since references multiply.

Source: CloudFormation user guide, "Understand CloudFormation quotas"; a template obeys them after its macros and
modules too.
"""

from typing import Any

MAX_TEMPLATE_BYTES = 1_000_000
TOO_LARGE = f"Template may not exceed {MAX_TEMPLATE_BYTES} bytes in size."


def is_too_large(value: Any) -> bool:
    """Whether a template's value, written as JSON, is larger than a template may be; numbers count as one character.

    A part that is used in several places counts in each. The walk ends where the bound is passed.
    """
    left = MAX_TEMPLATE_BYTES
    open_parts = [value]
    while open_parts and left >= 0:
        match open_parts.pop():
            case dict() as members:
                left -= 2 + sum(len(key) + 4 for key in members)
                open_parts += members.values()
            case list() as items:
                left -= 2 + len(items)
                open_parts += items
            case str() as text:
                left -= len(text) + 2
            case _:
                left -= 1
    return left < 0
