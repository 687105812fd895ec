# Copied by `cfn generate` from Formwork's handler library; changes are lost.
"""Value classes that cost nothing to import and are still dataclasses to `dataclasses.fields` and the like.

`dataclasses` takes 8 ms to import and 0.4 ms for each class, in every cold start. Handlers and generated code need from
it only a constructor, equality and a representation, so `record` writes these; the dataclass view (`fields`, `asdict`,
`replace`, subclassing with `@dataclass`, as existing models.py files do) is made when it is first looked at.
"""

from __future__ import annotations

from typing import Any, Callable, TypeVar

T = TypeVar("T")

# A field's annotation and its default; a field without a default has only the annotation.
Fields = dict[str, tuple[Any, ...]]


class DataclassView:
    """A class attribute that `dataclasses` looks for, taken from a dataclass of the same fields made on first use.

    `fields_of` gives a class's fields, or None for a class that is not to look like a dataclass.
    """

    def __init__(self, name: str, fields_of: Callable[[type], Fields | None]) -> None:
        self._name = name
        self._fields_of = fields_of
        self._shadows: dict[type, type] = {}

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        cls = owner or type(instance)
        if cls not in self._shadows:
            fields = self._fields_of(cls)
            if fields is None:
                raise AttributeError(self._name)
            self._shadows[cls] = _make_dataclass(cls.__name__, fields)
        return getattr(self._shadows[cls], self._name)


def _make_dataclass(name: str, fields: Fields) -> type:
    import dataclasses  # noqa: PLC0415 - the import this module exists to avoid

    return dataclasses.make_dataclass(
        name,
        [
            (field, annotation, *(dataclasses.field(default=value) for value in default))
            for field, (annotation, *default) in fields.items()
        ],
    )


def record(cls: type[T]) -> type[T]:
    """Give the class the constructor, equality and representation that `@dataclass` would give it."""
    fields: Fields = {}
    for base in reversed(cls.__mro__[1:]):
        fields.update(base.__dict__.get("_record_fields", {}))
    for name, annotation in cls.__annotations__.items():
        fields[name] = (annotation, *([cls.__dict__[name]] if name in cls.__dict__ else []))
    members = {
        "_record_fields": fields,
        "__init__": _constructor(fields),
        "__eq__": _equal,
        "__hash__": None,  # mutable
        "__repr__": _represent,
        "__match_args__": tuple(fields),
        "__dataclass_fields__": DataclassView("__dataclass_fields__", _record_fields),
        "__dataclass_params__": DataclassView("__dataclass_params__", _record_fields),
    }
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


def _record_fields(cls: Any) -> Fields:
    fields: Fields = cls._record_fields
    return fields


def _constructor(fields: Fields) -> Callable[..., None]:
    """Build an `__init__` with the fields as parameters, so that signatures and errors are Python's own."""
    parameters = ", ".join(
        f"{name}=_fields[{name!r}][1]" if default else name for name, (_, *default) in fields.items()
    )
    body = "\n".join(f"    self.{name} = {name}" for name in fields) or "    pass"
    scope: dict[str, Any] = {"_fields": fields}
    exec(f"def __init__(self, {parameters}):\n{body}", scope)  # noqa: S102 - names from the class bodies of this library
    constructor: Callable[..., None] = scope["__init__"]
    constructor.__annotations__ = {name: annotation for name, (annotation, *_) in fields.items()}
    return constructor


def _equal(self: Any, other: Any) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in self._record_fields)


def _represent(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._record_fields)
    return f"{type(self).__qualname__}({fields})"
