"""Bounds of Guard rules: what would end the process that evaluates them, or keep it busy without end.

AWS's engine has no bounds of its own: rules that nest too deep or refer to themselves overflow its stack.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from formwork.hooks.guard.structure import CheckKind, GuardBlock, GuardCheck, GuardStructure, walk
from formwork.hooks.guard.structure_reader import GuardStructureError, read_structure

MAX_CHARACTERS = 1_000_000
MAX_NESTING = 100
MAX_CALLS = 100_000  # others that a rule or a variable leads to, each counted as often as it is evaluated
_MOST_BRACKETS = 400  # open ones, also in what looks like a text or a comment; the engine survives 500
_IGNORED = re.compile(r"#[^\n]*|<<.*?>>|'[^'\n]*'|\"[^\"\n]*\"", re.DOTALL)
_BRACKET = re.compile(r"[\[({\])}\n]")
_CALLED = re.compile(r"(?<![\w.%])([A-Za-z]\w*)\(")
_VARIABLE = re.compile(r"%([A-Za-z]\w*)")


def find_excess(rules: str) -> str | None:
    """Return which bound a file of rules exceeds, with the line; None if it exceeds none."""
    if len(rules) > MAX_CHARACTERS:
        return f"more than {MAX_CHARACTERS:,} characters"
    plain = _IGNORED.sub(lambda found: "\n" * found[0].count("\n"), rules)
    return _too_deep(plain, MAX_NESTING) or _too_deep(rules, _MOST_BRACKETS) or _endless(rules)


def _too_deep(rules: str, most: int) -> str | None:
    depth, line = 0, 1
    for found in _BRACKET.finditer(rules):
        if found[0] == "\n":
            line += 1
        elif found[0] in "[({":
            depth += 1
            if depth > most:
                return f"line {line}: nested deeper than {MAX_NESTING}"
        else:
            depth = max(0, depth - 1)
    return None


def _endless(rules: str) -> str | None:
    try:
        structure = read_structure(rules)
    except GuardStructureError:
        return None
    for variables in _scopes(structure):
        texts: dict[str, list[str]] = {}
        for name, text in variables:
            texts.setdefault(name, []).extend(_VARIABLE.findall(text))
        if (problem := _find_problem(texts, "variable")) is not None:
            return problem
    calls: dict[str, list[str]] = {}
    for rule in structure.rules:
        calls.setdefault(rule.name, []).extend(
            [*_asked(rule.conditions), *_asked(rule.body.checks), *_called_by_variables(rule.body)]
        )
    return _find_problem(calls, "rule")


def _scopes(structure: GuardStructure) -> Iterator[Sequence[tuple[str, str]]]:
    yield structure.variables
    blocks = [rule.body for rule in structure.rules]
    for checks in (structure.clauses, *(each.checks for each in blocks)):
        blocks += (check.body for check in walk(checks) if check.body is not None)
    yield from (each.variables for each in blocks)


def _asked(checks: Sequence[Sequence[GuardCheck]]) -> Iterator[str]:
    """Yield the names of the rules that checks call or refer to, also in filters."""
    for check in walk(checks):
        if check.kind in {CheckKind.CALL, CheckKind.REFERENCE}:
            yield check.subject
        for text in (check.subject, check.operand, *check.arguments):
            yield from _CALLED.findall(text)
        yield from _asked(check.conditions)


def _called_by_variables(block: GuardBlock) -> Iterator[str]:
    for _, text in block.variables:
        yield from _CALLED.findall(text)
    for check in walk(block.checks):
        for _, text in check.body.variables if check.body is not None else ():
            yield from _CALLED.findall(text)


def _find_problem(names: Mapping[str, Sequence[str]], noun: str) -> str | None:
    """Return the problem of names that refer to others (a circle, a long chain, too many references), or None."""
    counts: dict[str, int] = {}
    depths: dict[str, int] = {}
    for start in names:
        path: dict[str, Iterator[str]] = {} if start in counts else {start: iter(names[start])}
        while path:
            name, left = next(reversed(path.items()))
            other = next((each for each in left if each in names), None)
            if other is None:
                known = [each for each in names[name] if each in names]
                counts[name] = 1 + sum(counts[each] for each in known)
                depths[name] = 1 + max((depths[each] for each in known), default=0)
                if depths[name] > MAX_NESTING:
                    return f"the {noun} {name} leads to a chain of more than {MAX_NESTING} others"
                if counts[name] > MAX_CALLS:
                    return f"the {noun} {name} leads to more than {MAX_CALLS:,} others"
                del path[name]
            elif other in path:
                return f"the {noun} {other} refers to itself"
            elif other not in counts:
                path[other] = iter(names[other])
    return None
