"""A parsed pattern, written for another engine."""

from enum import Enum, auto
from functools import cache
from typing import assert_never

from formwork.patterns.syntax import (
    MAX_CODE_POINT,
    Anchor,
    BackReference,
    CharClass,
    Choice,
    FlaggedAnchor,
    Flags,
    Group,
    Mode,
    Node,
    Repeat,
    Sequence,
    UnicodeProperty,
    Verbatim,
)

_LINE_END = "[\\n\\r\\x85\\u2028\\u2029]"
# For generators a class with properties ends before the CJK blocks: fewer characters, and worked out in a moment.
_LAST_GENERATED = 0x2FFF
_ECMA_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
_FOLDS = Flags.CASE_INSENSITIVE | Flags.UNICODE_CASE
_NOT_SPLITTING = "(?!(?<=\\r)\\n)"  # no line ends between CR and LF


class PatternEngine(Enum):
    """The engine that a pattern is translated for."""

    REGEX = auto()  # the `regex` package, version 1 behaviour
    RE = auto()  # Python's own, for generators: means the same or less, never more
    ECMA = (
        auto()
    )  # JavaScript's, which jsonschema-rs asks of the keys of patternProperties; ends no text in a line break


class CannotEmitError(ValueError):
    """The engine has nothing for a construct of the pattern."""


def emit(node: Node, engine: PatternEngine) -> str:  # noqa: C901 - one case a kind of node
    """Return the text of `node` for `engine`.

    Raises:
        CannotEmitError: the engine can't express it; never for `REGEX`.
    """
    match node:
        case CharClass():
            return _emit_class(node, engine)
        case FlaggedAnchor():
            return _emit_place(node, engine)
        case BackReference():
            return _emit_reference(node, engine)
        case Verbatim():
            if (node.text == "\\X" and engine is not PatternEngine.REGEX) or engine is PatternEngine.ECMA:
                raise CannotEmitError(node.text)
            return node.text
        case Repeat():
            return _emit_repeat(node, engine)
        case Group():
            if node.opener == "?>" and engine is PatternEngine.ECMA:
                raise CannotEmitError("an atomic group")
            return f"({node.opener}{emit(node.body, engine)})"
        case Sequence():
            return "".join(
                f"(?:{emit(each, engine)})" if isinstance(each, Choice) else emit(each, engine) for each in node.parts
            )
        case Choice():
            return "|".join(emit(each, engine) for each in node.options)
        case _:
            assert_never(node)


def _emit_repeat(node: Repeat, engine: PatternEngine) -> str:
    if node.mode is Mode.POSSESSIVE and engine is PatternEngine.ECMA:
        raise CannotEmitError("a possessive quantifier")
    body = emit(node.body, engine)
    if not isinstance(node.body, (CharClass, Group)) or (
        isinstance(node.body, Group) and node.body.opener not in ("", "?:")
    ):
        body = f"(?:{body})"
    if node.high is None:
        counts = {0: "*", 1: "+"}.get(node.low, f"{{{node.low},}}")
    elif (node.low, node.high) == (0, 1):
        counts = "?"
    else:
        counts = f"{{{node.low}}}" if node.low == node.high else f"{{{node.low},{node.high}}}"
    return body + counts + node.mode.value


def _emit_reference(node: BackReference, engine: PatternEngine) -> str:
    if node.group == 0:
        return "(?!)"
    if engine is PatternEngine.ECMA:
        raise CannotEmitError("a back reference")
    reference = f"(?:\\{node.group})"
    return f"(?i:{reference})" if Flags.CASE_INSENSITIVE in node.flags else reference


def _emit_place(node: FlaggedAnchor, engine: PatternEngine) -> str:
    end = "$" if engine is PatternEngine.ECMA else "\\Z"
    start = "^" if engine is PatternEngine.ECMA else "\\A"
    multiline = Flags.MULTILINE in node.flags
    match node.anchor:
        case Anchor.START_OF_TEXT:
            return start
        case Anchor.BEGIN if not multiline:
            return start
        case Anchor.BEGIN | Anchor.END if engine is PatternEngine.ECMA and multiline:
            raise CannotEmitError("(?m)")
        case Anchor.BEGIN:
            # Java finds no line's beginning at the end of the text, not even of an empty one.
            if Flags.UNIX_LINES in node.flags:
                return f"(?:(?:\\A|(?<=\\n))(?!{end}))"
            return f"(?:(?:\\A|(?<=[\\n\\x85\\u2028\\u2029])|(?<=\\r)(?!\\n))(?!{end}))"
        case Anchor.END_OF_TEXT:
            return end
        case Anchor.WORD:
            return "\\b"
        case Anchor.NO_WORD:
            return "\\B"
        case Anchor.END | Anchor.FINAL_LINE:
            return _emit_end(node, engine, end)
        case _:
            assert_never(node.anchor)


def _emit_end(node: FlaggedAnchor, engine: PatternEngine, end: str) -> str:
    if engine is not PatternEngine.REGEX:
        return end  # a generator need not end its texts with a line break
    unix = Flags.UNIX_LINES in node.flags
    if Flags.MULTILINE in node.flags and node.anchor is Anchor.END:
        return f"(?={end}|\\n)" if unix else f"(?={end}|{_NOT_SPLITTING}{_LINE_END})"
    if unix:
        return f"(?=\\n?{end})"
    return f"{_NOT_SPLITTING}(?=(?:\\r\\n|{_LINE_END})?{end})"


def _emit_class(node: CharClass, engine: PatternEngine) -> str:
    if node == CharClass(ranges=((0, MAX_CODE_POINT),)):
        return "(?s:.)" if engine is PatternEngine.REGEX else "[\\s\\S]"
    if not node.properties and not node.classes and not node.cuts:
        return _emit_ranges(node.ranges, engine, negated=node.negated, flags=node.flags)
    if engine is PatternEngine.RE or (engine is PatternEngine.ECMA and not _is_ecma(node)):
        ranges = _evaluate(node, _LAST_GENERATED if engine is PatternEngine.RE else MAX_CODE_POINT)
        return _emit_ranges(ranges, engine, negated=False, flags=Flags.NONE)
    return _emit_set(node, engine)


def _is_ecma(node: CharClass) -> bool:
    known = all(len(each.name) < 3 or each.name.startswith("Script=") for each in node.properties)
    return known and not node.classes and not node.cuts


def _emit_set(node: CharClass, engine: PatternEngine) -> str:
    """For engines that have Unicode properties; classes in classes and `&&` are for `regex` alone."""
    inner = "".join(_range_text(low, high, engine) for low, high in _with_cases(node.ranges, node.flags))
    inner += "".join(f"\\{'P' if each.negated else 'p'}{{{each.name}}}" for each in node.properties)
    inner += "".join(_emit_set(each, engine) for each in node.classes)
    if node.cuts:
        inner = "&&".join([f"[{inner}]", *(_emit_set(each, engine) for each in node.cuts)])
    text = f"[{'^' if node.negated else ''}{inner}]"
    return f"(?i:{text})" if node.flags & _FOLDS == _FOLDS else text


def _emit_ranges(ranges: tuple[tuple[int, int], ...], engine: PatternEngine, *, negated: bool, flags: Flags) -> str:
    if not ranges:
        return "[\\s\\S]" if negated else "(?!)"
    cased = _with_cases(ranges, flags)
    folds = flags & _FOLDS == _FOLDS
    if len(cased) == 1 and cased[0][0] == cased[0][1] and not negated:
        text = _character(cased[0][0], engine)
    else:
        text = f"[{'^' if negated else ''}{''.join(_range_text(low, high, engine) for low, high in cased)}]"
    return f"(?i:{text})" if folds else text


def _with_cases(ranges: tuple[tuple[int, int], ...], flags: Flags) -> tuple[tuple[int, int], ...]:
    """Add the other case of ASCII letters under (?i); Java folds other letters only under (?u)."""
    if Flags.CASE_INSENSITIVE not in flags:
        return ranges
    added = []
    for low, high in ranges:
        for first, last, shift in ((0x41, 0x5A, 32), (0x61, 0x7A, -32)):
            if low <= last and high >= first:
                added.append((max(low, first) + shift, min(high, last) + shift))
    return (*ranges, *(pair for pair in added if pair not in ranges))


def _range_text(low: int, high: int, engine: PatternEngine) -> str:
    return _character(low, engine) if low == high else f"{_character(low, engine)}-{_character(high, engine)}"


def _character(code_point: int, engine: PatternEngine) -> str:
    character = chr(code_point)
    if character.isascii() and character.isalnum():
        return character
    if character.isascii() and character.isprintable() and character not in " #":
        plain = engine is PatternEngine.ECMA and character not in _ECMA_SYNTAX
        return character if plain else "\\" + character
    if code_point <= 0xFF:
        return f"\\x{code_point:02x}"
    if code_point <= 0xFFFF:
        return f"\\u{code_point:04x}"
    return f"\\u{{{code_point:x}}}" if engine is PatternEngine.ECMA else f"\\U{code_point:08x}"


def _evaluate(node: CharClass, last: int) -> tuple[tuple[int, int], ...]:
    """Return the ranges of a class up to code point `last`, for engines without properties or set operations."""
    ranges = [(low, min(high, last)) for low, high in _with_cases(node.ranges, node.flags) if low <= last]
    for each in node.properties:
        ranges += _property_ranges(each, last)
    for inner in node.classes:
        ranges += _evaluate(inner, last)
    result = _merge(ranges)
    for cut in node.cuts:
        result = _intersect(result, _evaluate(cut, last), last)
    return _invert(result, last) if node.negated else result


@cache
def _property_ranges(each: UnicodeProperty, last: int) -> tuple[tuple[int, int], ...]:
    import regex  # noqa: PLC0415 - only for properties

    text = "".join(map(chr, range(last + 1)))
    kind = "P" if each.negated else "p"
    return tuple(
        (match.start(), match.end() - 1) for match in regex.finditer(rf"\{kind}{{{each.name}}}+", text, regex.V1)
    )


def _merge(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _invert(ranges: tuple[tuple[int, int], ...], last: int) -> tuple[tuple[int, int], ...]:
    inverted, start = [], 0
    for low, high in ranges:
        if start < low:
            inverted.append((start, low - 1))
        start = high + 1
    if start <= last:
        inverted.append((start, last))
    return tuple(inverted)


def _intersect(
    left: tuple[tuple[int, int], ...], right: tuple[tuple[int, int], ...], last: int
) -> tuple[tuple[int, int], ...]:
    return _invert(_merge([*_invert(left, last), *_invert(right, last)]), last)
