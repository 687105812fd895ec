# Copied by `cfn generate` from Formwork's handler library; changes are lost.
"""How JSON is read into typed Python values: one reader a shape, combined by the generated `models.py`.

A shape is a function from a JSON value to the typed value. CloudFormation sends every scalar as a string ("true",
"5"), the contract tests send typed values; both are read. A value that fits neither raises `Misfit`, which carries the
path inside the model and never the value itself: it may be a secret.

    string, integer, number, boolean      scalars
    either(S, ...)                        a union of scalars without string
    anything                              other unions and untyped values, passed through untouched
    array_of(S), set_of(S), map_of(S)     containers; sets are `ValueSet`s
    model(M)                              a nested BaseModel

An explicit null is read as None wherever it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .values import ValueSet

if TYPE_CHECKING:
    from .model import BaseModel

T = TypeVar("T")
M = TypeVar("M", bound="BaseModel")

Shape = Callable[[Any], T]
Fields = Mapping[str, Shape[Any]]


class Misfit(Exception):
    """A value that its declared type cannot hold; `path` is completed on the way out of the containers."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path: list[str | int] = []

    def __str__(self) -> str:
        return f"{self.reason} at {self.pointer}" if self.path else self.reason

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer relative to the model, such as `/Tags/0/Key`."""
        return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in self.path)


def string(value: Any) -> str | None:
    """Read a string; a typed scalar becomes the text CloudFormation would send for it (`true`, `5`)."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    raise _misfit("a string", value)


def integer(value: Any) -> int | None:
    """Read an integer; `"5"`, `5.0` and `"5.0"` are 5, and a value with a fraction is refused rather than cut."""
    if value is None or type(value) is int:
        return value
    if isinstance(value, bool):
        raise _misfit("an integer", value)
    if isinstance(value, str):
        try:
            return int(_numeral(value, "an integer"))
        except ValueError:
            pass  # "5.0" is an integer too
    as_number = _to_float(value, "an integer")
    if not as_number.is_integer():
        raise Misfit("expected an integer, found a number with a fraction")
    return int(as_number)


def number(value: Any) -> float | None:
    """Read a number as float; an integer beyond float's exact range stays an int so that no digit is lost."""
    if value is None or isinstance(value, float):
        return value
    as_float = _to_float(value, "a number")
    if abs(as_float) > 2**53:
        try:
            return int(value)
        except ValueError:
            pass  # "1e300" has no shorter exact form
    return as_float


def boolean(value: Any) -> bool | None:
    """Read a boolean; `"true"` and `"false"` in any case count."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        lowered = value.lower()
        if lowered in ("true", "false"):
            return lowered == "true"
        raise Misfit('expected a boolean, found a string that is neither "true" nor "false"')
    raise _misfit("a boolean", value)


def either(*scalars: Shape[Any]) -> Shape[Any]:
    """Read a scalar of one of several types, none of them string: as the first that it fits."""

    def read(value: Any) -> Any:
        for scalar in scalars:
            try:
                return scalar(value)
            except Misfit:  # noqa: PERF203 - a union has two or three members
                continue
        raise Misfit("expected a value of one of the declared types")

    return read


def anything(value: Any) -> Any:
    """Pass a value of a union or of no declared type through untouched, strings included."""
    return value


def array_of(items: Shape[T]) -> Shape[Sequence[T] | None]:
    """Read an array whose items have one shape."""

    def read(value: Any) -> list[T] | None:
        return None if value is None else _read_items(value, items)

    return read


def set_of(items: Shape[T]) -> Shape[ValueSet[T] | None]:
    """Read an array with `uniqueItems: true` and `insertionOrder: false`; equal items are kept once."""

    def read(value: Any) -> ValueSet[T] | None:
        return None if value is None else ValueSet(_read_items(value, items))

    return read


def map_of(values: Shape[T]) -> Shape[dict[str, T] | None]:
    """Read an object with free keys (`patternProperties`, `additionalProperties`) whose values have one shape."""

    def read(value: Any) -> dict[str, T] | None:
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise _misfit("an object", value)
        return {key: read_at(key, item, values) for key, item in value.items()}

    return read


def model(cls: type[M]) -> Shape[M | None]:
    """Read a nested model; `{}` is an empty model, not an absent one."""
    return cls._read


def read_at(step: str | int, value: Any, shape: Shape[T]) -> T:
    """Read one member of a container, adding its place to a misfit's path."""
    try:
        return shape(value)
    except Misfit as misfit:
        misfit.path.insert(0, step)
        raise


def expect_object(value: Any) -> Mapping[str, Any]:
    """The value if it is a JSON object; Misfit otherwise."""
    if not isinstance(value, Mapping):
        raise _misfit("an object", value)
    return value


def refuse_unknown(_value: Any) -> Any:
    """The shape of a property that the schema does not declare."""
    raise Misfit("unknown property")


def _read_items(value: Any, items: Shape[T]) -> list[T]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, (Sequence, ValueSet)):
        raise _misfit("an array", value)
    return [read_at(index, item, items) for index, item in enumerate(value)]


def _to_float(value: Any, expected: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _misfit(expected, value)
    try:
        result = float(_numeral(value, expected) if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        raise _misfit(expected, value) from None
    if result - result != 0:
        raise Misfit(f"expected {expected}, found one that JSON cannot write")
    return result


def _numeral(text: str, expected: str) -> str:
    """The text if Python's extras (`1_000`, ` 5 `, Arabic digits) do not make it a number that JSON would not."""
    if not text.isascii() or "_" in text or text != text.strip():
        raise _misfit(expected, text)
    return text


def _misfit(expected: str, value: object) -> Misfit:
    return Misfit(f"expected {expected}, found {_kind(value)}")


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, Mapping):
        return "an object"
    return "an array" if isinstance(value, (list, tuple)) else type(value).__name__
