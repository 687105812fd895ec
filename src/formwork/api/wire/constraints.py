"""The constraints of the service model on a request: what is required, lengths, ranges, patterns, enumerations.

The texts are AWS's own, which clients and people look for.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from formwork.api.wire.errors import ApiError, validation_error

if TYPE_CHECKING:
    import regex
    from botocore.model import OperationModel

_MAX_SHOWN = 1000


def check_constraints(operation: "OperationModel", request: Mapping[str, Any]) -> None:
    """Refuse a request that breaks the model's constraints, with all of them in one message.

    Raises:
        ApiError: ValidationError `N validation errors detected: …`.
    """
    shape = operation.input_shape
    found = list(_structure(shape, request, "")) if shape is not None else []
    if found:
        count = f"{len(found)} validation error{'' if len(found) == 1 else 's'} detected: "
        raise ApiError(validation_error("").code, count + "; ".join(found))


def _structure(shape: Any, value: Mapping[str, Any], path: str) -> Iterator[str]:
    for name, member in shape.members.items():
        at = _join(path, name)
        if value.get(name) is None:
            if name in shape.required_members:
                yield _failed(None, at, "must not be null")
        else:
            yield from _value(member, value[name], at)


def _join(path: str, name: str) -> str:
    # AWS names members in lower camel case there, whatever the wire calls them.
    lowered = name[:1].lower() + name[1:]
    return f"{path}.{lowered}" if path else lowered


def _failed(value: Any, at: str, constraint: str) -> str:
    shown = "null" if value is None else f"'{value}'"
    if len(shown) > _MAX_SHOWN:
        shown = shown[:_MAX_SHOWN] + "…'"
    return f"Value {shown} at '{at}' failed to satisfy constraint: Member {constraint}"


def _value(shape: Any, value: Any, at: str) -> Iterator[str]:
    match shape.type_name:
        case "structure":
            yield from _structure(shape, value, at)
        case "list":
            yield from _length(shape, value, at, len(value))
            for index, each in enumerate(value, 1):
                yield from _value(shape.member, each, f"{at}.{index}.member")
        case "map":
            yield from _length(shape, value, at, len(value))
            for each in value.values():
                yield from _value(shape.value, each, at)
        case "string":
            yield from _text(shape, value, at)
        case "integer" | "long" | "float" | "double":
            yield from _range(shape, value, at)
        case _:
            return


# The id of AWS's own publisher of hooks is documented, and not in the model's pattern.
_PUBLISHERS = "[0-9a-zA-Z]{12,40}"


def _text(shape: Any, value: str, at: str) -> Iterator[str]:
    allowed = shape.metadata.get("enum")
    if allowed and value not in allowed:
        yield _failed(value, at, f"must satisfy enum value set: [{', '.join(allowed)}]")
        return
    yield from _length(shape, value, at, len(value))
    pattern = shape.metadata.get("pattern")
    if pattern and _compiled(pattern).fullmatch(value) is None:
        yield _failed(value, at, f"must satisfy regular expression pattern: {pattern}")


def _compiled(pattern: str) -> "regex.Pattern[str]":
    import regex  # noqa: PLC0415 - 7 ms of a server's start, for requests only

    pattern = pattern.replace(_PUBLISHERS, f"(?:{_PUBLISHERS}|aws-hooks)")
    return regex.compile(pattern)  # knows \p{L}, as the models' Java does; keeps its own cache


def _length(shape: Any, value: Any, at: str, length: int) -> Iterator[str]:
    least, most = shape.metadata.get("min"), shape.metadata.get("max")
    if least is not None and length < least:
        yield _failed(value, at, f"must have length greater than or equal to {least}")
    if most is not None and length > most:
        yield _failed(value, at, f"must have length less than or equal to {most}")


def _range(shape: Any, value: float, at: str) -> Iterator[str]:
    least, most = shape.metadata.get("min"), shape.metadata.get("max")
    if least is not None and value < least:
        yield _failed(value, at, f"must have value greater than or equal to {least}")
    if most is not None and value > most:
        yield _failed(value, at, f"must have value less than or equal to {most}")
