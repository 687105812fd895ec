"""The alternatives of a schema: what its oneOf, anyOf and allOf add to it."""

from collections.abc import Iterator

from msgspec import Struct

from formwork.schema.view import Subschema

# What says what a value is, rather than how it is limited.
TYPING = frozenset({"$ref", "type", "properties", "patternProperties", "items"})


class Part(Struct, frozen=True):
    """An object schema that gives properties to a shape; `certain` means that every value obeys it."""

    schema: Subschema
    certain: bool = True


def alternatives(schema: Subschema) -> Iterator[Part]:
    """Yield the alternatives of a schema, those of inline alternatives without properties included."""
    if not schema.combines:
        return
    for parts, certain in ((schema.one_of, False), (schema.any_of, False), (schema.all_of, True)):
        for each in parts:
            yield Part(each, certain=certain)
            if "$ref" not in each and may_be_object(each):
                for inner in alternatives(each):  # what every value of one alternative obeys, some values need not
                    yield Part(inner.schema, certain=certain and inner.certain)


def may_be_anything(schema: Subschema) -> bool:
    """Return whether at least one alternative has a type and another one has none."""
    for parts in (schema.one_of, schema.any_of):
        if len({_constrains_only(each) for each in parts}) > 1:
            return True
        if any(may_be_anything(each) for each in parts if TYPING.isdisjoint(each.value)):
            return True
    return False


def _constrains_only(schema: Subschema) -> bool:
    return TYPING.isdisjoint(schema.value) and all(map(_constrains_only, schema.combined))


def may_be_object(schema: Subschema) -> bool:
    """Return whether the schema's type is object, said or not."""
    return schema.get("type", "object") in ("object", ["object"])
