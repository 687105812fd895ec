"""Escapes that stand for characters, alone or in a class."""

from formwork.patterns.charsets import named_class, predefined
from formwork.patterns.cursor import PatternCursor
from formwork.patterns.syntax import MAX_CODE_POINT, CharClass

_CONTROL = {"t": 0x09, "n": 0x0A, "r": 0x0D, "f": 0x0C, "a": 0x07, "e": 0x1B}
_HEX = frozenset("0123456789abcdefABCDEF")


class EscapeReader(PatternCursor):
    """Reads what follows a backslash; `start` is the backslash's place."""

    def _class_escape(self, letter: str, start: int) -> CharClass | None:
        if letter in "dDwWsS":
            return predefined(letter, self._flags)
        if letter in "hHvV":
            self.java_only.add(f"\\{letter}")
            return predefined(letter, self._flags)
        if letter in "pP":
            self.java_only.add("\\p")
            return named_class(self._property_name(start), start, self._flags, negated=letter == "P")
        return None

    def _property_name(self, start: int) -> str:
        if not self._take("{"):
            return self._next()
        end = self._text.find("}", self.at)
        if end < 0:
            raise self._fail('a character property without its closing "}"', start)
        name, self.at = self._text[self.at : end], end + 1
        return name

    def _code_point(self, letter: str, start: int) -> int:
        if letter in _CONTROL:
            if letter in "ae":
                self.java_only.add(f"\\{letter}")
            return _CONTROL[letter]
        match letter:
            case "0":
                return self._octal(start)
            case "x":
                return self._hexadecimal(start)
            case "u":
                return self._unicode(start)
            case "c":
                return ord(self._next()) ^ 64
            case _ if letter.isascii() and letter.isalpha():
                raise self._fail(f'"\\{letter}" is not an escape that Java knows', start)
            case _:
                return ord(letter)

    def _octal(self, start: int) -> int:
        self.java_only.add("\\0")
        digits = ""
        while len(digits) < 3 and self._peek() and self._peek() in "01234567" and int(digits + self._peek(), 8) < 256:
            digits += self._next()
        if not digits:
            raise self._fail("\\0 without octal digits", start)
        return int(digits, 8)

    def _hexadecimal(self, start: int) -> int:
        if not self._take("{"):
            return self._digits(2, start)
        self.java_only.add("\\x{}")
        end = self._text.find("}", self.at)
        digits = self._text[self.at : end] if end >= 0 else ""
        if not digits or not _HEX.issuperset(digits) or len(digits) > 8 or int(digits, 16) > MAX_CODE_POINT:
            raise self._fail("\\x{…} is not a character", start)
        self.at = end + 1
        return int(digits, 16)

    def _unicode(self, start: int) -> int:
        code = self._digits(4, start)
        if 0xD800 <= code < 0xDC00 and self._text.startswith("\\u", self.at):
            resume = self.at
            self.at += 2
            low = self._digits(4, start)
            if 0xDC00 <= low < 0xE000:
                return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            self.at = resume
        return code

    def _digits(self, count: int, start: int) -> int:
        digits = self._text[self.at : self.at + count]
        if len(digits) < count or not _HEX.issuperset(digits):
            raise self._fail(f"an escape without its {count} hexadecimal digits", start)
        self.at += count
        return int(digits, 16)
