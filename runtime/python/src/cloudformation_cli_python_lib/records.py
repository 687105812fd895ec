"""Value classes that cost nothing to import and are still dataclasses to whoever asks.

`dataclasses` takes 8 ms to import and 0.4 ms for each class, in every cold start. Handlers and generated code need from
it only a constructor, equality and a representation, so `record` writes these; the dataclass view (`fields`, `asdict`,
`replace`, subclassing with `@dataclass`, as existing models.py files do) is made when it is first looked at.
"""

from __future__ import annotations

from typing import Any, Callable, TypeVar

T = TypeVar("T")

# A field's annotation and its default; a field without a default has only the annotation.
_Fields = dict[str, tuple[Any, ...]]


class _View:
    """A class attribute that `dataclasses` looks for, taken from a dataclass of the same fields made on first use."""

    def __init__(self, name: str, fields: _Fields) -> None:
        self.name = name
        self.fields = fields
        self.shadow: type | None = None

    def __get__(self, _instance: object, _owner: type | None = None) -> Any:
        if self.shadow is None:
            import dataclasses  # noqa: PLC0415 - the import this module exists to avoid

            self.shadow = dataclasses.make_dataclass(
                "Shadow",
                [
                    (name, annotation, *(dataclasses.field(default=value) for value in default))
                    for name, (annotation, *default) in self.fields.items()
                ],
            )
        return getattr(self.shadow, self.name)


def record(cls: type[T]) -> type[T]:
    """Give the class the constructor, equality and representation that `@dataclass` would give it."""
    fields: _Fields = {}
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
        "__dataclass_fields__": _View("__dataclass_fields__", fields),
        "__dataclass_params__": _View("__dataclass_params__", fields),
    }
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


def _constructor(fields: _Fields) -> Callable[..., None]:
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
