"""`{{ExportName}}` in inputs and overrides: a CloudFormation stack's export, put in as text before the JSON is read.

Inside a JSON string the value is escaped as a string's; elsewhere it stands as it is, so that an export may give a
number or a whole object.
"""

import json
import re
from collections.abc import Mapping

from msgspec import Struct

_STRING_OR_PLACEHOLDER = re.compile(r'"(?:[^"\\\n]|\\.)*"|\{\{([-A-Za-z0-9:\s]+?)\}\}')
_PLACEHOLDER = re.compile(r"\{\{([-A-Za-z0-9:\s]+?)\}\}")


class Substituted(Struct, frozen=True):
    """A text with its placeholders filled in, and the names of the exports without a value, in order."""

    text: str
    missing: tuple[str, ...]


def substitute_exports(text: str, exports: Mapping[str, str]) -> Substituted:
    """Fill in `{{Name}}`; a name that `exports` doesn't have stays as it is written."""
    missing: dict[str, None] = {}

    def value(found: re.Match[str], *, quoted: bool) -> str:
        name = found.group(1).strip()
        if name not in exports:
            missing[name] = None
            return found.group()
        return json.dumps(exports[name])[1:-1] if quoted else exports[name]

    def replaced(found: re.Match[str]) -> str:
        if found.group(1) is None:
            return _PLACEHOLDER.sub(lambda inner: value(inner, quoted=True), found.group())
        return value(found, quoted=False)

    return Substituted(_STRING_OR_PLACEHOLDER.sub(replaced, text) if "{{" in text else text, tuple(missing))
