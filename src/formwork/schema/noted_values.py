"""Whether the defaults and examples in a schema keep to the schemas that they stand in, as a whole."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.schema.checking import Checked
from formwork.schema.findings import Path, list_findings, show_value
from formwork.schema.node_types import allows
from formwork.schema.view import COMBINERS, Subschema

_COMBINED = frozenset(COMBINERS)
# For each type of value the keywords that can refuse it and that `allows` does not judge.
_STRING = _COMBINED | {"pattern"}
_NUMBER = _COMBINED | {"exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_ARRAY = _COMBINED | {"items", "uniqueItems", "contains"}
_OBJECT = _COMBINED | {
    *("required", "properties", "patternProperties", "additionalProperties", "dependencies"),
    *("minProperties", "maxProperties"),
}
_MARK = "\0"  # before the names that the values have in the object they are validated in: no property's is the same


class NotedValue(Struct, frozen=True):
    """A default or an example: its place, its value, and the schema of the property."""

    path: Path
    value: Any
    schema: Subschema


class InvalidValue(Struct, frozen=True):
    """The fault of a value: its place in the schema document, the message, and what was expected."""

    path: Path
    reason: str
    expected: str
    key: bool = False


def find_invalid_values(checked: Checked, values: list[NotedValue]) -> Iterator[InvalidValue]:
    """Yield those of `values` that their schemas refuse, each with its first fault."""
    deep: list[NotedValue] = []
    for each in values:
        target = each.schema.target.value
        expected = allows(each.schema.value, each.value) or allows(target, each.value)
        if expected is not None:
            yield InvalidValue(each.path, f"{show_value(each.value)} is not valid here", expected)
        elif _judges(target, each.value):
            deep.append(each)
    if deep:
        yield from _validate(checked, deep)


def _judges(node: Mapping[str, Any], value: Any) -> bool:
    """Return whether `node` has a keyword that may refuse `value` where `allows` does not."""
    match value:
        case bool() | None:
            return not _COMBINED.isdisjoint(node)
        case str():
            return not _STRING.isdisjoint(node)
        case int() | float():
            return not _NUMBER.isdisjoint(node)
        case list():
            return not (_ARRAY if value else _ARRAY - {"items", "uniqueItems"}).isdisjoint(node)
        case _:
            return not _OBJECT.isdisjoint(node)


def _validate(checked: Checked, values: list[NotedValue]) -> Iterator[InvalidValue]:
    validator = _compile(checked, values)
    if validator is None:
        return
    model = {f"{_MARK}{n}": each.value for n, each in enumerate(values)}
    if validator.is_valid(model):
        return
    told: set[str] = set()
    for finding in list_findings(validator.iter_errors(model), model):
        name = str(finding.path[0])
        if name in told:
            continue
        told.add(name)
        path = (*values[int(name.removeprefix(_MARK))].path, *finding.path[1:])
        yield InvalidValue(path, finding.message, finding.expected, finding.key)


def _compile(checked: Checked, values: list[NotedValue]) -> Any:
    """Return the validator of an object with all `values`; None where the schema has faults that make it unusable."""
    import jsonschema_rs  # noqa: PLC0415 - few schemas have such values

    from formwork.schema.circles import find_circles  # noqa: PLC0415 - as above
    from formwork.schema.validator import compile_validator  # noqa: PLC0415 - as above

    if any(checked.ref_fault(str(node.value["$ref"])) for node in checked.nodes if "$ref" in node):
        return None
    if next(find_circles(checked), None) is not None:
        return None  # jsonschema-rs would follow it for ever
    properties = checked.value.get("properties") if "#/properties/" in checked.document.text else None
    named = {f"{_MARK}{n}": each.schema.value for n, each in enumerate(values)}
    kept = {key: checked.value[key] for key in ("definitions", "typeConfiguration") if key in checked.value}
    try:
        return compile_validator({**kept, "properties": {**(properties or {}), **named}})
    except jsonschema_rs.ValidationError:
        return None
