"""The Go types of a model's properties.

A property that may be absent is a pointer, a slice, a map or an interface, and nil if it is absent: `[]`, `{}`, 0, ""
and false are values. With AWS's runtime, which lacks Formwork's types, sets are slices and unions interfaces.
"""

from functools import reduce
from typing import assert_never

from formwork.languages.go.generate.naming import type_name
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

_SCALARS = {Scalar.STRING: "string", Scalar.INTEGER: "int", Scalar.NUMBER: "float64", Scalar.BOOLEAN: "bool"}
# The order of attempts: "true" can only be a boolean; "5" is tried as an integer before a number.
_READING_ORDER = (Scalar.BOOLEAN, Scalar.INTEGER, Scalar.NUMBER)


def property_type(of: Type, *, aws_runtime: bool = False) -> str:
    """Return the type of a field, such as `*string` or `cfn.Set[Tag]`."""
    held = item_type(of, aws_runtime=aws_runtime)
    return held if held.startswith(("[]", "map[", "cfn.Set[")) or held in ("any", "interface{}") else f"*{held}"


def item_type(of: Type, *, aws_runtime: bool = False) -> str:
    """Return the type of a value that can't be absent, such as an item of a list."""
    match of:
        case ScalarType(scalar):
            return _SCALARS[scalar]
        case ModelType(name):
            return type_name(name)
        case ListType(item):
            return f"[]{item_type(item, aws_runtime=aws_runtime)}"
        case SetType(item):
            held = item_type(item, aws_runtime=aws_runtime)
            return f"[]{held}" if aws_runtime else f"cfn.Set[{held}]"
        case MapType(value):
            return f"map[string]{item_type(value, aws_runtime=aws_runtime)}"
        case UnionType() | AnyType():
            return "interface{}" if aws_runtime else _union(of)
        case _:
            assert_never(of)


def _union(of: UnionType | AnyType) -> str:
    """Return `cfn.Either` for scalars other than strings, else raw JSON: only handlers know which type a value has."""
    alternatives = of.alternatives if isinstance(of, UnionType) else ()
    scalars = {each.scalar for each in alternatives if isinstance(each, ScalarType)}
    if Scalar.STRING in scalars or not alternatives or not all(isinstance(each, ScalarType) for each in alternatives):
        return "any"
    names = [_SCALARS[each] for each in _READING_ORDER if each in scalars]
    return reduce(lambda rest, first: f"cfn.Either[{first}, {rest}]", reversed(names))
