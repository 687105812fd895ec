"""The fields of a model's class."""

from collections.abc import Collection

from msgspec import Struct

from formwork.languages.java.generate.naming import name_fields
from formwork.languages.java.generate.types import java_type
from formwork.model import ObjectModel, Property


class Field(Struct, frozen=True):
    """A field: its property, its name and its type in Java."""

    of: Property
    name: str
    type: str

    @property
    def getter(self) -> str:
        """The call of the getter that Lombok generates."""
        return f"get{self.name[:1].upper()}{self.name[1:]}()"


def fields_of(model: ObjectModel, *, package: str, reserved: Collection[str]) -> dict[str, Field]:
    """Return the fields by the names of their properties; no name is in `reserved`, ignoring case."""
    types = {each.name: java_type(each.type, each.schema, package=package) for each in model.properties}
    names = name_fields(types, reserved=reserved)
    return {each.name: Field(each, names[each.name], types[each.name]) for each in model.properties}
