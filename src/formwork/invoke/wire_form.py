"""Properties as CloudFormation sends them: every boolean and number as a text.

Source: AWS's handler libraries for Python, TypeScript and Go, each of which makes them the declared types again; see
docs/decisions/1281-booleans-and-numbers-of-properties-are-sent-as-texts.md.
"""

from typing import Any

from formwork.documents.scalar_text import as_text


def as_wire(value: Any) -> Any:
    """Return a copy of a JSON value with its booleans and numbers as texts; null stays null."""
    match value:
        case dict():
            return {name: as_wire(each) for name, each in value.items()}
        case list():
            return [as_wire(each) for each in value]
        case _:
            return value if (text := as_text(value)) is None else text
