"""Mutants of passing cases: each breaks what a rule demands of one property, and a rule should refuse it."""

import copy
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct

from formwork.policies.case import PolicyCase
from formwork.policies.demands import Demand

_OTHER = "formwork-mutant"
_STRINGS = (_OTHER, "", "0", "formwork mutant!")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_QUOTED = re.compile(r"'((?:[^']|(?<=\\)')*)'|\"((?:[^\"]|(?<=\\)\")*)\"")
_ABSENT: Any = object()

Tokens = tuple[str | int, ...]


class Mutant(Struct, frozen=True):
    """A change of a case; `tokens` is the first place that differs, in the input of the rules."""

    tokens: Tokens
    change: str
    demand: Demand
    file: str
    input: Mapping[str, Any]


class MutantGap(Struct, frozen=True):
    """A mutant that no rule refused: its place in the case, and the check that looks at the property."""

    case: str
    case_file: str
    case_line: int
    pointer: str
    change: str
    rule: str
    rule_file: str
    rule_line: int


def make_mutants(
    case: PolicyCase, demanded: Sequence[tuple[str, Demand]], most: int, seed: int
) -> tuple[Sequence[Mutant], int]:
    """Return mutants of a case, at most `most` that the seed chooses, and how many there are.

    `demanded` are files of rules and what they demand of this case.
    """
    found: dict[tuple[Tokens, str], Mutant] = {}
    for file, demand in demanded:
        for tokens, change, value in _changes(case.input, demand):
            if (tokens, change) not in found:
                found[tokens, change] = Mutant(tokens, change, demand, file, value)
    mutants = list(found.values())
    if len(mutants) > most:
        chosen = random.Random(f"{seed} {case.name}").sample(range(len(mutants)), most)  # noqa: S311 - a choice
        return [mutants[each] for each in sorted(chosen)], len(mutants)
    return mutants, len(mutants)


def _changes(document: Mapping[str, Any], demand: Demand) -> Iterator[tuple[Tokens, str, Mapping[str, Any]]]:
    resources = document.get("Resources")
    if not isinstance(resources, Mapping):
        return
    for name, resource in resources.items():
        if not isinstance(resource, Mapping) or (demand.types and resource.get("Type") not in demand.types):
            continue
        places = [("Resources", name, *each) for each in _places(resource, demand.path, (), ())]
        if demand.some and len(places) > 1:
            yield from _all_changed(document, places, demand)
            continue
        for place in places:
            yield from _changed(document, place, demand)


def _places(value: Any, path: Sequence[str], names: tuple[str, ...], tokens: Tokens) -> Iterator[Tokens]:
    """Yield the places of members whose chain of names ends with `path`."""
    if isinstance(value, Mapping):
        for key, member in value.items():
            if (*names, key)[-len(path) :] == tuple(path):
                yield (*tokens, key)
            yield from _places(member, path, (*names, key), (*tokens, key))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _places(member, path, names, (*tokens, index))


def _changed(
    document: Mapping[str, Any], place: Tokens, demand: Demand
) -> Iterator[tuple[Tokens, str, Mapping[str, Any]]]:
    value = _at(document, place)
    for change, other in _broken(value, demand):
        yield place, change, _with(document, place, other)
        at = max((index for index, token in enumerate(place) if isinstance(token, int)), default=None)
        if at is not None:
            element = copy.deepcopy(_at(document, place[: at + 1]))
            added = _with({"": element}, ("", *place[at + 1 :]), other)[""]
            longer = [*_at(document, place[:at]), added]
            tokens = (*place[:at], len(longer) - 1)
            name = next((str(each) for each in reversed(place[at + 1 :]) if isinstance(each, str)), "it")
            yield tokens, f"element added with {name} {change}", _with(document, place[:at], longer)


def _all_changed(
    document: Mapping[str, Any], places: Sequence[Tokens], demand: Demand
) -> Iterator[tuple[Tokens, str, Mapping[str, Any]]]:
    """Yield the changes of all places together, where one value is enough for the rule."""
    for change, _ in _broken(_at(document, places[0]), demand):
        changed = document
        for place in reversed(places):
            other = dict(_broken(_at(document, place), demand)).get(change, _ABSENT)
            changed = _with(changed, place, other)
        yield places[0], f"{change} at all {len(places)} places", changed


def _broken(value: Any, demand: Demand) -> Iterator[tuple[str, Any]]:
    """Yield changes of a value, each with a description, after which the check should fail."""
    operator = demand.operator
    is_asked_for = demand.negated if operator == "empty" else not demand.negated
    if is_asked_for and not demand.optional and not operator.startswith("is_"):
        yield "removed", _ABSENT
    if operator == "exists":
        return
    if operator == "empty":
        if demand.negated and isinstance(value, str | list | dict):
            yield "emptied", type(value)()
    elif operator.startswith("is_"):
        if not demand.negated and operator != "is_null":
            other: Any = _OTHER if operator != "is_string" else [value]
            yield f"changed to {_shown(other)}", other
    else:
        yield from _compared(value, demand)


def _compared(value: Any, demand: Demand) -> Iterator[tuple[str, Any]]:
    if not demand.negated and isinstance(value, list) and demand.operator in {"==", "in"}:
        for other in _others(value[0], demand) if value else ():
            yield f"added {_shown(other)}", [*value, other]
        return
    for other in _others(value, demand):
        yield f"changed to {_shown(other)}", other


def _others(value: Any, demand: Demand) -> Iterator[Any]:
    """Yield one value that a comparison should refuse."""
    operand = demand.operand
    if not operand:
        return
    if demand.negated:
        found = _literals(operand)
        if found and not operand.startswith("/"):
            yield found[0]
        return
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from _other_numbers(value, demand)
    elif isinstance(value, str):
        if value.lower() in {"true", "false"}:
            yield "false" if value.lower() == "true" else "true"
        else:
            yield from _other_strings(operand)
    else:  # a list, or a function whose value is known after deployment
        yield _OTHER


def _other_numbers(value: float, demand: Demand) -> Iterator[Any]:
    numbers = [float(each) for each in _NUMBER.findall(demand.operand)]
    if not numbers:
        return
    match demand.operator:
        case ">" | ">=":
            other = min(numbers) - (demand.operator == ">=")
        case "<" | "<=":
            other = max(numbers) + (demand.operator == "<=")
        case _:
            other = max(*numbers, float(value)) + 1
    yield int(other) if other == int(other) else other


def _other_strings(operand: str) -> Iterator[str]:
    allowed = {str(each) for each in _literals(operand)}
    patterns = re.findall(r"/((?:[^/\\]|\\.)+)/", operand) if "/" in operand else []
    for text in _STRINGS:
        if text not in allowed and not any(_matches(pattern, text) for pattern in patterns):
            yield text
            return


def _matches(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern.replace("\\/", "/").replace("\\z", "\\Z"), text) is not None
    except re.error:
        return True  # a pattern of the engine's own: nothing is known to be refused


def _literals(operand: str) -> list[Any]:
    strings = [first or second for first, second in _QUOTED.findall(operand)]
    if strings or operand.startswith(("'", '"', "/")):
        return strings
    if operand.lower() in {"true", "false"}:
        return [operand.lower() == "true"]
    return [float(each) if "." in each else int(each) for each in _NUMBER.findall(operand)]


def _at(value: Any, tokens: Tokens) -> Any:
    for token in tokens:
        value = value[token]
    return value


def _with(value: Any, tokens: Tokens, other: Any) -> Any:
    """Return a copy of `value` with the part at a place replaced; parts not on the path to it are shared."""
    if not tokens:
        return other
    changed: Any = dict(value) if isinstance(value, Mapping) else list(value)
    if len(tokens) == 1 and other is _ABSENT:
        del changed[tokens[0]]
    else:
        changed[tokens[0]] = _with(value[tokens[0]], tokens[1:], other)
    return changed


def _shown(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)


def demanded_of(found: Sequence[Demand], passed: AbstractSet[str], entered: AbstractSet[int]) -> list[Demand]:
    """Return the demands of passed rules, restricted to blocks whose conditions were met."""
    return [each for each in found if each.rule in passed and each.within in entered]
