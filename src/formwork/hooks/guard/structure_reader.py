"""Reads the structure of a file of Guard rules.

The engine evaluates rules and says neither where a check is nor what a file consists of. This reads as much of the
grammar as is needed to find where each check begins and ends; whether rules are valid is for the engine to say.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from formwork.hooks.guard.structure import CheckKind, GuardBlock, GuardCheck, GuardRule, GuardStructure

_SPACE = re.compile(r"(?:\s+|#[^\n]*)*")
_WORD = re.compile(r"[A-Za-z]\w*")
_STRING = re.compile(r"'.*?(?<!\\)'|\".*?(?<!\\)\"", re.DOTALL)
_REGEX = re.compile(r"/.+?(?<!\\)/", re.DOTALL)
_MESSAGE = re.compile(r"<<(?P<text>.*?)>>", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_RANGE = re.compile(r"r[\[(][^,\])]+,[^\])]+[\])]")
_TYPE = re.compile(r"[A-Za-z]\w*(?:::[A-Za-z]\w*)+")
_NOT = re.compile(r"(?:not|NOT)[ \t]+|!(?!=)")
_SOME = re.compile(r"(?:some|SOME)(?=[\s#])")
_WHEN = re.compile(r"(?:when|WHEN)(?=[\s#])")
_LET = re.compile(r"let(?=[\s#])")
_RULE = re.compile(r"rule(?=[\s#])")
_OR = re.compile(r"(?:or|OR|\|OR\|)(?=[\s#])")
_NOT_EMPTY = re.compile(r"(?:(?:not|NOT)[ \t]+|!)(?:empty|EMPTY)(?!\w)")
_UNARY = re.compile(r"(?P<not>(?:not|NOT)[ \t]+|!(?!=))?(?P<name>exists|EXISTS|empty|EMPTY|is_[a-z]+|IS_[A-Z]+)(?!\w)")
_BINARY = re.compile(r"(?P<not>(?:not|NOT)[ \t]+|!(?!=))?(?P<name>==|!=|>=|<=|>(?!>)|<(?!<)|(?:in|IN)(?!\w))")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class GuardStructureError(Exception):
    """Rules whose structure is not understood; the message has the line."""


def read_structure(text: str) -> GuardStructure:
    """Return the structure of a file of rules.

    Raises:
        GuardStructureError: the text is not understood at some place.
    """
    try:
        return _Reader(text).file()
    except RecursionError as error:
        raise GuardStructureError("nested too deep") from error


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]

    def file(self) -> GuardStructure:
        rules: list[GuardRule] = []
        clauses: list[Sequence[GuardCheck]] = []
        variables: list[tuple[str, str]] = []
        self._space()
        while self._at < len(self._text):
            if self._see(_LET):
                variables.append(self._assignment())
            elif self._see(_RULE):
                rules.append(self._rule())
            else:
                clauses.append(self._alternatives(self._check))
            self._space()
        return GuardStructure(self._text, rules, clauses, variables, self._lines)

    def _rule(self) -> GuardRule:
        start = self._at
        self._take(_RULE, "a rule")
        self._space()
        name_start, name = self._at, self._take(_WORD, "the name of a rule")
        parameters = None
        if self._text.startswith("(", self._at):
            parameters = _WORD.findall(self._balanced())
        self._space()
        conditions = self._conditions() if self._see(_WHEN) else ()
        body = self._block()
        return GuardRule(name, start, self._at, name_start, parameters, conditions, body)

    def _conditions(self) -> Sequence[Sequence[GuardCheck]]:
        self._take(_WHEN, "when")
        found = []
        self._space()
        while not self._text.startswith("{", self._at):
            found.append(self._alternatives(self._condition))
            self._space()
        return found

    def _block(self) -> GuardBlock:
        self._space()
        if not self._text.startswith("{", self._at):
            raise self._error("{")
        self._at += 1
        start = self._at
        checks: list[Sequence[GuardCheck]] = []
        variables: list[tuple[str, str]] = []
        self._space()
        while not self._text.startswith("}", self._at):
            if self._see(_LET):
                variables.append(self._assignment())
            else:
                checks.append(self._alternatives(self._check))
            self._space()
        self._at += 1
        return GuardBlock(start, checks, variables)

    def _assignment(self) -> tuple[str, str]:
        self._take(_LET, "let")
        self._space()
        name = self._take(_WORD, "the name of a variable")
        self._space()
        self._take(re.compile(":?="), "=")
        return name, self._value()

    def _alternatives(self, read: Callable[[], GuardCheck]) -> Sequence[GuardCheck]:
        found = [read()]
        while True:
            before = self._at
            self._space()
            if not self._see(_OR):
                self._at = before
                return found
            self._take(_OR, "or")
            self._space()
            found.append(read())

    def _check(self) -> GuardCheck:
        start = self._at
        if self._see(_WHEN):
            conditions = self._conditions()
            body = self._block()
            return GuardCheck(CheckKind.WHEN, start, self._at, "when", conditions=conditions, body=body)
        if self._see(_TYPE):
            return self._type(start)
        return self._clause(start, blocks=True)

    def _condition(self) -> GuardCheck:
        return self._clause(self._at, blocks=False)

    def _type(self, start: int) -> GuardCheck:
        name = self._take(_TYPE, "a type")
        self._space()
        conditions = self._conditions() if self._see(_WHEN) else ()
        body = self._block() if self._text.startswith("{", self._at) else GuardBlock(-1, [[self._check()]], ())
        return GuardCheck(CheckKind.TYPE, start, self._at, name, conditions=conditions, body=body)

    def _clause(self, start: int, *, blocks: bool) -> GuardCheck:
        negated = self._skip(_NOT)
        word = _WORD.match(self._text, self._at)
        if word and self._text.startswith("(", word.end()):
            self._at = word.end()
            arguments = _split(self._balanced())
            return self._told(CheckKind.CALL, start, word[0], negated=negated, arguments=arguments)
        before = self._at
        subject = self._access()
        after = self._at
        self._space()
        if blocks:
            place = self._at
            if self._skip(_NOT_EMPTY):
                self._space()
            if self._text.startswith("{", self._at):
                body = self._block()
                return GuardCheck(CheckKind.BLOCK, start, self._at, subject, body=body)
            self._at = place
        if found := _UNARY.match(self._text, self._at):
            self._at = found.end()
            negated ^= found["not"] is not None
            return self._told(CheckKind.CHECK, start, subject, operator=found["name"].lower(), negated=negated)
        if found := _BINARY.match(self._text, self._at):
            self._at = found.end()
            operator, operand = found["name"].lower(), self._value()
            negated ^= (found["not"] is not None) ^ (operator == "!=")
            operator = "==" if operator == "!=" else operator
            return self._told(CheckKind.CHECK, start, subject, operator=operator, operand=operand, negated=negated)
        if word and word.end() == after:
            self._at = after
            return self._told(CheckKind.REFERENCE, start, word[0], negated=negated)
        self._at = before
        raise self._error("a check")

    def _told(  # noqa: PLR0913 - one argument a field
        self,
        kind: CheckKind,
        start: int,
        subject: str,
        *,
        operator: str = "",
        operand: str = "",
        negated: bool = False,
        arguments: Sequence[str] = (),
    ) -> GuardCheck:
        """Return a check with the message that may follow it."""
        end = self._at
        self._space()
        found = _MESSAGE.match(self._text, self._at)
        self._at = found.end() if found else end
        span = found.span() if found else None
        message = found["text"] if found else None
        return GuardCheck(kind, start, self._at, subject, operator, operand, negated, message, span, arguments)

    def _access(self) -> str:
        start = self._at
        if self._skip(_SOME):
            self._space()
        if self._text.startswith("%", self._at):
            self._at += 1
            self._take(_WORD, "the name of a variable")
        elif not self._skip(_STRING):
            self._take(_WORD, "a property, a variable or a rule")
        while self._step():
            pass
        return self._text[start : self._at]

    def _step(self) -> bool:
        before = self._at
        self._space()
        if self._text.startswith("[", self._at):
            self._balanced()
            return True
        if self._text.startswith(".", self._at):
            self._at += 1
            if self._skip(re.compile(r"\*|%?[A-Za-z]\w*|-?\d+")) or self._skip(_STRING):
                return True
            raise self._error("the name of a property")
        self._at = before
        return False

    def _value(self) -> str:
        self._space()
        start = self._at
        if self._text.startswith(("[", "{"), self._at):
            self._balanced()
        elif any(self._skip(each) for each in (_REGEX, _RANGE, _NUMBER)):
            pass
        elif (string := _STRING.match(self._text, self._at)) is not None:
            self._at = string.end()
        elif (word := _WORD.match(self._text, self._at)) and self._text.startswith("(", word.end()):
            self._at = word.end()
            self._balanced()
        else:
            self._access()
        return self._text[start : self._at]

    def _balanced(self) -> str:
        """Skip a bracketed part, and return its text without the brackets."""
        start = self._at
        expected = [_CLOSING[self._text[self._at]]]
        self._at += 1
        while expected:
            self._space()
            if self._at >= len(self._text):
                raise self._error(expected[-1])
            character = self._text[self._at]
            if any(self._skip(each) for each in (_STRING, _REGEX, _MESSAGE, _RANGE)):
                continue
            if character == expected[-1]:
                expected.pop()
            elif character in _CLOSING:
                expected.append(_CLOSING[character])
            self._at = word.end() if (word := _WORD.match(self._text, self._at)) else self._at + 1
        return self._text[start + 1 : self._at - 1]

    def _space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _see(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self._text, self._at) is not None

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self._text, self._at)
        if found is not None:
            self._at = found.end()
        return found is not None

    def _take(self, pattern: re.Pattern[str], expected: str) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise self._error(expected)
        self._at = found.end()
        return found[0]

    def _error(self, expected: str) -> GuardStructureError:
        line = bisect_right(self._lines, self._at)
        return GuardStructureError(f"line {line}: expected {expected}")


def _split(arguments: str) -> list[str]:
    """Return arguments without the commas between them."""
    found, depth, start = [], 0, 0
    for token in re.finditer(rf"{_STRING.pattern}|[\[({{]|[\])}}]|,", arguments, re.DOTALL):
        if token[0] in _CLOSING:
            depth += 1
        elif token[0] in _CLOSING.values():
            depth -= 1
        elif token[0] == "," and depth == 0:
            found.append(arguments[start : token.start()].strip())
            start = token.end()
    return [*found, arguments[start:].strip()]
