# Copied by `cfn generate` from Formwork's handler library; changes are lost.
"""The base of generated models: typed attributes on one side, the JSON of the wire on the other.

A generated model writes out its constructor and names its fields once, lazily, so that types may refer to each other
in any order and nothing is computed at import:

    class ResourceModel(BaseModel):
        Name: Optional[str]
        Tags: Optional[AbstractSet["Tag"]]
        None_: Optional["Empty"]

        def __init__(
            self,
            Name: Optional[str] = None,
            Tags: Optional[AbstractSet["Tag"]] = None,
            None_: Optional["Empty"] = None,
        ) -> None:
            self.Name = Name
            self.Tags = Tags
            self.None_ = None_

        _wire_names = {"None_": "None"}          # only attributes whose property name Python cannot spell
        _write_only = ("Secret",)                # attributes that are not shown by repr

        @classmethod
        def _fields(cls) -> Fields:              # attribute -> shape
            return {"Name": string, "Tags": set_of(model(Tag)), "None_": model(Empty)}

A model whose schema allows more properties than it declares also gives their shape, and keeps them in `_additional`:

        @classmethod
        def _additional_shape(cls) -> Optional[Shape[Any]]:
            return anything

Dataclasses as the CloudFormation CLI's own generator writes them, with `_deserialize` of their own, are models too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, overload

from .records import DataclassView
from .records import Fields as RecordFields
from .shapes import Fields, Misfit, Shape, expect_object, read_at, refuse_unknown
from .values import Serializable, canonical

if TYPE_CHECKING:
    from typing_extensions import Self


def _names_fields(cls: Any) -> bool:
    """Whether the class says what its fields are; dataclasses say it in their own way."""
    named: Any = cls._fields
    base: Any = BaseModel._fields
    return named.__func__ is not base.__func__


def _dataclass_fields(cls: Any) -> RecordFields | None:
    """The fields of a generated model as a dataclass would have them, or None for other classes."""
    if not _names_fields(cls):
        return None
    return {attribute: (Any, None) for attribute, _ in _layout(cls).values()}


class BaseModel(Serializable):
    """One object of a type's schema; None stands for an absent property, and nothing else does."""

    _wire_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    _write_only: ClassVar[Sequence[str]] = ()
    _additional: Mapping[str, Any] = MappingProxyType({})

    if not TYPE_CHECKING:  # `dataclasses.asdict(model)` and `replace(model, Name="n")` are what handlers are used to
        __dataclass_fields__ = DataclassView("__dataclass_fields__", _dataclass_fields)
        __dataclass_params__ = DataclassView("__dataclass_params__", _dataclass_fields)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # @dataclass takes the hash away from classes that do not define one themselves, and then
        # the sets of objects in existing models.py files could not be built.
        if cls.__dict__.get("__hash__") is None:
            cls.__hash__ = BaseModel.__hash__  # type: ignore[method-assign]

    @classmethod
    def _fields(cls) -> Fields:
        """Each attribute's shape; generated."""
        raise NotImplementedError(f"{cls.__name__} names no fields; run `cfn generate`")

    @classmethod
    def _additional_shape(cls) -> Shape[Any] | None:
        """The shape of undeclared properties, or None where they are refused."""
        return None

    @overload
    @classmethod
    def _deserialize(cls, json_data: None) -> None: ...

    @overload
    @classmethod
    def _deserialize(cls, json_data: Mapping[str, Any]) -> Self: ...

    @classmethod
    def _deserialize(cls, json_data: Mapping[str, Any] | None) -> Self | None:
        """The model that this JSON object describes; None gives None, and `{}` an empty model.

        Raises exceptions.InvalidRequest, naming the property, for one that is unknown or does not fit its type.
        """
        try:
            return cls._read(json_data)
        except Misfit as misfit:
            from .exceptions import InvalidRequest  # noqa: PLC0415 - interface imports this module

            raise InvalidRequest(f"{cls.__name__}: {misfit}") from None

    @classmethod
    def _read(cls, json_data: Any) -> Self | None:
        """Like `_deserialize`, raising Misfit, so that the caller can add the place."""
        if json_data is None:
            return None
        layout = _layout(cls)
        attributes: dict[str, Any] = {}
        additional: dict[str, Any] = {}
        for name, value in expect_object(json_data).items():
            field = layout.get(name)
            if field is not None:
                attributes[field[0]] = read_at(name, value, field[1])
            else:
                additional[name] = read_at(name, value, cls._additional_shape() or refuse_unknown)
        created = cls(**attributes)
        if additional:
            created._additional = additional
        return created

    def _members(self) -> Mapping[str, Any]:
        """The properties that are present; `[]`, `{}`, 0, "" and False are not absent."""
        names = type(self)._wire_names
        present = {names.get(name, name): value for name, value in self._attributes() if value is not None}
        present.update(self._additional)
        return present

    def _attributes(self) -> Iterable[tuple[str, Any]]:
        """Every attribute with its value, in the order of the schema."""
        cls = type(self)
        if _names_fields(cls):
            return ((field[0], getattr(self, field[0], None)) for field in _layout(cls).values())
        declared: Mapping[str, Any] | None = getattr(cls, "__dataclass_fields__", None)
        if declared is not None:
            return ((name, getattr(self, name, None)) for name in declared)
        return self.__dict__.items()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return bool(self.__dict__ == other.__dict__)

    def __hash__(self) -> int:
        return hash(canonical(self))

    def __repr__(self) -> str:
        """The attributes that are present; what is write-only is masked, since it ends up in logs."""
        hidden = self._write_only
        present = ((name, value) for name, value in self._attributes() if value is not None)
        shown = ", ".join(f"{name}={'********' if name in hidden else repr(value)}" for name, value in present)
        return f"{type(self).__name__}({shown})"


# Attribute names that a generator must not give to a property.
RESERVED_NAMES = frozenset(dir(BaseModel)) | {"self"}

Layout = Mapping[str, tuple[str, Shape[Any]]]
_LAYOUTS: dict[type, Layout] = {}


def _layout(cls: type[BaseModel]) -> Layout:
    """Property name → (attribute, shape), computed when the class is first used."""
    layout = _LAYOUTS.get(cls)
    if layout is None:
        names = cls._wire_names
        layout = {names.get(attribute, attribute): (attribute, shape) for attribute, shape in cls._fields().items()}
        _LAYOUTS[cls] = layout
    return layout
