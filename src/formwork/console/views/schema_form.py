"""The fields of a form for a model of a resource type, made of its schema.

A field is known by its JSON pointer. What a form cannot ask for member by member (maps, choices between schemas, what
contains itself) is asked for as JSON in one field, so that every valid model can be entered.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import render_pointer
from formwork.schema import ResourceSchema
from formwork.schema.view import Subschema

_DEEPEST = 6
_MOST_CHOICES = 400
_SCALARS = ("string", "integer", "number", "boolean")
_CONSTRAINTS = (
    *("pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "minItems", "maxItems", "uniqueItems"),
)

ModelPath = tuple[str | int, ...]


class FormField(Struct, kw_only=True):
    """A field; `kind` is text, number, choice, json, object, list or secret.

    `value` is the text that it shows, of an object and a list whether they are given. `fixed` says that an update
    cannot change it.
    """

    path: ModelPath
    name: str
    kind: str
    types: str = ""
    value: str = ""
    given: bool = False
    required: bool = False
    fixed: bool = False
    description: str = ""
    constraints: list[tuple[str, str]] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    inside: list["FormField"] = field(default_factory=list)

    @property
    def pointer(self) -> str:
        """The JSON pointer of the value in the model."""
        return render_pointer(self.path)

    @property
    def key(self) -> str:
        """An id for the page."""
        return "f" + "".join(
            f"-{each}" if str(each).isalnum() else f"-{str(each).encode().hex()}" for each in self.path
        )

    def walk(self) -> Iterator["FormField"]:
        """Yield this field and all inside."""
        yield self
        for each in self.inside:
            yield from each.walk()


class SchemaForm:
    """The fields for a model; `updating` fixes what an update cannot change."""

    def __init__(self, schema: ResourceSchema, model: Mapping[str, Any], *, updating: bool) -> None:
        self._read_only = {tuple(each) for each in schema.read_only}
        self._secret = {tuple(each) for each in schema.write_only}
        self._fixed = {tuple(each) for each in (*schema.create_only, *schema.primary_identifier)} if updating else set()
        root = schema.view.root
        self.fields = list(self._members(root, (), (), model, frozenset()))

    def walk(self) -> Iterator[FormField]:
        """Yield all fields."""
        for each in self.fields:
            yield from each.walk()

    def _members(
        self,
        node: Subschema,
        path: ModelPath,
        place: tuple[str, ...],
        model: Any,
        above: frozenset[Subschema],
    ) -> Iterator[FormField]:
        given = model if isinstance(model, Mapping) else {}
        names = sorted(node.properties, key=lambda name: name not in node.required)
        for name in names:
            where = (*place, name)
            if where in self._read_only:
                continue
            found = self._field(node.properties[name], name, (*path, name), where, given.get(name), above)
            found.required = name in node.required
            yield found

    def _field(  # noqa: PLR0913, PLR0917 - one walk: the schema, the model and the place in both
        self,
        written: Subschema,
        name: str,
        path: ModelPath,
        place: tuple[str, ...],
        value: Any,
        above: frozenset[Subschema],
    ) -> FormField:
        node = written.target
        made = FormField(
            path=path,
            name=name,
            kind=self._kind(node, place, above),
            types=" or ".join(node.types) or "any",
            given=value is not None,
            fixed=any(place[: len(each)] == each for each in self._fixed),
            description=str(written.get("description") or node.get("description") or ""),
            constraints=[(each, shown(node.get(each))) for each in _CONSTRAINTS if each in node],
        )
        match made.kind:
            case "object":
                made.inside = list(self._members(node, path, place, value, above | {node}))
            case "list":
                items = node.items
                assert items is not None
                for index, each in enumerate(value if isinstance(value, list) else []):
                    at, label = (*path, index), f"{name} {index + 1}"
                    made.inside.append(self._field(items, label, at, (*place, "*"), each, above | {node}))
            case "choice":
                made.choices = [shown(each) for each in choices_of(node)]
                made.value = "" if value is None else shown(value)
            case "secret":
                made.value = ""  # what is written only is never shown
            case "json":
                hidden = any(each[: len(place)] == place for each in self._secret)
                made.value = "" if value is None or hidden else json.dumps(value, indent=2, ensure_ascii=False)
            case _:
                made.value = "" if value is None else shown(value)
        return made

    def _kind(self, node: Subschema, place: tuple[str, ...], above: frozenset[Subschema]) -> str:
        if place in self._secret and set(node.types) <= set(_SCALARS):
            return "secret"
        if node in above or len(place) > _DEEPEST or node.combined or node.pattern_properties or len(node.types) > 1:
            return "json"
        if choices_of(node):
            return "choice"
        return _kind_by_type(node, above)


def _kind_by_type(node: Subschema, above: frozenset[Subschema]) -> str:
    match node.types:
        case ("object",) if node.properties:
            return "object"
        case ("array",) if node.items is not None and node.items.target not in above:
            return "list"
        case ("integer",) | ("number",):
            return "number"
        case ("string",):
            return "text"
        case _:
            return "json"


def choices_of(node: Subschema) -> Sequence[Any]:
    """Return the values that a schema allows, () where they are not few."""
    if "const" in node:
        return [node.get("const")]
    named = node.get("enum")
    few = isinstance(named, list) and len(named) <= _MOST_CHOICES
    if few and not any(isinstance(each, dict | list) for each in named):
        return list(named)
    return [True, False] if node.types == ("boolean",) else []


def shown(value: Any) -> str:
    """Return a value as a field shows it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
