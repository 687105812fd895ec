"""Bracketed classes: ranges, classes inside classes, classes cut with &&."""

import re
from functools import lru_cache

from formwork.patterns.escapes import EscapeReader
from formwork.patterns.pieces import ClassUnion
from formwork.patterns.syntax import MAX_NESTING, CharClass, Flags, PatternError

# Classes without other classes in them, read once: a few are in most patterns.
_PLAIN = re.compile(
    r"\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[A-Za-z0-9_./:;,@ =+%*!?#~()|<>$]|\\[^A-Za-z0-9]|\\[dDsSwW])+-?\]"
)


class ClassReader(EscapeReader):
    """Reads a class from its opening bracket to its closing one."""

    def _class(self) -> CharClass:
        """Return a bracketed class, its "[" read."""
        start = self.at - 1
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise self._fail(f"classes nest deeper than {MAX_NESTING} levels")
        plain = _PLAIN.match(self._text, start) if self._flags is Flags.NONE else None
        if plain is not None and (known := _read_plain(plain[0])) is not None:
            self.at = plain.end()
        else:
            known = self._any_class(start)
        self._nesting -= 1
        return known

    def _any_class(self, start: int) -> CharClass:
        negated = self._take("^")
        union = ClassUnion(self._flags)
        cuts: list[CharClass] = []
        while True:
            self._skip_comments()
            if self._peek() == "]" and (union.has_any or cuts):
                self.at += 1
                break
            if not self._peek():
                raise self._fail("unclosed character class", start)
            if self._take("&&"):
                self.java_only.add("a class cut with &&")
                cuts += self._cut()
                continue
            self._class_item(union)
        if not union.has_any:  # `[&&a]` is `[a]`
            union.add(cuts.pop(0))
        return union.build(tuple(cuts), negated=negated)

    def _cut(self) -> list[CharClass]:
        """Parse and return the operand between `&&` and the next `&&` or the end of the class."""
        right = ClassUnion(self._flags)
        while self._peek() not in ("", "]") and not self._text.startswith("&&", self.at):
            self._class_item(right)
            self._skip_comments()
        return [right.build((), negated=False)] if right.has_any else []

    def _class_item(self, union: ClassUnion) -> None:
        start = self.at
        character = self._next()
        if character == "[":
            self.java_only.add("a class inside a class")
            union.add(self._class())
            return
        if character == "\\":
            letter = self._next()
            found = self._class_escape(letter, start)
            if found is not None:
                union.add(found)
                return
            if letter in "bBAGZzkRX123456789":
                raise self._fail(f'"\\{letter}" has no meaning in a character class', start)
            low = self._code_point(letter, start)
        else:
            low = ord(character)
        union.add_range(low, self._range_end(low, start))

    def _range_end(self, low: int, start: int) -> int:
        if self._peek() != "-" or self._peek(1) in ("", "]", "["):
            return low
        if self._peek(1) == "&" and self._peek(2) == "&":
            return low
        resume = self.at
        self.at += 1
        character = self._next()
        if character == "\\":
            letter = self._next()
            if letter in "dDwWsShHvVpP":
                self.at = resume  # `a-\d`: the hyphen is a character
                return low
            high = self._code_point(letter, start)
        else:
            high = ord(character)
        if high < low:
            raise self._fail(f'the range "{self._text[start : self.at]}" runs backwards', start)
        return high


@lru_cache(maxsize=1024)
def _read_plain(text: str) -> CharClass | None:
    """Return a plain class; None where it is not one, and where it is wrong: errors name places in the pattern."""
    reader = ClassReader(text)
    reader.at = 1
    try:
        found = reader._any_class(0)  # noqa: SLF001 - of its own class
    except PatternError:
        return None
    return found if reader.at == len(text) and not reader.java_only else None
