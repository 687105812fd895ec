"""The tokens of the IDL: one regular expression cuts a text into contiguous tokens."""

import re
from enum import IntEnum


class Token(IntEnum):
    """Kinds of tokens; those up to COMMENT are whitespace, ERROR stands for whatever cannot be a token."""

    SPACE = 1
    NEWLINE = 2
    COMMA = 3
    COMMENT = 4
    DOC_COMMENT = 5
    IDENTIFIER = 6
    STRING = 7
    TEXT_BLOCK = 8
    NUMBER = 9
    WALRUS = 10
    COLON = 11
    LBRACE = 12
    RBRACE = 13
    LBRACKET = 14
    RBRACKET = 15
    LPAREN = 16
    RPAREN = 17
    EQUAL = 18
    AT = 19
    DOT = 20
    POUND = 21
    DOLLAR = 22
    EOF = 23
    ERROR = 24


_UNESCAPED = r"[^\"\\\x00-\x08\x0b\x0c\x0e-\x1f]"
_ESCAPE = r"\\(?:[\"\\/bfnrt\n\r]|u[0-9A-Fa-f]{4})"
# In the order of Token's values: the number of the group that matched is the token's kind. The groups after the 22nd
# are the ways to be an ERROR.
_PATTERN = re.compile(
    r"""
    ([ \t]++)
    |(\r\n?|\n)
    |(,)
    |(//(?!/)[^\r\n]*+(?:\r\n?|\n)?)
    |(///[^\r\n]*+(?:\r\n?|\n)?)
    |((?:[A-Za-z]|_++[A-Za-z0-9])[A-Za-z0-9_]*+)
    |("(?!"")(?:U|E)*+")
    |(\"\"\"(?=\r|\n)(?:U|E|"(?!""))*+\"\"\")
    |((?!B)-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
    |(:=)
    |(:)
    |(\{)
    |(\})
    |(\[)
    |(\])
    |(\()
    |(\))
    |(=)
    |(@)
    |(\.)
    |(\#)
    |(\$)
    |(\"\"\"(?:[^"\\]|\\.|"(?!""))*+(?:\"\"\"|\Z|\\\Z))
    |("(?:[^"\\]|\\.)*+(?:"|\Z|\\\Z))
    |(B)
    |(_++[^A-Za-z0-9_]?)
    |(.)
    """.replace("U", _UNESCAPED)
    .replace("|E", "|" + _ESCAPE)
    .replace("B", r"(?:-(?![0-9])|-?[0-9]++(?:\.(?![0-9])|(?:\.[0-9]++)?[eE][+-]?+(?![0-9])))"),
    re.VERBOSE | re.DOTALL,
)

_DISPLAY = {
    Token.SPACE: "SPACE(' ')",
    Token.NEWLINE: "NEWLINE('\\n')",
    Token.COMMA: "COMMA(',')",
    Token.STRING: "STRING('\"')",
    Token.TEXT_BLOCK: 'TEXT_BLOCK(\'"""\')',
    Token.WALRUS: "WALRUS(':=')",
    Token.COLON: "COLON(':')",
    Token.LBRACE: "LBRACE('{')",
    Token.RBRACE: "RBRACE('}')",
    Token.LBRACKET: "LBRACKET('[')",
    Token.RBRACKET: "RBRACKET(']')",
    Token.LPAREN: "LPAREN('(')",
    Token.RPAREN: "RPAREN(')')",
    Token.EQUAL: "EQUAL('=')",
    Token.AT: "AT('@')",
    Token.DOT: "DOT('.')",
    Token.POUND: "POUND('#')",
    Token.DOLLAR: "DOLLAR('$')",
}


def tokenize(text: str) -> tuple[list[int], list[int]]:
    """Return the kinds of the tokens of `text` and where each starts; a token ends where the next one starts.

    Two EOF tokens close the lists, so that looking one token ahead needs no check.
    """
    kinds: list[int] = []
    starts: list[int] = []
    error = Token.ERROR.value
    last = Token.DOLLAR.value
    for match in _PATTERN.finditer(text):
        kind = match.lastindex or error
        kinds.append(kind if kind <= last else error)
        starts.append(match.start())
    kinds += [Token.EOF, Token.EOF]
    starts += [len(text), len(text)]
    return kinds, starts


def display_expected(kind: Token) -> str:
    """Return a kind as messages name it when it was expected: IDENTIFIER, COLON(':')."""
    return _DISPLAY.get(kind, kind.name)


def display_found(kind: Token, lexeme: str) -> str:
    """Return a token as messages name it when it was found: EOF, IDENTIFIER('abc')."""
    return kind.name if kind is Token.EOF else f"{kind.name}('{lexeme}')"
