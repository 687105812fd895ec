"""Types of the model as Java types."""

from typing import assert_never

from formwork.model import AnyType, ListType, MapType, ModelType, Scalar, ScalarType, SetType, Type, UnionType

_INT = 2**31


def java_type(of: Type, schema: object = None, *, package: str = "") -> str:  # noqa: PLR0911 - one a type
    """Return the type of a field, such as `List<Tag>`.

    Args:
        of: the property's type.
        schema: the property's JSON schema, for the limits of an integer.
        package: the package of models, for those that need their full names.
    """
    match of:
        case ScalarType(Scalar.INTEGER, form):
            return "Long" if form == "int64" or (form is None and _is_wide(schema)) else "Integer"
        case ScalarType(scalar):
            return {Scalar.STRING: "String", Scalar.NUMBER: "Double", Scalar.BOOLEAN: "Boolean"}[scalar]
        case ModelType(name):
            # In a class with a builder, `FooBuilder` would be that builder.
            return f"{package}.{name}" if name.endswith("Builder") else name
        case ListType(item):
            return f"List<{java_type(item, _part(schema, 'items'), package=package)}>"
        case SetType(item):
            return f"Set<{java_type(item, _part(schema, 'items'), package=package)}>"
        case MapType(value):
            return f"Map<String, {java_type(value, package=package)}>"
        case UnionType() | AnyType():
            # Only the handler knows which of several types a value has.
            return "Object"
        case _:
            assert_never(of)


def _part(schema: object, keyword: str) -> object:
    return schema.get(keyword) if isinstance(schema, dict) else None


def _is_wide(schema: object) -> bool:
    """Return whether the schema's limits allow values that do not fit an int."""
    limits = [_part(schema, each) for each in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")]
    return any(isinstance(each, int | float) and not -_INT <= each < _INT for each in limits)
