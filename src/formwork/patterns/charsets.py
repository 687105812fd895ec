"""The named character sets of Java's regular expressions."""

import re

from formwork.patterns.syntax import MAX_CODE_POINT, CharClass, Flags, PatternError, UnicodeProperty

Ranges = tuple[tuple[int, int], ...]

DIGIT: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = ((0x09, 0x0D), (0x20, 0x20))
HORIZONTAL: Ranges = (
    (0x09, 0x09),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x180E, 0x180E),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
VERTICAL: Ranges = ((0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029))
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x85, 0x85), (0x2028, 0x2029))

# US-ASCII only, unless (?U) is on.
POSIX: dict[str, Ranges] = {
    "Lower": ((0x61, 0x7A),),
    "Upper": ((0x41, 0x5A),),
    "ASCII": ((0x00, 0x7F),),
    "Alpha": ((0x41, 0x5A), (0x61, 0x7A)),
    "Digit": DIGIT,
    "Alnum": ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)),
    "Punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "Graph": ((0x21, 0x7E),),
    "Print": ((0x20, 0x7E),),
    "Blank": ((0x09, 0x09), (0x20, 0x20)),
    "Cntrl": ((0x00, 0x1F), (0x7F, 0x7F)),
    "XDigit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
    "Space": SPACE,
}
_CATEGORIES = frozenset(
    (
        *("C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "LC", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn"),
        *("N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So"),
        *("Z", "Zl", "Zp", "Zs"),
    )
)
_BINARY = {
    name.upper(): name
    for name in (
        *("Alphabetic", "Ideographic", "Lowercase", "Uppercase", "White_Space", "Hex_Digit", "Assigned"),
        *("Noncharacter_Code_Point", "Alnum", "Blank", "Graph", "Print", "Word", "Join_Control"),
    )
}
_BINARY |= {"WHITESPACE": "White_Space", "HEXDIGIT": "Hex_Digit", "TITLECASE": "Lt", "LETTER": "L", "CONTROL": "Cc"}
_BINARY |= {"PUNCTUATION": "P", "DIGIT": "Nd"}
_JAVA = {
    "javaLowerCase": "Lowercase",
    "javaUpperCase": "Uppercase",
    "javaAlphabetic": "Alphabetic",
    "javaIdeographic": "Ideographic",
    "javaTitleCase": "Lt",
    "javaDigit": "Nd",
    "javaLetter": "L",
    "javaDefined": "Assigned",
}
_NAME = re.compile(r"[A-Za-z0-9 _-]+")


def predefined(letter: str, flags: Flags) -> CharClass:
    r"""Return the class of `\d`, `\w`, `\s`, `\h` or `\v`; for an upper-case letter its complement."""
    ranges = {"d": DIGIT, "w": WORD, "s": SPACE, "h": HORIZONTAL, "v": VERTICAL}[letter.lower()]
    if Flags.UNICODE_CLASSES in flags and letter in "dDwWsS":
        name = {"d": "Nd", "w": "Word", "s": "White_Space"}[letter.lower()]
        return CharClass(properties=(UnicodeProperty(name, negated=letter.isupper()),))
    return CharClass(ranges=ranges, negated=letter.isupper())


_POSIX_UNICODE = {
    "Lower": "Lowercase",
    "Upper": "Uppercase",
    "Alpha": "Alphabetic",
    "Digit": "Nd",
    "Alnum": "Alnum",
    "Punct": "P",
    "Graph": "Graph",
    "Print": "Print",
    "Blank": "Blank",
    "Cntrl": "Cc",
    "XDigit": "Hex_Digit",
    "Space": "White_Space",
}
# With (?i) a property that asks for one case is read as asking for any.
_ANY_CASE = {"Lu": "LC", "Ll": "LC", "Lt": "LC", "Lower": "Alpha", "Upper": "Alpha"}
_ONE_CASE = frozenset({"Lowercase", "Uppercase", "Lt", "Lu", "Ll"})
_CASED = (UnicodeProperty("Lu"), UnicodeProperty("Ll"), UnicodeProperty("Lt"))


def named_class(name: str, position: int, flags: Flags, *, negated: bool) -> CharClass:
    r"""Return the class of `\p{name}`, or with `negated` of `\P{name}`.

    Raises:
        PatternError: Java has no such property, or the `regex` package lacks it.
    """
    if Flags.CASE_INSENSITIVE in flags:
        name = _ANY_CASE.get(name, name)
    if Flags.UNICODE_CLASSES in flags and name in _POSIX_UNICODE:
        return CharClass(properties=(UnicodeProperty(_POSIX_UNICODE[name], negated),))
    if name in POSIX:
        return CharClass(ranges=POSIX[name], negated=negated)
    if name in ("L1", "all"):
        return CharClass(ranges=((0, 0xFF if name == "L1" else MAX_CODE_POINT),), negated=negated)
    known = _property_name(name)
    if known is None or (known != "LC" and not _is_supported(known)):
        raise PatternError(f'unknown character property "{name}"', position)
    if known == "LC" or (Flags.CASE_INSENSITIVE in flags and known in _ONE_CASE):
        return CharClass(properties=_CASED, negated=negated)
    return CharClass(properties=(UnicodeProperty(known, negated),))


def _property_name(name: str) -> str | None:
    if name in _CATEGORIES:
        return name
    if name in _JAVA:
        return _JAVA[name]
    keyword, equals, value = name.partition("=")
    if equals and _NAME.fullmatch(value):
        match keyword.lower():
            case "script" | "sc":
                return f"Script={value}"
            case "block" | "blk":
                return f"Block={value}"
            case "general_category" | "gc" if value in _CATEGORIES:
                return value
            case _:
                return None
    if not _NAME.fullmatch(name):
        return None
    if name.startswith("In"):
        return f"Block={name[2:]}"
    if name.startswith("Is"):
        rest = name[2:]
        return rest if rest in _CATEGORIES else _BINARY.get(rest.upper()) or f"Script={rest}"
    return None


def _is_supported(name: str) -> bool:
    import regex  # noqa: PLC0415 - 20 ms, only for properties

    try:
        regex.compile(rf"\p{{{name}}}")
    except regex.error:
        return False
    return True
