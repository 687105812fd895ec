"""The parts of a Java regular expression."""

from enum import Enum, Flag, auto
from typing import TypeAlias

from msgspec import Struct

MAX_LENGTH = 20_000  # characters; real ones stay under 5,000
MAX_NESTING = 60  # groups and classes inside one another
MAX_CODE_POINT = 0x10FFFF


class PatternError(ValueError):
    """A text that Java refuses as a regular expression, or one over our bounds; `position` counts from 0."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class Flags(Flag):
    """Modes that change what follows in the pattern; CI is ASCII only unless UNICODE_CASE is on too."""

    NONE = 0
    CASE_INSENSITIVE = auto()
    UNIX_LINES = auto()
    MULTILINE = auto()
    DOTALL = auto()
    UNICODE_CASE = auto()
    COMMENTS = auto()
    UNICODE_CLASSES = auto()


class Mode(Enum):
    """How a repeat takes its turns."""

    GREEDY = ""
    LAZY = "?"
    POSSESSIVE = "+"


class Anchor(Enum):
    """A place between characters."""

    BEGIN = auto()
    END = auto()
    END_OF_TEXT = auto()
    FINAL_LINE = auto()
    START_OF_TEXT = auto()
    WORD = auto()
    NO_WORD = auto()


class UnicodeProperty(Struct, frozen=True):
    """A Unicode property, by the name that the `regex` package has for it."""

    name: str
    negated: bool = False


class CharClass(Struct, frozen=True):
    """A set of characters: the union of ranges, properties and classes, cut with each of `cuts`, maybe negated."""

    ranges: tuple[tuple[int, int], ...] = ()
    properties: tuple[UnicodeProperty, ...] = ()
    classes: tuple["CharClass", ...] = ()
    cuts: tuple["CharClass", ...] = ()
    negated: bool = False
    flags: Flags = Flags.NONE


class FlaggedAnchor(Struct, frozen=True):
    """An anchor and the flags that it is read under."""

    anchor: Anchor
    flags: Flags


class BackReference(Struct, frozen=True):
    """What a group matched; `group` is its number, 0 for a group that doesn't exist: that never matches."""

    group: int
    flags: Flags


class Verbatim(Struct, frozen=True):
    r"""A construct that reads the same in every engine, such as `\X`."""

    text: str


class Repeat(Struct, frozen=True):
    """`body` at least `low`, at most `high` times (None: without end)."""

    body: "Node"
    low: int
    high: int | None
    mode: Mode


class Group(Struct, frozen=True):
    """Parentheses: `opener` is what follows the bracket in `regex` (`?:`, `?=`, `?<!`, `?>`, "" to capture)."""

    opener: str
    body: "Node"


class Sequence(Struct, frozen=True):
    """Patterns that match one after the other."""

    parts: tuple["Node", ...]


class Choice(Struct, frozen=True):
    """Alternatives, of which one matches."""

    options: tuple["Node", ...]


Node: TypeAlias = CharClass | FlaggedAnchor | BackReference | Verbatim | Repeat | Group | Sequence | Choice


class Pattern(Struct, frozen=True):
    """A parsed pattern; `java_only` names the constructs that ECMA-262 lacks or reads otherwise."""

    text: str
    root: Node
    java_only: tuple[str, ...]
    groups: int
