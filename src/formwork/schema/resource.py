"""The resource type's schema as a value, its semantics as fields and methods."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from formwork.diagnostics import Diagnostic, PointerError, parse_pointer
from formwork.documents import Document
from formwork.schema.paths import ANY, PropertyPath
from formwork.schema.view import UNKNOWN, SchemaView, Subschema

DEFAULT_TIMEOUT_MINUTES = 120
HANDLERS = ("create", "read", "update", "delete", "list")


class HandlerInfo(Struct, frozen=True):
    """A handler in a schema; `schema` is the list handler's `handlerSchema`, its extra input."""

    permissions: tuple[str, ...] = ()
    timeout_in_minutes: int = DEFAULT_TIMEOUT_MINUTES
    schema: Mapping[str, Any] | None = None


class Tagging(Struct, frozen=True):
    """Whether and how the type takes tags, defaults as the schema document says; `declared`: `tagging` is there."""

    taggable: bool = True
    tag_on_create: bool = True
    tag_updatable: bool = True
    system_tags: bool = True
    tag_property: PropertyPath = ("Tags",)
    declared: bool = False
    permissions: tuple[str, ...] = ()


class Mutability(Struct, frozen=True, kw_only=True):
    """How a property may be used."""

    read_only: bool
    write_only: bool
    create_only: bool
    conditional_create_only: bool
    deprecated: bool
    non_public: bool


class ResourceSchema(Struct, frozen=True, dict=True):
    """A resource type.

    Paths are property paths without the leading `properties`, see `paths.py`. `view` has the schema as typed nodes;
    `value`, `properties` and `definitions` are its JSON, which must not be changed.
    """

    document: Document
    value: Mapping[str, Any]
    type_name: str
    description: str
    properties: Mapping[str, Any]
    definitions: Mapping[str, Any]
    required: tuple[str, ...]
    primary_identifier: tuple[PropertyPath, ...]
    additional_identifiers: tuple[tuple[PropertyPath, ...], ...]
    read_only: tuple[PropertyPath, ...]
    write_only: tuple[PropertyPath, ...]
    create_only: tuple[PropertyPath, ...]
    conditional_create_only: tuple[PropertyPath, ...]
    deprecated: tuple[PropertyPath, ...]
    non_public: tuple[PropertyPath, ...]
    handlers: Mapping[str, HandlerInfo]
    tagging: Tagging
    replacement_strategy: str
    type_configuration: Mapping[str, Any] | None
    property_transform: Mapping[PropertyPath, str]
    view: SchemaView

    def subschema_at(self, path: Sequence[str]) -> Subschema | None:
        """Return the schema of the property at `path` (`*` for items) with references followed, or None."""
        return self.view.at(path)

    def equal(self, path: Sequence[str], desired: Any, actual: Any) -> bool:
        """Return whether two values of the property at `path` are the same to CloudFormation.

        Honours insertionOrder and uniqueItems (list, multiset, ordered set, set), and arrayType: of an AttributeList
        `actual` may hold more than was desired. () compares whole models.
        """
        from formwork.schema.equality import values_equal  # noqa: PLC0415 - not needed to validate or generate

        return values_equal(self.subschema_at(path) or UNKNOWN, desired, actual)

    def validate_model(self, model: Any, *, shape_only: bool = False) -> list[Diagnostic]:
        """What is wrong with `model` as a model of this type, in JSON Schema's terms; pointers are into the model.

        `shape_only` judges types, numeric, string, array and object keywords and undeclared properties, but not
        `required`, `dependencies`, `propertyNames` and the combinators: what a handler's answer must keep to.
        """
        from formwork.schema.models import check_model  # noqa: PLC0415 - jsonschema-rs and regex, only for models

        validator = self.shape_validator if shape_only else self._whole_validator
        return check_model(validator, model, secret=self.write_only)

    def validate_model_document(self, document: Document) -> list[Diagnostic]:
        """Return what is wrong with the model in `document`, at its places; readOnly properties in it are warnings."""
        from formwork.schema.model_document import check_model_document  # noqa: PLC0415 - as above

        return check_model_document(
            self._whole_validator, document, read_only=self.read_only, write_only=self.write_only
        )

    def validate_configuration(self, document: Document) -> list[Diagnostic]:
        """Return what is wrong with the type configuration in `document`; any is wrong if the type has none."""
        from formwork.schema.configuration import check_configuration  # noqa: PLC0415 - as above

        return check_configuration(self.value, document)

    @cached_property
    def input_root(self) -> Mapping[str, Any]:
        """The schema that an input must be valid against: readOnly properties are not required."""
        from formwork.schema.inputs import required_of_inputs  # noqa: PLC0415 - as above

        return required_of_inputs(self.value, frozenset(self.read_only))

    @cached_property
    def _whole_validator(self) -> Any:
        """The jsonschema-rs validator of models; compiling it takes ten times as long as validating."""
        return _compiled(self.value)

    @cached_property
    def shape_validator(self) -> Any:
        """The jsonschema-rs validator that `validate_model` uses with `shape_only`."""
        return _compiled(self.value, shape_only=True)

    @cached_property
    def input_validator(self) -> Any:
        """The jsonschema-rs validator of `input_root`."""
        return _compiled(self.input_root)

    @cached_property
    def public_values(self) -> frozenset[str]:
        """The values that the schema itself contains (enums, defaults …), which are therefore not secret."""
        from formwork.schema.public_values import public_values  # noqa: PLC0415 - as above

        return public_values(self.value)

    @property
    def required_for_create(self) -> tuple[str, ...]:
        """The required properties that users must set: those that are not readOnly."""
        return tuple(name for name in self.required if (name,) not in self.read_only)

    def mutability_at(self, path: Sequence[str]) -> Mutability:
        """Return the mutability of the property at `path`, including that of the properties around it."""
        return Mutability(
            read_only=_covers(self.read_only, path),
            write_only=_covers(self.write_only, path),
            create_only=_covers(self.create_only, path),
            conditional_create_only=_covers(self.conditional_create_only, path),
            deprecated=_covers(self.deprecated, path),
            non_public=_covers(self.non_public, path),
        )

    def without_write_only(self, model: Any) -> Any:
        """Return a copy of `model` as read may return it."""
        from formwork.schema.models import without_paths  # noqa: PLC0415 - as above

        return without_paths(model, self.write_only)

    def without_read_only(self, model: Any) -> Any:
        """Return a copy of `model` as users may write it."""
        from formwork.schema.models import without_paths  # noqa: PLC0415 - as above

        return without_paths(model, self.read_only)

    def with_defaults(self, model: Any) -> Any:
        """Return a copy of `model` with the schema's defaults filled in."""
        from formwork.schema.models import with_defaults  # noqa: PLC0415 - as above

        return with_defaults(self.view.root, model)

    def identifier_of(self, model: Any) -> str | None:
        """Return the primary identifier of `model` as text, joined by `|`; None where a part is missing."""
        from formwork.schema.models import read_identifier, render_identifier  # noqa: PLC0415 - as above

        values = read_identifier(model, self.primary_identifier)
        return render_identifier(values) if values is not None else None

    def parse_identifier(self, text: str) -> dict[str, Any] | None:
        """The model that holds just the primary identifier `text` (joined by `|`, or JSON); None if it does not fit."""
        from formwork.schema.models import parse_identifier  # noqa: PLC0415 - as above

        return parse_identifier(text, self.primary_identifier, self.view)


def build_resource_schema(document: Document) -> ResourceSchema:
    """The schema in `document`; parts of the wrong kind are left out (the meta-schema has refused them before)."""
    value = _mapping(document.value)
    view = SchemaView(value)
    return ResourceSchema(
        document=document,
        value=value,
        type_name=_text(value, "typeName"),
        description=_text(value, "description"),
        properties=_mapping(value.get("properties")),
        definitions=_mapping(value.get("definitions")),
        required=texts(value.get("required")),
        primary_identifier=_primary(view, value),
        additional_identifiers=_additional(view, value),
        read_only=_paths(view, value.get("readOnlyProperties")),
        write_only=_paths(view, value.get("writeOnlyProperties")),
        create_only=_paths(view, value.get("createOnlyProperties")),
        conditional_create_only=_paths(view, value.get("conditionalCreateOnlyProperties")),
        deprecated=_paths(view, value.get("deprecatedProperties")),
        non_public=_paths(view, value.get("nonPublicProperties")),
        handlers=_handlers(value.get("handlers")),
        tagging=_tagging(view, value),
        replacement_strategy=_text(value, "replacementStrategy") or "create_then_delete",
        type_configuration=_mapping(value["typeConfiguration"]) if "typeConfiguration" in value else None,
        property_transform=_transforms(view, value.get("propertyTransform")),
        view=view,
    )


def _covers(paths: tuple[PropertyPath, ...], path: Sequence[str]) -> bool:
    """Return whether one of `paths` is `path` or above it; an item's number is `*`."""
    wanted = tuple(ANY if each.isdecimal() else each for each in path)
    return any(wanted[: len(each)] == each for each in paths)


def texts(value: Any) -> tuple[str, ...]:
    """Return the strings of an array, in order; none if it is not an array."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _path(view: SchemaView, pointer: str) -> PropertyPath:
    try:
        return view.normalise(parse_pointer(pointer))[0]
    except PointerError:
        return (pointer,)


def _paths(view: SchemaView, value: Any) -> tuple[PropertyPath, ...]:
    return tuple(_path(view, pointer) for pointer in texts(value))


def _primary(view: SchemaView, value: Mapping[str, Any]) -> tuple[PropertyPath, ...]:
    if "primaryIdentifier" in value:
        return _paths(view, value["primaryIdentifier"])
    legacy = _legacy_identifiers(view, value)
    return legacy[0] if legacy else ()


def _additional(view: SchemaView, value: Mapping[str, Any]) -> tuple[tuple[PropertyPath, ...], ...]:
    if "primaryIdentifier" not in value:
        return _legacy_identifiers(view, value)[1:]
    return _identifiers(view, value.get("additionalIdentifiers"))


def _legacy_identifiers(view: SchemaView, value: Mapping[str, Any]) -> tuple[tuple[PropertyPath, ...], ...]:
    return _identifiers(view, value.get("identifiers"))


def _identifiers(view: SchemaView, value: Any) -> tuple[tuple[PropertyPath, ...], ...]:
    """Nested lists, or the older documents' flat list where each pointer is an identifier of its own."""
    if not isinstance(value, list):
        return ()
    return tuple(_paths(view, [each] if isinstance(each, str) else each) for each in value)


def _handlers(value: Any) -> dict[str, HandlerInfo]:
    handlers = {}
    for name, each in _mapping(value).items():
        info = _mapping(each)
        timeout = info.get("timeoutInMinutes")
        handlers[name] = HandlerInfo(
            texts(info.get("permissions")),
            timeout if isinstance(timeout, int) else DEFAULT_TIMEOUT_MINUTES,
            info["handlerSchema"] if isinstance(info.get("handlerSchema"), dict) else None,
        )
    return handlers


def _tagging(view: SchemaView, value: Mapping[str, Any]) -> Tagging:
    written = _mapping(value.get("tagging"))
    legacy = value.get("taggable", True) is not False
    taggable = written.get("taggable", legacy) is not False
    return Tagging(
        taggable=taggable,
        tag_on_create=taggable and written.get("tagOnCreate") is not False,
        tag_updatable=taggable and written.get("tagUpdatable") is not False,
        system_tags=taggable and written.get("cloudFormationSystemTags") is not False,
        tag_property=_path(view, _text(written, "tagProperty") or "/properties/Tags"),
        declared="tagging" in value,
        permissions=texts(written.get("permissions")),
    )


def _transforms(view: SchemaView, value: Any) -> dict[PropertyPath, str]:
    return {
        _path(view, pointer): transform for pointer, transform in _mapping(value).items() if isinstance(transform, str)
    }


def _compiled(root: Mapping[str, Any], *, shape_only: bool = False) -> Any:
    from formwork.schema.validator import compile_validator  # noqa: PLC0415 - as above

    return compile_validator(root, shape_only=shape_only)
