"""How the types of a model read in Go.

A property that may be absent is a pointer, a slice, a map or an interface, and nil where it is: `[]`, `{}`, 0, "" and
false are values. With AWS's runtime, which knows none of ours, sets are slices and unions interfaces.
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
# "true" fits nothing but a boolean, and "5" an integer before a number.
_READING_ORDER = (Scalar.BOOLEAN, Scalar.INTEGER, Scalar.NUMBER)


def property_type(of: Type, *, aws_runtime: bool = False) -> str:
    """The type of a field, such as `*string` or `cfn.Set[Tag]`."""
    held = item_type(of, aws_runtime=aws_runtime)
    return held if held.startswith(("[]", "map[", "cfn.Set[")) or held in ("any", "interface{}") else f"*{held}"


def item_type(of: Type, *, aws_runtime: bool = False) -> str:
    """The type of a value that is there, such as an item of a list."""
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
    """`cfn.Either` for scalars without string; a union with others stays raw JSON: only handlers can know it."""
    alternatives = of.alternatives if isinstance(of, UnionType) else ()
    scalars = {each.scalar for each in alternatives if isinstance(each, ScalarType)}
    if Scalar.STRING in scalars or not alternatives or not all(isinstance(each, ScalarType) for each in alternatives):
        return "any"
    names = [_SCALARS[each] for each in _READING_ORDER if each in scalars]
    return reduce(lambda rest, first: f"cfn.Either[{first}, {rest}]", reversed(names))
