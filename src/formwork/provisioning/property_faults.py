"""What a resource type's schema forbids of given properties, worded as AWS words it.

Four wordings are in use, each read off answers of the service that its users and peers recorded: that of the validator
behind registered types (`#/Title: required key [A] not found`), that of the types from before the registry (`The
property {/A} is required`), that of pre-deployment validation (`Required property [A] not found`), and Cloud Control's
for readOnly properties.
"""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import get_at
from formwork.diagnostics.secrets import mask_at
from formwork.documents.scalar_text import as_text
from formwork.schema import ResourceSchema
from formwork.schema.coercion import coerce_properties
from formwork.schema.instance_paths import instance_path
from formwork.schema.paths import ANY, PropertyPath
from formwork.template.evaluation import replace_unknown
from formwork.template.evaluation.values import Mark

Path = tuple[str | int, ...]

_UNKNOWN_TEXT = "{{formwork:known-after-deployment}}"
_REFERENCE = "{{resolve:"
# Keywords that judge which members or how many items there are, whatever their values will be.
_OF_NAMES = frozenset(
    {
        *("required", "additionalProperties", "propertyNames", "x-java-names"),
        *("minProperties", "maxProperties", "minItems", "maxItems"),
    }
)
_TYPES = {
    "array": ("JSONArray", "Array"),
    "boolean": ("Boolean", "Boolean"),
    "integer": ("Integer", "Integer"),
    "null": ("Null", "Null"),
    "number": ("Number", "Number"),
    "object": ("JSONObject", "Object"),
    "string": ("String", "String"),
}
_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
_BOUNDS = {
    "minimum": "{value} is not greater or equal to {limit}",
    "exclusiveMinimum": "{value} is not greater than {limit}",
    "maximum": "{value} is not less or equal to {limit}",
    "exclusiveMaximum": "{value} is not less than {limit}",
    "minLength": "expected minLength: {limit}, actual: {size}",
    "maxLength": "expected maxLength: {limit}, actual: {size}",
    "minItems": "expected minimum item count: {limit}, found: {size}",
    "maxItems": "expected maximum item count: {limit}, found: {size}",
    "minProperties": "minimum size: [{limit}], found: [{size}]",
    "maxProperties": "maximum size: [{limit}], found: [{size}]",
}


class PropertyFault(Struct, frozen=True):
    """Something that a schema forbids.

    `path` leads to the value that is wrong; of a property that is missing or may not be there to the object around it,
    and `name` is the property's. `words` are the validator's, `early` those of pre-deployment validation, and `native`
    those of types from before the registry, None where they have none.
    """

    path: Path
    words: str
    early: str
    native: str | None = None
    name: str | None = None

    @property
    def pointed(self) -> str:
        """The validator's words after the place, as `#/Tags/0: required key [Key] not found`."""
        return f"#{render_path(self.path)}: {self.words}"


def find_faults(schema: ResourceSchema, properties: Mapping[str, Any]) -> list[PropertyFault]:
    """Return the faults of a template's properties against a schema; readOnly properties are faults too.

    For `UNKNOWN` values and dynamic references only faults that do not depend on the value are reported. Values of
    writeOnly properties are masked in the texts; other secrets the caller masks.
    """
    given = coerce_properties(schema, json.loads(json.dumps(replace_unknown(dict(properties), _UNKNOWN_TEXT))))
    set_by_users = (each for path in schema.read_only for each in _places(given, path, ()))
    decided = [_undeclared(path[:-1], [str(path[-1])]) for path in set_by_users]
    return list(dict.fromkeys([*model_faults(schema, given), *itertools.chain.from_iterable(decided)]))


def model_faults(schema: ResourceSchema, model: Mapping[str, Any]) -> list[PropertyFault]:
    """Return the faults of a model, like `find_faults`, but values are typed and may be readOnly."""
    if schema.input_validator.is_valid(model):
        return []
    shown = mask_at(model, schema.write_only)
    errors = [each for each in schema.input_validator.iter_errors(model) if _is_certain(each, model)]
    return list(dict.fromkeys(fault for each in errors for fault in _explain(each, model, shown)))


def deployment_failure(type_name: str, logical_id: str, faults: list[PropertyFault]) -> str:
    """Return why a resource can't be made or updated with faulty properties, as a stack's event says it."""
    native = list(dict.fromkeys(each.native for each in faults))
    if type_name.startswith("AWS::") and None not in native:
        return f"Property validation failure: [{', '.join(str(each) for each in native)}]"
    listed = "\n".join(each.pointed for each in faults)
    return f"Properties validation failed for resource {logical_id} with message:\n{listed}"


def is_open(value: Any) -> bool:
    """Return whether a part of the value is known only when it is deployed."""
    match value:
        case Mark():
            return True
        case str():
            return _UNKNOWN_TEXT in value or _REFERENCE in value
        case dict():
            return any(is_open(each) for each in value.values())
        case list():
            return any(is_open(each) for each in value)
        case _:
            return False


def render_path(path: Iterable[str | int]) -> str:
    """Return the path in the notation of pointers, without their escapes, as the service writes it."""
    return "".join(f"/{each}" for each in path)


def _places(value: Any, path: PropertyPath, begun: Path) -> Iterator[Path]:
    if not path:
        yield begun
        return
    step, rest = path[0], path[1:]
    match value:
        case dict() if step in value:
            yield from _places(value[step], rest, (*begun, step))
        case dict() if step == ANY:
            for name, each in value.items():
                yield from _places(each, rest, (*begun, name))
        case list() if step == ANY:
            for index, each in enumerate(value):
                yield from _places(each, rest, (*begun, index))


def _is_certain(error: Any, given: Any) -> bool:
    return error.kind.name in _OF_NAMES or not is_open(get_at(given, instance_path(error, given)))


def _explain(error: Any, given: Any, shown: Any) -> Iterator[PropertyFault]:
    path, facts = instance_path(error, given), error.kind.as_dict()
    name = str(error.kind.name)
    match name:
        case "additionalProperties":
            yield from _undeclared(path, sorted(facts["unexpected"]))
        case "required":
            yield _missing(path, str(facts["property"]))
        case "type":
            yield _mistyped(path, sorted(facts["types"]), get_at(given, path))
        case "enum" | "const":
            yield _not_listed(path, facts, get_at(shown, path))
        case "x-java-pattern" | "x-java-names" | "pattern":
            yield from _unmatched(path, facts, get_at(shown, path))
        case _:
            yield _plain(path, _words(name, facts, get_at(given, path), get_at(shown, path)))


def _plain(path: Path, words: str) -> PropertyFault:
    return PropertyFault(path, words, words)


def _missing(path: Path, name: str) -> PropertyFault:
    native = f"The property {{{render_path((*path, name))}}} is required"
    early = f"Required property [{name}] not found"
    return PropertyFault(path, f"required key [{name}] not found", early, native, name)


def _undeclared(path: Path, names: list[str]) -> list[PropertyFault]:
    native = f"Encountered unsupported properties in {{{render_path(path) or '/'}}}: [{', '.join(names)}]"
    return [
        PropertyFault(path, f"extraneous key [{each}] is not permitted", f"Unsupported property [{each}]", native, each)
        for each in names
    ]


def _mistyped(path: Path, types: list[str], value: Any) -> PropertyFault:
    wanted = " or ".join(_TYPES[each][0] for each in types)
    natively = " or ".join(_TYPES[each][1] for each in types)
    native = f"Value of property {{{render_path(path)}}} does not match type {{{natively}}}"
    words = f"expected type: {wanted}, found: {_kind(value)}"
    return PropertyFault(path, words, f"Property validation failure: [{native}]", native)


def _not_listed(path: Path, facts: Mapping[str, Any], value: Any) -> PropertyFault:
    allowed = facts["options"] if "options" in facts else [facts["expected_value"]]
    words = f"{_text(value)} is not a valid enum value"
    return PropertyFault(path, words, f"{words}. Supported values: [{', '.join(map(_text, allowed))}]")


def _unmatched(path: Path, facts: Mapping[str, Any], value: Any) -> Iterator[PropertyFault]:
    kind, _, rest = str(facts.get("message", f"unmatched:{facts.get('pattern')}")).partition(":")
    if kind == "name":
        yield from _undeclared(path, [rest])
    elif kind == "slow":
        yield _plain(path, f"string [{_text(value)}] takes too long to compare with its pattern")
    else:
        yield _plain(path, f"string [{_text(value)}] does not match pattern {rest}")


def _words(name: str, facts: Mapping[str, Any], value: Any, shown: Any) -> str:  # noqa: PLR0911 - one case a keyword
    if name in _BOUNDS:
        size = len(value) if isinstance(value, (str, list, dict)) else 0
        return _BOUNDS[name].format(value=_text(shown), limit=_text(facts["limit"]), size=size)
    match name:
        case "multipleOf":
            return f"{_text(shown)} is not a multiple of {_text(facts['multiple_of'])}"
        case "uniqueItems":
            return "array items are not unique"
        case "oneOf":
            matched = sum(not branch for branch in facts["context"])
            return f"{matched} subschemas matched instead of one"
        case "anyOf":
            return f"no subschema matched out of the total {len(facts['context'])} subschemas"
        case "not":
            return "subject must not be valid against its schema"
        case "contains":
            return "expected at least one array item to match 'contains' schema"
        case "propertyNames":
            return f"property name [{facts['error'].instance}] is not valid"
        case _:
            return f"{name} is not satisfied"


def _kind(value: Any) -> str:
    kind = next((name for of, name in _KINDS.items() if isinstance(value, of)), "null")
    return _TYPES[kind][0]


def _text(value: Any) -> str:
    text = as_text(value)
    return json.dumps(value) if text is None else text
