"""Values that break exactly one constraint, made from a valid one and checked by the schema's own validator."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import render_pointer
from formwork.documents.copied import copied
from formwork.patterns import PatternError, compile_pattern
from formwork.schema.paths import PropertyPath
from formwork.schema.view import Subschema

Errors = Callable[[Any], Iterable[Any]]
Place = tuple[str | int, ...]


class InvalidInstance(Struct, frozen=True):
    """A model with one fault: it violates `keyword` at `pointer` (into the model); `why` says how."""

    value: dict[str, Any]
    keyword: str
    pointer: str
    why: str


def break_constraints(
    base: dict[str, Any], root: Subschema, errors: Errors, read_only: frozenset[PropertyPath], *, limit: int
) -> list[InvalidInstance]:
    """Copies of the valid model `base`, each with one fault, of different keywords first."""
    found: list[InvalidInstance] = []
    rest: list[InvalidInstance] = []
    keywords: set[str] = set()
    for place, keyword, change, why in _faults(base, root, read_only):
        if len(found) + len(rest) >= 4 * limit:
            break
        broken = _copied_along(base, place)
        change(_parent(broken, place), place)
        problems = list(errors(broken))
        if len(problems) != 1:
            continue
        fault = InvalidInstance(copied(broken), keyword, render_pointer(place), why)
        (rest if keyword in keywords else found).append(fault)
        keywords.add(keyword)
    return (found + rest)[:limit]


_Fault = tuple[Place, str, Callable[[Any, Place], None], str]


def _faults(base: dict[str, Any], root: Subschema, read_only: frozenset[PropertyPath]) -> Iterator[_Fault]:
    for name in root.required:
        if name in base and (name,) not in read_only:
            yield (name,), "required", _remove, f"{name} is required and missing"
    if "NotDeclared" not in root.properties:
        yield ("NotDeclared",), "additionalProperties", _set("x"), "NotDeclared is not a property of the type"
    for name, value in base.items():
        yield from _value_faults(value, root.properties.get(name), (name,), 0)


def _value_faults(value: Any, schema: Subschema | None, place: Place, depth: int) -> Iterator[_Fault]:
    if schema is None or depth > 6:
        return
    node, name = schema.target, place[-1]
    match value:
        case str():
            yield place, "type", _set({"not": "a string"}), f"{name} is an object instead of a string"
            yield from _string_faults(value, node.value, place)
        case bool():
            yield place, "type", _set("maybe"), f"{name} is a string instead of a boolean"
        case int() | float():
            yield place, "type", _set("a lot"), f"{name} is a string instead of a number"
            yield from _number_faults(node.value, place)
        case list():
            yield place, "type", _set("no list"), f"{name} is a string instead of an array"
            yield from _array_faults(value, node, place, depth)
        case dict():
            yield place, "type", _set("no object"), f"{name} is a string instead of an object"
            yield from _object_faults(value, node, place, depth)
        case _:
            return


def _string_faults(value: str, node: Mapping[str, Any], place: Place) -> Iterator[_Fault]:
    name = place[-1]
    if "enum" in node:
        yield place, "enum", _set(value + "-unknown"), f"{name} is none of the allowed values"
    if "const" in node:
        yield place, "const", _set(value + "-unknown"), f"{name} is not the only allowed value"
    if (least := node.get("minLength")) and least > 0:
        yield place, "minLength", _set(value[: least - 1]), f"{name} is shorter than {least}"
    if isinstance(most := node.get("maxLength"), int) and most < 100_000 and _is_tame(node):
        yield (
            place,
            "maxLength",
            _set((value or "x") + value[-1:] * (most + 1 - len(value))),
            f"{name} is longer than {most}",
        )
    if "pattern" in node:
        # Wrong from the start: of a text that is wrong at its end some patterns take a second to find out.
        for wrong in ("\u2603", "\u2603" * len(value), "-", " ", "!" + value):
            yield place, "pattern", _set(wrong), f"{name} does not match {node['pattern']}"


def _is_tame(node: Mapping[str, Any]) -> bool:
    """Return whether a long text can be judged at once: some patterns take a second to refuse one."""
    try:
        return "pattern" not in node or compile_pattern(node["pattern"]).is_plain
    except (PatternError, TypeError):
        return True


def _number_faults(node: Mapping[str, Any], place: Place) -> Iterator[_Fault]:
    name = place[-1]
    if isinstance(low := node.get("minimum"), int | float):
        yield place, "minimum", _set(low - 1), f"{name} is less than {low}"
    if isinstance(high := node.get("maximum"), int | float):
        yield place, "maximum", _set(high + 1), f"{name} is more than {high}"
    if isinstance(low := node.get("exclusiveMinimum"), int | float) and not isinstance(low, bool):
        yield place, "exclusiveMinimum", _set(low), f"{name} is not more than {low}"
    if isinstance(high := node.get("exclusiveMaximum"), int | float) and not isinstance(high, bool):
        yield place, "exclusiveMaximum", _set(high), f"{name} is not less than {high}"
    if isinstance(step := node.get("multipleOf"), int) and step > 1:
        yield place, "multipleOf", _add(1), f"{name} is not a multiple of {step}"
    if isinstance(node.get("enum"), list):
        numbers = [each for each in node["enum"] if isinstance(each, int | float)]
        yield place, "enum", _set(max(numbers, default=0) + 1), f"{name} is none of the allowed values"


def _array_faults(value: list[Any], node: Subschema, place: Place, depth: int) -> Iterator[_Fault]:
    name = place[-1]
    if (least := node.get("minItems")) and least > 0:
        yield place, "minItems", _set(value[: least - 1]), f"{name} has fewer than {least} items"
    if value and node.get("uniqueItems"):
        yield place, "uniqueItems", _set([value[0], *value]), f"{name} holds an item twice"
    if value and isinstance(most := node.get("maxItems"), int) and most < 1000:
        yield place, "maxItems", _set((value * (most + 1))[: most + 1]), f"{name} has more than {most} items"
    if value:
        yield from _value_faults(value[0], node.items, (*place, 0), depth + 1)


def _object_faults(value: dict[str, Any], node: Subschema, place: Place, depth: int) -> Iterator[_Fault]:
    for name in node.required:
        if name in value:
            yield (*place, name), "required", _remove, f"{name} is required in {place[-1]} and missing"
    if node.is_closed:
        extra = (*place, "NotDeclared")
        yield extra, "additionalProperties", _set("x"), f"NotDeclared is not allowed in {place[-1]}"
    for name, each in value.items():
        yield from _value_faults(each, node.properties.get(name), (*place, name), depth + 1)


def _copied_along(base: dict[str, Any], place: Place) -> dict[str, Any]:
    """Return a copy of `base` that may be changed at `place`; parts not on the path to it are shared."""
    result: dict[str, Any] = dict(base)
    here: Any = result
    for step in place[:-1]:
        here[step] = here[step].copy()
        here = here[step]
    return result


def _parent(value: Any, place: Place) -> Any:
    for step in place[:-1]:
        value = value[step]
    return value


def _set(wrong: Any) -> Callable[[Any, Place], None]:
    def change(parent: Any, place: Place) -> None:
        parent[place[-1]] = copied(wrong)

    return change


def _add(amount: int) -> Callable[[Any, Place], None]:
    def change(parent: Any, place: Place) -> None:
        parent[place[-1]] += amount

    return change


def _remove(parent: Any, place: Place) -> None:
    del parent[place[-1]]
