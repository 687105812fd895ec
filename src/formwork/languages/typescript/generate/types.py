"""The TypeScript types of a model's properties: the annotation, and the handler library's shape that reads JSON."""

from typing import assert_never

from formwork.model import AnyType, ListType, MapType, ModelType, Scalar, ScalarType, SetType, Type, UnionType

_SCALARS = {
    Scalar.STRING: "string",
    Scalar.INTEGER: "number",
    Scalar.NUMBER: "number",
    Scalar.BOOLEAN: "boolean",
}
_READING_ORDER = (Scalar.BOOLEAN, Scalar.INTEGER, Scalar.NUMBER)


def annotation(of: Type) -> str:
    """Return the type, such as `Tag[]`."""
    match of:
        case ScalarType(scalar):
            return _SCALARS[scalar]
        case ModelType(name):
            return name
        case ListType(item) | SetType(item):
            inner = annotation(item)
            return f"({inner})[]" if " | " in inner and not inner.startswith("{") else f"{inner}[]"
        case MapType(value):
            return f"{{ [key: string]: {annotation(value)} }}"
        case UnionType():
            scalars = scalars_of(of)
            # A union with objects stays plain JSON: only the handler knows which type a value has.
            return " | ".join(dict.fromkeys(_SCALARS[each] for each in scalars)) if scalars else "unknown"
        case AnyType():
            return "unknown"
        case _:
            assert_never(of)


def shape(of: Type) -> str:  # noqa: PLR0911 - one a type
    """Return the expression that reads the type from JSON, such as `shapes.arrayOf(Tag)`."""
    match of:
        case ScalarType(scalar):
            return f"shapes.{scalar}"
        case ModelType(name):
            return name
        case ListType(item):
            return f"shapes.arrayOf({shape(item)})"
        case SetType(item):
            return f"shapes.setOf({shape(item)})"
        case MapType(value):
            return f"shapes.mapOf({shape(value)})"
        case UnionType():
            scalars = scalars_of(of)
            if not scalars or Scalar.STRING in scalars:
                return "shapes.anything"
            # The order of attempts: "true" can only be a boolean; "5" is tried as an integer before a number.
            chosen = ", ".join(f"shapes.{each}" for each in _READING_ORDER if each in scalars)
            return f"shapes.either<{annotation(of)}>({chosen})"
        case AnyType():
            return "shapes.anything"
        case _:
            assert_never(of)


def scalars_of(union: UnionType) -> list[Scalar]:
    """Return the scalars of a union that has nothing else, [] for another."""
    found = [each.scalar for each in union.alternatives if isinstance(each, ScalarType)]
    return list(dict.fromkeys(found)) if len(found) == len(union.alternatives) else []
