"""What the checks of Guard rules demand of properties: the path of each below a resource, and how it can be broken."""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from formwork.hooks.guard.structure import CheckKind, GuardBlock, GuardCheck, GuardRule, GuardStructure, walk

_TYPE = re.compile(r"['\"]((?:\w+::)+\w+)['\"]|(?<![\w:'\"])((?:\w+::)+\w+)(?![\w:'\"])")
_VARIABLE = re.compile(r"%([A-Za-z]\w*)")
_PART = re.compile(r"\s*\.?\s*(?:'([^']*)'|\"([^\"]*)\"|(%?[A-Za-z]\w*)|(\*|-?\d+))")
_LITERAL = re.compile(r"['\"/\[{\d-]|r[\[(]|(?:true|false|null)(?!\w)", re.IGNORECASE)
_FUNCTION = re.compile(r"[A-Za-z]\w*\(")

Path = tuple[str, ...]


class Demand(Struct, frozen=True):
    """A check of a rule that looks at a property.

    `path` has the names of members, without places in lists, as far as the rule says them. `operand` is the text of a
    literal, "" if there is none. `within` is the block around the check; `some` says that one value is enough,
    `optional` that the check applies only where the property exists.
    """

    rule: str
    types: frozenset[str]
    path: Path
    operator: str
    operand: str
    negated: bool
    some: bool
    optional: bool
    within: int
    line: int


class _Value(Struct, frozen=True):
    """The value of a variable: a path or a literal."""

    path: Path | None = None
    literal: str = ""


_Scope = Mapping[str, _Value]


def demands(structure: GuardStructure) -> list[Demand]:
    """Return the demands of the named rules, in the order of the text, without those that are alternatives."""
    reader = _Demands(structure)
    return [each for rule in structure.rules if rule.parameters is None for each in reader.of_rule(rule)]


class _Demands:
    def __init__(self, structure: GuardStructure) -> None:
        self._structure = structure
        self._texts = dict(structure.variables)
        self._called = {each.name: each for each in structure.rules if each.parameters is not None}
        self._rule = ""
        self._types: frozenset[str] = frozenset()
        self._optional: list[Path] = []  # what the blocks around ask for to exist

    def of_rule(self, rule: GuardRule) -> Iterator[Demand]:
        """Yield the demands of a rule and of those that it calls."""
        self._rule = rule.name
        self._types = self._types_of(self._structure.text[rule.start : rule.end])
        scope = _assigned({}, self._structure.variables, ())
        self._optional = [*self._existing(rule.conditions, scope, ())]
        yield from self._block(rule.body, scope, (), rule.body.start, ())

    def _types_of(self, text: str) -> frozenset[str]:
        """Return the resource types that a text names, also by variables of the file."""
        seen: set[str] = set()
        texts, found = [text], set()
        while texts:
            text = texts.pop()
            found |= {first or second for first, second in _TYPE.findall(text)}
            for name in _VARIABLE.findall(text):
                if name in self._texts and name not in seen:
                    seen.add(name)
                    texts.append(self._texts[name])
        return frozenset(found)

    def _block(
        self, block: GuardBlock, scope: _Scope, context: Path, within: int, calls: Sequence[str]
    ) -> Iterator[Demand]:
        scope = _assigned(scope, block.variables, context)
        for alternatives in block.checks:
            if len(alternatives) == 1:
                yield from self._check(alternatives[0], scope, context, within, calls)

    def _check(
        self, check: GuardCheck, scope: _Scope, context: Path, within: int, calls: Sequence[str]
    ) -> Iterator[Demand]:
        if check.body is not None:
            inner = context
            if check.kind is CheckKind.BLOCK:
                path = _path(check.subject, scope, context)
                if path is None:
                    return
                inner = path
            elif check.kind is CheckKind.TYPE:
                inner = ()
            start = check.body.start if check.body.start >= 0 else within
            count = len(self._optional)
            self._optional += self._existing(check.conditions, scope, inner)
            yield from self._block(check.body, scope, inner, start, calls)
            del self._optional[count:]
        elif check.kind is CheckKind.CALL and not check.negated and check.subject not in calls:
            yield from self._call(check, scope, context, calls)
        elif check.kind is CheckKind.CHECK:
            path = _path(check.subject, scope, context)
            if path:
                operand = _literal(check.operand, scope)
                some = check.subject.startswith(("some", "SOME"))
                line = self._structure.line(check.start)
                optional = any(path[: len(each)] == each for each in self._optional if each)
                yield Demand(
                    self._rule,
                    self._types,
                    path,
                    check.operator,
                    operand,
                    check.negated,
                    some,
                    optional,
                    within,
                    line,
                )

    def _existing(self, conditions: Sequence[Sequence[GuardCheck]], scope: _Scope, context: Path) -> Iterator[Path]:
        """Yield the paths that conditions ask for to exist."""
        for check in walk(conditions):
            if check.operator == "exists" and not check.negated:
                path = _path(check.subject, scope, context)
                if path:
                    yield path

    def _call(self, check: GuardCheck, scope: _Scope, context: Path, calls: Sequence[str]) -> Iterator[Demand]:
        rule = self._called.get(check.subject)
        if rule is None:
            return
        given = [_Value(_path(each, scope, context), _literal(each, scope)) for each in check.arguments]
        inner = {
            **_assigned({}, self._structure.variables, ()),
            **dict(zip(rule.parameters or (), given, strict=False)),
        }
        yield from self._block(rule.body, inner, (), rule.body.start, (*calls, check.subject))


def _assigned(scope: _Scope, variables: Sequence[tuple[str, str]], context: Path) -> _Scope:
    found = dict(scope)
    for name, text in variables:
        found[name] = _Value(_path(text, found, context), _literal(text, found))
    return found


def _literal(text: str, scope: _Scope) -> str:
    text = text.strip()
    if text.startswith("%"):
        value = scope.get(text[1:])
        return "" if value is None else value.literal
    return text if _LITERAL.match(text) else ""


def _path(query: str, scope: _Scope, context: Path) -> Path | None:
    """Return the path of a query below a resource; None where the rules don't say it."""
    query = re.sub(r"^\s*(?:some|SOME)\s+", "", _without_filters(query)).strip()
    if _FUNCTION.match(query) or (_LITERAL.match(query) and not query.startswith(("'", '"'))):
        return None
    path: Path = context
    for number, found in enumerate(_PART.finditer(query)):
        quoted, name = found[1] or found[2], found[3]
        if name in {"this", "THIS"} and number == 0:
            continue
        if name is not None and name.startswith("%"):
            value = scope.get(name[1:]) if number == 0 else None
            if value is None or value.path is None:
                return None
            path = value.path
        elif (quoted or name) == "Resources" and number == 0:
            path = ()
        elif quoted or name:
            path = (*path, quoted or name)
        elif found[4] == "*":
            path = ()  # a resource, or a member of any name: the path is known from here on
    return path


def _without_filters(query: str) -> str:
    """Return a query without its bracketed filters; bracketed member names become `.'name'`."""
    found, depth = "", 0
    for token in re.finditer(r"\[\s*(['\"])(?P<name>[^'\"]*)\1\s*\]|'[^']*'|\"[^\"]*\"|.", query, re.DOTALL):
        if depth == 0 and token["name"] is not None:
            found += f".'{token['name']}'"
        elif token[0] == "[":
            depth += 1
        elif token[0] == "]":
            depth -= 1
        elif depth == 0:
            found += token[0]
    return found
