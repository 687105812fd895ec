"""The Python types of a model's properties: the annotation, and the handler library's shape that reads the JSON.

Enumerations are `Literal`s: only annotations change. `StrEnum` would need Python 3.11 and change the values that
existing handlers compare.
"""

import re
from typing import assert_never

from formwork.languages.python.generate.text import literal
from formwork.model import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    Scalar,
    ScalarType,
    SetType,
    Type,
    UnionType,
)

_SCALARS = {Scalar.STRING: "str", Scalar.INTEGER: "int", Scalar.NUMBER: "float", Scalar.BOOLEAN: "bool"}

# The values of a Literal may contain names.
_TEXTS = re.compile(r'"(?:\\.|[^"\\])*"')
_READING_ORDER = (Scalar.BOOLEAN, Scalar.INTEGER, Scalar.NUMBER)


def annotation(of: Type) -> str:  # noqa: PLR0911 - one a type
    """Return the annotation without Optional, such as `Sequence[Tag]`."""
    match of:
        case ScalarType(scalar) if of.values:
            listed = (literal(each) if isinstance(each, str) else str(each) for each in of.values)
            return f"Literal[{', '.join(listed)}]"
        case ScalarType(scalar):
            return _SCALARS[scalar]
        case ModelType(name):
            return name
        case ListType(item):
            return f"Sequence[{annotation(item)}]"
        case SetType(item):
            return f"AbstractSet[{annotation(item)}]"
        case MapType(value):
            return f"MutableMapping[str, {annotation(value)}]"
        case UnionType():
            scalars = _scalars_of(of)
            # A union with objects stays raw JSON: only the handler knows which type a value has.
            return f"Union[{', '.join(_SCALARS[each] for each in scalars)}]" if scalars else "Any"
        case AnyType():
            return "Any"
        case _:
            assert_never(of)


def shape(of: Type) -> str:  # noqa: PLR0911 - one a type
    """Return the expression that reads the type from JSON, such as `shapes.array_of(shapes.model(Tag))`."""
    match of:
        case ScalarType(scalar):
            return f"shapes.{scalar}"
        case ModelType(name):
            return f"shapes.model({name})"
        case ListType(item):
            return f"shapes.array_of({shape(item)})"
        case SetType(item):
            return f"shapes.set_of({shape(item)})"
        case MapType(value):
            return f"shapes.map_of({shape(value)})"
        case UnionType():
            scalars = _scalars_of(of)
            if not scalars or Scalar.STRING in scalars:
                return "shapes.anything"
            # The order of attempts: "true" can only be a boolean; "5" is tried as an integer before a number.
            return f"shapes.either({', '.join(f'shapes.{each}' for each in _READING_ORDER if each in scalars)})"
        case AnyType():
            return "shapes.anything"
        case _:
            assert_never(of)


def names_in(text: str) -> set[str]:
    """Return the names from `typing` in an annotation."""
    known = ("AbstractSet", "Any", "Literal", "MutableMapping", "Optional", "Sequence", "Union")
    plain = _TEXTS.sub("", text)
    words = set(plain.replace("[", " ").replace("]", " ").replace(",", " ").split())
    return words.intersection(known)


def _scalars_of(union: UnionType) -> list[Scalar]:
    """Return the scalars of a union that has nothing else, [] for another."""
    found = [each.scalar for each in union.alternatives if isinstance(each, ScalarType)]
    return list(dict.fromkeys(found)) if len(found) == len(union.alternatives) else []
