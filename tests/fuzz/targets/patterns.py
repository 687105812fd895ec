"""Java's regular expressions: parsed, written for three engines, matched within their limits.

An input is a pattern, or {"pattern": text, "value": text}.
"""

import contextlib

import jsonschema_rs

from formwork.patterns import PatternError, PatternTimeoutError, compile_pattern, to_python_re
from formwork.patterns.anchors import never_matches
from formwork.patterns.compiled import to_ecma
from formwork.patterns.danger import can_run_away
from formwork.patterns.parser import parse_pattern
from formwork.schema.validator import compile_validator
from fuzz.envelopes import bytes_of, read_envelope, whole_text

VALUES = ("", "abc", "arn:aws:s3:::a-b", "a" * 3_000 + "!", "é\n\u2028\U0001f600")


@contextlib.contextmanager
def opened():
    yield check


def check(data):
    envelope = read_envelope(data, "pattern")
    text = data.decode("utf-8", "replace") if envelope is None else whole_text(envelope["pattern"])
    values = VALUES if envelope is None else (whole_text(envelope.get("value", "")),)
    for function in (
        lambda: can_run_away(parse_pattern(text).root),
        lambda: never_matches(parse_pattern(text).root),
        lambda: to_python_re(text),
        lambda: to_ecma(text),
        lambda: _match(compile_pattern(text), values),
    ):
        with contextlib.suppress(PatternError):
            function()
    with contextlib.suppress(jsonschema_rs.ValidationError):
        validator = compile_validator({"pattern": text, "patternProperties": {text: {"type": "integer"}}})
        for value in values[:2]:
            list(validator.iter_errors(value))
            list(validator.iter_errors({value: value}))


def _match(pattern, values):
    for value in values:
        for match in (pattern.is_found_in, pattern.matches):
            with contextlib.suppress(PatternTimeoutError):
                match(value, seconds=0.05)


def seeds():
    for pattern in PATTERNS:
        yield pattern.encode()
        yield bytes_of({"pattern": pattern, "value": "aab-AB 12"})


PATTERNS = (
    r"^[a-z][a-z0-9-]{0,61}[a-z0-9]$",
    r"^arn:(aws[a-zA-Z-]*)?:s3:[a-z0-9-]*:\d{12}:[^\s]+$",
    r"(?<name>a|b)\k<name>\1?",
    r"(?i:x)(?=y)(?!z)(?<=w)(?<!v{1,3})(?>u+)",
    r"[\p{L}\p{Z}\p{N}_.:/=+\-@]*",
    r"[a-z&&[^aeiou]]+[\w&&[\d_]]",
    r"\Qa.b\E\x41\u0041\x{1F600}\cA\07\N{DIGIT ONE}",
    r"\A\b\B\G\z\Z$\R\h\H\v\V\X",
    r"(a+)+$|((a|aa)*b)*|(.*)*x",
    r"(?sixmdU)a # comment" + "\n.",
    r"\p{javaLowerCase}\p{IsAlphabetic}\P{Lu}\p{InGreek}\p{IsLatin}\p{script=Han}\p{Punct}",
    r"x{3}y{2,}?z{1,4}+a*?b++c??",
    r"[[:alpha:]\[\]\\^-]|^$|()|(?:)",
)
