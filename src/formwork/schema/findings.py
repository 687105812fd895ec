"""JSON Schema's errors as findings of ours: one sentence each, what was expected, how to fix it.

jsonschema-rs gives typed errors; nothing here reads its messages.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from formwork.diagnostics import get_at
from formwork.schema.instance_paths import instance_path

Path = tuple[str | int, ...]

_TYPE_WORDS = {
    "array": "an array",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
# Keyword of a bound → what it bounds, and the word before the limit.
_BOUNDS = {
    "minimum": ("", "at least"),
    "exclusiveMinimum": ("", "more than"),
    "maximum": ("", "at most"),
    "exclusiveMaximum": ("", "less than"),
    "minLength": ("characters", "at least"),
    "maxLength": ("characters", "at most"),
    "minItems": ("items", "at least"),
    "maxItems": ("items", "at most"),
    "minProperties": ("members", "at least"),
    "maxProperties": ("members", "at most"),
}


class SchemaViolation(NamedTuple):
    """One JSON Schema error in words.

    `slug` names the kind (`wrong-type` …); `path` leads to the value, or with `key` to the member whose name is at
    fault; `keyword` is the schema's path of the keyword that failed.
    """

    slug: str
    path: Path
    message: str
    expected: str
    hint: str | None = None
    key: bool = False
    keyword: Path = ()


def list_findings(errors: Iterable[Any], shown: Any) -> list[SchemaViolation]:
    """The findings for jsonschema-rs's `errors`; values are quoted from `shown`, the instance with secrets masked."""
    return [finding for error in errors for finding in _explain(error, _Shown(shown))]


def show_value(value: Any, *, limit: int = 60) -> str:
    """`value` as JSON in at most `limit` characters."""
    if isinstance(value, (dict, list)) and len(value) > 20:
        return f"{'an object' if isinstance(value, dict) else 'an array'} of {len(value)}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_line(text: str) -> str:
    """`text` with its line breaks made visible: a name in a schema may hold some, and a message is one line."""
    return text if "\n" not in text else text.replace("\n", "\\n")


class _Shown:
    """The instance, to be quoted from."""

    def __init__(self, instance: Any) -> None:
        self._instance = instance

    def at(self, path: Path) -> str:
        return show_value(get_at(self._instance, path))

    def path(self, error: Any) -> Path:
        return instance_path(error, self._instance)


def _explain(error: Any, shown: _Shown) -> Iterator[SchemaViolation]:
    path, keyword = shown.path(error), tuple(error.schema_path)
    name, facts = str(error.kind.name), error.kind.as_dict()
    match name:
        case "additionalProperties":
            for member in facts["unexpected"]:
                message = f'"{member}" is not known here'
                expected = "one of the declared names"
                yield SchemaViolation("unknown-member", (*path, member), message, expected, key=True, keyword=keyword)
        case "anyOf" | "oneOf":
            yield from _alternatives(error, path, keyword, shown)
        case "propertyNames":
            inner = facts["error"]
            yield SchemaViolation(
                "bad-name",
                (*path, str(inner.instance)),
                f'"{inner.instance}" is not a valid name here',
                _expected_name(inner),
                key=True,
                keyword=keyword,
            )
        case _:
            yield _plain(name, facts, path, keyword, shown)


def _expected_name(inner: Any) -> str:
    facts = inner.kind.as_dict()
    return f"a name that matches {facts['pattern']}" if "pattern" in facts else "another name"


def _plain(  # noqa: C901, PLR0912 - one case a keyword
    name: str, facts: dict[str, Any], path: Path, keyword: Path, shown: _Shown
) -> SchemaViolation:
    value = shown.at(path)
    if name in _BOUNDS:
        unit, word = _BOUNDS[name]
        limit = facts["limit"]
        return SchemaViolation(
            "out-of-bounds", path, _bound_message(value, unit), _bound(word, limit, unit), keyword=keyword
        )
    match name:
        case "type":
            words = [_TYPE_WORDS[each] for each in sorted(facts["types"])]
            return SchemaViolation(
                "wrong-type", path, f"{value} has the wrong type", " or ".join(words), keyword=keyword
            )
        case "required":
            missing = facts["property"]
            slug = "missing-dependency" if "dependencies" in keyword else "missing-member"
            return SchemaViolation(slug, path, f'"{missing}" is missing', f'a member "{missing}"', keyword=keyword)
        case "enum":
            options = facts["options"]
            listed = ", ".join(show_value(each) for each in options[:8]) + (", …" if len(options) > 8 else "")
            return SchemaViolation("not-allowed", path, f"{value} is not allowed", f"one of {listed}", keyword=keyword)
        case "const":
            expected = show_value(facts["expected_value"])
            return SchemaViolation("not-allowed", path, f"{value} is not allowed", expected, keyword=keyword)
        case "pattern":
            pattern = facts["pattern"]
            return SchemaViolation(
                "malformed", path, f"{value} is malformed", f"a text that matches {pattern}", keyword=keyword
            )
        case "multipleOf":
            divisor = facts["multiple_of"]
            return SchemaViolation(
                "out-of-bounds", path, f"{value} is not a multiple", f"a multiple of {divisor}", keyword=keyword
            )
        case "uniqueItems":
            return SchemaViolation("repeated-item", path, "an item stands twice", "every item once", keyword=keyword)
        case "not":
            return SchemaViolation(
                "forbidden", path, f"{value} is what `not` forbids", "anything else", keyword=keyword
            )
        case "falseSchema":
            return SchemaViolation("forbidden", path, f"{value} is not allowed here", "nothing", keyword=keyword)
        case "contains":
            return SchemaViolation(
                "not-allowed", path, "no item fits `contains`", "at least one that does", keyword=keyword
            )
        case "x-java-pattern" | "x-java-names":
            return _pattern(str(facts["message"]), path, keyword, value)
        case _:
            return SchemaViolation(
                "invalid", path, str(facts.get("message") or f"{name} fails"), "a valid value", keyword=keyword
            )


def _pattern(message: str, path: Path, keyword: Path, value: str) -> SchemaViolation:
    """Return the finding for an error of one of our own keywords, see `validator.py`."""
    kind, _, rest = message.partition(":")
    if kind == "name":
        return SchemaViolation(
            "unknown-member", (*path, rest), f'"{rest}" is not known here', "a declared name", key=True
        )
    if kind == "slow":
        words = f"{value} takes too long to compare with the pattern"
        return SchemaViolation("too-slow", path, words, "a pattern without nested repetitions", keyword=keyword)
    return SchemaViolation("malformed", path, f"{value} is malformed", f"a text that matches {rest}", keyword=keyword)


def _bound(word: str, limit: float, unit: str) -> str:
    return f"{word} {limit} {unit[:-1] if limit == 1 else unit}".rstrip()


def _bound_message(value: str, unit: str) -> str:
    return f"{value} has the wrong number of {unit}" if unit else f"{value} is out of range"


def _alternatives(outer: Any, path: Path, keyword: Path, shown: _Shown) -> Iterator[SchemaViolation]:
    name, branches = str(outer.kind.name), list[list[Any]](outer.kind.as_dict()["context"])
    if not any(branches):  # oneOf, and several fit
        message = f"{shown.at(path)} fits more than one alternative"
        yield SchemaViolation("several-alternatives", path, message, "exactly one of them", keyword=keyword)
        return
    at = tuple(outer.instance_path)  # compared with the paths of other errors, as jsonschema-rs gives them
    missing = [_missing_members(branch, at) for branch in branches]
    if all(missing):
        listed = " or ".join(" and ".join(f'"{member}"' for member in each) for each in missing)
        yield SchemaViolation("missing-member", path, f"one of {listed} is missing", listed, keyword=keyword)
        return
    fitting = [branch for branch in branches if not any(_is_type_error(error, at) for error in branch)]
    if not fitting:
        types = sorted({kind for branch in branches for error in branch for kind in _types(error, at)})
        words = " or ".join(_TYPE_WORDS[each] for each in types)
        yield SchemaViolation("wrong-type", path, f"{shown.at(path)} has the wrong type", words, keyword=keyword)
        return
    closest = min(fitting, key=_distance)
    if len(fitting) > 1 and _is_choice(closest, at):
        message = f"{shown.at(path)} fits none of the {len(branches)} alternatives of {name}"
        yield SchemaViolation("no-alternative", path, message, "one of them", keyword=keyword)
        return
    for error in closest:
        yield from _explain(error, shown)


def _missing_members(branch: list[Any], path: Path) -> list[str]:
    """Return the members that are all a branch lacks; empty if it has another fault."""
    names = []
    for error in branch:
        if error.kind.name != "required" or tuple(error.instance_path) != path:
            return []
        names.append(str(error.kind.as_dict()["property"]))
    return names


def _types(error: Any, path: Path) -> list[str]:
    return list(error.kind.as_dict()["types"]) if _is_type_error(error, path) else []


def _is_type_error(error: Any, path: Path) -> bool:
    return error.kind.name == "type" and tuple(error.instance_path) == path


def _distance(branch: list[Any]) -> tuple[int, int]:
    """Return how far an alternative is from fitting: few faults, and those deep inside, are near."""
    return len(branch), -max((len(error.instance_path) for error in branch), default=0)


def _is_choice(branch: list[Any], path: Path) -> bool:
    """Return whether an alternative fails on the value itself, so that naming its fault would be a guess."""
    return all(tuple(error.instance_path) == path and error.kind.name != "additionalProperties" for error in branch)
