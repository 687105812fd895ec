"""Regular expressions as extension schemas write them: Java's dialect, because CloudFormation checks them with Java.

A pattern is parsed once and translated for the engine at hand: the `regex` package to match, Python's `re` to
generate, jsonschema-rs's for the keys of `patternProperties`.

The reasons are in docs/decisions/0203.
"""

from formwork.patterns.compiled import CompiledPattern, PatternTimeoutError, compile_pattern, to_python_re
from formwork.patterns.syntax import MAX_LENGTH, PatternError

__all__ = [
    "MAX_LENGTH",
    "CompiledPattern",
    "PatternError",
    "PatternTimeoutError",
    "compile_pattern",
    "to_python_re",
]
