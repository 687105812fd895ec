"""The fields of a model's class."""

from collections.abc import Collection
from dataclasses import dataclass

from formwork.languages.java.generate.naming import name_fields
from formwork.languages.java.generate.types import java_type
from formwork.model import Model, Property


@dataclass(frozen=True, slots=True)
class Field:
    """One field: the property it holds, what it is called and its type in Java."""

    of: Property
    name: str
    type: str

    @property
    def getter(self) -> str:
        """The call that Lombok makes for it."""
        return f"get{self.name[:1].upper()}{self.name[1:]}()"


def fields_of(model: Model, *, package: str, reserved: Collection[str]) -> dict[str, Field]:
    """The fields by the names of their properties; none is called as `reserved` says, with or without capitals."""
    types = {each.name: java_type(each.type, each.schema, package=package) for each in model.properties}
    names = name_fields(types, reserved=reserved)
    return {each.name: Field(each, names[each.name], types[each.name]) for each in model.properties}
