"""Java's regular expressions, read as java.util.regex.Pattern reads them.

Its odd corners are kept, since CloudFormation has them: `x{2}{3}` is `x{2}`, `[]a]` holds a bracket, `[a&&b]` cuts,
an unknown letter after a backslash is an error.
"""

import re
from functools import cache

from formwork.patterns.charsets import LINE_ENDS
from formwork.patterns.classes import ClassReader
from formwork.patterns.pieces import is_bounded, unquote
from formwork.patterns.syntax import (
    MAX_CODE_POINT,
    MAX_LENGTH,
    MAX_NESTING,
    Anchor,
    BackReference,
    CharClass,
    Choice,
    FlaggedAnchor,
    Flags,
    Group,
    Mode,
    Node,
    Pattern,
    PatternError,
    Repeat,
    Sequence,
    Verbatim,
)

_FLAG_LETTERS = {
    "i": Flags.CASE_INSENSITIVE,
    "d": Flags.UNIX_LINES,
    "m": Flags.MULTILINE,
    "s": Flags.DOTALL,
    "u": Flags.UNICODE_CASE,
    "x": Flags.COMMENTS,
    "U": Flags.UNICODE_CLASSES | Flags.UNICODE_CASE,
}
_ANCHORS = {
    "b": Anchor.WORD,
    "B": Anchor.NO_WORD,
    "A": Anchor.START_OF_TEXT,
    "G": Anchor.START_OF_TEXT,
    "Z": Anchor.FINAL_LINE,
    "z": Anchor.END_OF_TEXT,
}
_LOOKS = {"=": "?=", "!": "?!", ">": "?>", ":": "?:"}
# Characters that stand for themselves, without the last one where it is repeated.
_LITERALS = re.compile(r"[A-Za-z0-9 _/:;,@=<>!%&~'\"`-]+(?![*+?{])")
_MAX_REPEAT = 2**31 - 1


def parse_pattern(text: str) -> Pattern:
    """Return the parts of `text`.

    Raises:
        PatternError: Java would refuse it, or it is over our bounds.
    """
    if len(text) > MAX_LENGTH:
        raise PatternError(f"the pattern has {len(text):,} characters; at most {MAX_LENGTH:,} are read", 0)
    unquoted = unquote(text)
    parser = _Parser(unquoted)
    root = parser.choice()
    if parser.at < len(unquoted):
        raise PatternError("a closing parenthesis without an opening one", parser.at)
    if unquoted != text:
        parser.java_only.add("\\Q")
    return Pattern(text, root, tuple(sorted(parser.java_only)), parser.groups)


@cache
def _plain_literal(character: str) -> CharClass:
    return CharClass(ranges=((ord(character), ord(character)),))


class _Parser(ClassReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.groups = 0
        self._names: dict[str, int] = {}

    def choice(self) -> Node:
        """Alternatives up to a closing parenthesis or the end; flags set inside end with it."""
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise self._fail(f"groups nest deeper than {MAX_NESTING} levels")
        outer = self._flags
        options = [self._sequence()]
        while self._take("|"):
            options.append(self._sequence())
        self._flags = outer
        self._nesting -= 1
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while True:
            if self._flags is Flags.NONE and (literals := _LITERALS.match(self._text, self.at)):  # two thirds of all
                parts += map(_plain_literal, literals[0])
                self.at = literals.end()
            self._skip_comments()
            if self._peek() in ("", "|", ")"):
                return parts[0] if len(parts) == 1 else Sequence(tuple(parts))
            atom = self._atom()
            if atom is not None:
                parts.append(self._repeat(atom))

    def _atom(self) -> Node | None:
        start = self.at
        character = self._next()
        match character:
            case "(":
                return self._group(start)
            case "[":
                return self._class()
            case "\\":
                return self._escape()
            case ".":
                return self._dot()
            case "^":
                return FlaggedAnchor(Anchor.BEGIN, self._flags)
            case "$":
                return FlaggedAnchor(Anchor.END, self._flags)
            case "*" | "+" | "?":
                raise self._fail(f'"{character}" has nothing to repeat', start)
            case "{":
                if not self._peek().isascii() or not self._peek().isdigit():
                    raise self._fail('"{" begins no repetition; write "\\\\{" for the character', start)
                self.at = start
                return Sequence(())  # Java repeats nothing here: `x{2}{3}` is `x{2}`
            case _:
                return self._literal(ord(character))

    def _literal(self, code_point: int) -> CharClass:
        return CharClass(ranges=((code_point, code_point),), flags=self._flags)

    def _dot(self) -> Node:
        if Flags.DOTALL in self._flags:
            return CharClass(ranges=((0, MAX_CODE_POINT),))
        ends = ((0x0A, 0x0A),) if Flags.UNIX_LINES in self._flags else LINE_ENDS
        return CharClass(ranges=ends, negated=True)

    def _repeat(self, atom: Node) -> Node:
        self._skip_comments()
        start = self.at
        match self._peek():
            case "*":
                low, high = 0, None
                self.at += 1
            case "+":
                low, high = 1, None
                self.at += 1
            case "?":
                low, high = 0, 1
                self.at += 1
            case "{":
                low, high = self._counts(start)
            case _:
                return atom
        mode = Mode.LAZY if self._take("?") else Mode.POSSESSIVE if self._take("+") else Mode.GREEDY
        if mode is Mode.POSSESSIVE:
            self.java_only.add("a possessive quantifier")
        if isinstance(atom, Sequence) and not atom.parts:
            return atom
        return Repeat(atom, low, high, mode)

    def _counts(self, start: int) -> tuple[int, int | None]:
        self.at += 1
        low = self._count(start)
        high: int | None = low
        if self._take(","):
            high = self._count(start) if self._peek() != "}" else None
        if not self._take("}"):
            raise self._fail('a repetition without its closing "}"', start)
        if high is not None and high < low:
            raise self._fail(f"a repetition of at least {low} and at most {high}", start)
        return low, high

    def _count(self, start: int) -> int:
        digits = ""
        while self._peek() and self._peek() in "0123456789":
            digits += self._next()
        if not digits:
            raise self._fail('"{" begins no repetition; write "\\\\{" for the character', start)
        if len(digits) > 10 or int(digits) > _MAX_REPEAT:
            raise self._fail("a repetition count is too large", start)
        return int(digits)

    def _group(self, start: int) -> Node | None:
        if not self._take("?"):
            self.groups += 1
            return self._closed("", start)
        if self._peek() in _LOOKS and self._peek():
            opener = _LOOKS[self._next()]
            if opener == "?>":
                self.java_only.add("an atomic group")
            return self._closed(opener, start)
        if self._take("<="):
            return self._behind("?<=", start)
        if self._take("<!"):
            return self._behind("?<!", start)
        if self._take("<"):
            self._name_group(start)
            return self._closed("", start)
        return self._flag_group(start)

    def _closed(self, opener: str, start: int) -> Group:
        body = self.choice()
        if not self._take(")"):
            raise self._fail("an opening parenthesis is never closed", start)
        return Group(opener, body)

    def _behind(self, opener: str, start: int) -> Group:
        group = self._closed(opener, start)
        if not is_bounded(group.body):
            raise self._fail("a look-behind has no greatest length", start)
        return group

    def _name_group(self, start: int) -> None:
        name = self._group_name()
        if name in self._names:
            raise self._fail(f'two groups are named "{name}"', start)
        self.groups += 1
        self._names[name] = self.groups

    def _group_name(self) -> str:
        start = self.at
        while self._peek().isascii() and self._peek().isalnum():
            self.at += 1
        name = self._text[start : self.at]
        if not name or not name[0].isalpha() or not self._take(">"):
            raise self._fail("a group's name is a letter, then letters and digits", start)
        return name

    def _flag_group(self, start: int) -> Node | None:
        on, flags = True, self._flags
        while True:
            letter = self._next()
            if letter == "-" and on:
                on = False
            elif letter in _FLAG_LETTERS:
                flags = flags | _FLAG_LETTERS[letter] if on else flags & ~_FLAG_LETTERS[letter]
            elif letter == ")":
                self.java_only.add("an inline flag")
                self._flags = flags
                return None
            elif letter == ":":
                self.java_only.add("an inline flag")
                outer, self._flags = self._flags, flags
                group = self._closed("?:", start)
                self._flags = outer
                return group
            else:
                raise self._fail(f'"(?{self._text[start + 2 : self.at]}" does not begin a group', start)

    # Escapes

    def _escape(self) -> Node | None:
        start = self.at - 1
        letter = self._next()
        if letter in _ANCHORS:
            if letter in "AGZz":
                self.java_only.add(f"\\{letter}")
            return FlaggedAnchor(_ANCHORS[letter], self._flags)
        if letter in "123456789":
            return self._back_reference(letter)
        if letter == "k":
            return self._named_reference(start)
        if letter == "R":
            self.java_only.add("\\R")
            return Verbatim("(?:\\r\\n|[\\n\\x0b\\f\\r\\x85\\u2028\\u2029])")
        if letter == "X":
            self.java_only.add("\\X")
            return Verbatim("\\X")
        found = self._class_escape(letter, start)
        return found if found is not None else self._literal(self._code_point(letter, start))

    def _back_reference(self, digit: str) -> BackReference:
        number = int(digit)
        while self._peek() and self._peek() in "0123456789" and number * 10 + int(self._peek()) <= self.groups:
            number = number * 10 + int(self._next())
        return BackReference(number if number <= self.groups else 0, self._flags)

    def _named_reference(self, start: int) -> BackReference:
        if not self._take("<"):
            raise self._fail("\\k without a group's name", start)
        name = self._group_name()
        if name not in self._names:
            raise self._fail(f'group "{name}" not found', start)
        return BackReference(self._names[name], self._flags)
