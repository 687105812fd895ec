"""CloudFormation sends every scalar as a string; this makes them what dataclass models declare.

`models.py` files written by the CloudFormation CLI's Python plugin call `recast_object` on the incoming JSON, in place,
before they build their dataclasses from it. Generated models of this toolkit read through `shapes` and do not need it.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ForwardRef, Union

from .shapes import (
    Misfit,
    Shape,
    anything,
    array_of,
    boolean,
    expect_object,
    integer,
    map_of,
    number,
    read_at,
    refuse_unknown,
    string,
)
from .values import Serializable, canonical

_UNIONS = (Union, getattr(types, "UnionType", Union))  # `X | None` has a type of its own from Python 3.10 to 3.13
_SCALARS: Mapping[Any, Shape[Any]] = {str: string, int: integer, float: number, bool: boolean}


def recast_object(cls: Any, json_data: Mapping[str, Any], classes: Mapping[str, Any]) -> None:
    """Cast the values of `json_data`, in place, to the types that the dataclass `cls` declares.

    `classes` holds the classes that forward references name. Items of a set come out hashable (objects as instances of
    their model class), so that `set(...)` can hold them. Raises exceptions.InvalidRequest for a value that does not fit
    and for an unknown property.
    """
    try:
        _recast(cls, json_data, classes)
    except Misfit as misfit:
        from .exceptions import InvalidRequest  # noqa: PLC0415 - costs nothing until a request is wrong

        raise InvalidRequest(f"{cls.__name__}: {misfit}") from None


def _recast(cls: Any, json_data: Any, classes: Mapping[str, Any]) -> None:
    expect_object(json_data)
    shapes = _SHAPES.get(cls)
    if shapes is None:
        shapes = {name: _shape(annotation, classes) for name, annotation in _annotations(cls).items()}
        _SHAPES[cls] = shapes
    for name, value in json_data.items():
        json_data[name] = read_at(name, value, shapes.get(name, refuse_unknown))


def _annotations(cls: Any) -> Mapping[str, Any]:
    fields = getattr(cls, "__dataclass_fields__", None)
    if fields is not None:
        return {name: field.type for name, field in fields.items()}
    return typing.get_type_hints(cls)


def _shape(annotation: Any, classes: Mapping[str, Any]) -> Shape[Any]:
    """The reader for one annotation, as the generators write them."""
    annotation = _resolve(annotation, classes)
    if annotation in (Any, object):
        return anything
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in _UNIONS:
        members = [member for member in arguments if member is not type(None)]
        return _shape(members[0], classes) if len(members) == 1 else anything
    return _container(origin or annotation, arguments[-1] if arguments else Any, classes)


def _resolve(annotation: Any, classes: Mapping[str, Any]) -> Any:
    """Follow forward references; a whole annotation that is text (postponed evaluation) is evaluated."""
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    if annotation in classes:
        return classes[annotation]
    return eval(annotation, {**vars(typing), **classes})  # noqa: S307 - text of a models.py that runs anyway


def _container(origin: Any, argument: Any, classes: Mapping[str, Any]) -> Shape[Any]:
    if not isinstance(origin, type) or issubclass(origin, Serializable):
        return _model(origin, classes)
    if issubclass(origin, Mapping):
        return map_of(_shape(argument, classes))
    if issubclass(origin, AbstractSet):
        return _set(_resolve(argument, classes), classes)
    return array_of(_shape(argument, classes)) if issubclass(origin, Sequence) else _model(origin, classes)


def _model(cls: Any, classes: Mapping[str, Any]) -> Shape[Any]:
    """Recast a nested object in place and leave it a dict: the dataclass that holds it builds the model.

    That takes whatever is false for absent, so an empty object comes out as one that is not false.
    """

    def read(value: Any) -> Any:
        if value is not None and not isinstance(value, cls):
            _recast(cls, value, classes)
        return PresentObject() if value == {} else value

    return read


def _set(argument: Any, classes: Mapping[str, Any]) -> Shape[Any]:
    """Recast the items and make each hashable: an instance of its model class, or a dict or list with a hash.

    As above, an empty array comes out as one that is not false.
    """
    read_items = array_of(_shape(argument, classes))
    is_model = isinstance(argument, type) and issubclass(argument, Serializable)

    def hashable(item: Any) -> Any:
        if isinstance(item, Mapping):
            return deserialize_object(argument, item) if is_model else HashableObject(item)
        return HashableArray(item) if isinstance(item, list) else item

    def read(value: Any) -> Any:
        items = read_items(value)
        return None if items is None else PresentArray(hashable(item) for item in items)

    return read


def deserialize_object(cls: Any, item: Mapping[str, Any]) -> Any:
    """The model of one object; an empty object gives an empty model, where older generated code gives None."""
    created = cls._deserialize(item)
    if created is not None:
        return created
    return cls(**dict.fromkeys(getattr(cls, "__dataclass_fields__", ())))


class PresentObject(dict[str, Any]):
    """A JSON object that is not false even when empty."""

    def __bool__(self) -> bool:
        return True


class PresentArray(list[Any]):
    """A JSON array that is not false even when empty."""

    def __bool__(self) -> bool:
        return True


class HashableObject(dict[str, Any]):
    """A JSON object that a Python set can hold."""

    def __hash__(self) -> int:  # type: ignore[override] # dict has none
        return hash(canonical(self))


class HashableArray(list[Any]):
    """A JSON array that a Python set can hold."""

    def __hash__(self) -> int:  # type: ignore[override] # list has none
        return hash(canonical(self))


_SHAPES: dict[Any, Mapping[str, Shape[Any]]] = {}
