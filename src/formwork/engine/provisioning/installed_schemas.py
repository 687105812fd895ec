"""The schemas of AWS's own types that an installed cfn-lint holds, read as data."""

import functools
import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Keywords that cfn-lint adds to the schemas it ships.
_OWN = frozenset(
    {
        "dependentExcluded",
        "dependentRequired",
        "enumCaseInsensitive",
        "lifecycle",
        "requiredOr",
        "requiredXor",
        "uniqueKeys",
    }
)
_REGION = "us-east-1"  # where every type is


def installed_schemas() -> Callable[[str], str | None]:
    """What gives the text of a type's schema, or None where it is not at hand."""
    spec = find_spec("cfnlint")
    if spec is None or spec.origin is None:
        return lambda _name: None
    folder = Path(spec.origin).parent / "data" / "schemas"
    return lambda name: _find(folder, name)


def _find(folder: Path, name: str) -> str | None:
    file = _index(folder).get(name)
    if file is None:
        return None
    return json.dumps(_cleaned(json.loads((folder / "resources" / f"{file}.json").read_text(encoding="utf-8"))))


@functools.cache
def _index(folder: Path) -> Mapping[str, str]:
    """Type name to the name of its file, without the suffix."""
    try:
        value: Any = json.loads((folder / "providers" / f"{_REGION}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _cleaned(value: Any) -> Any:
    match value:
        case dict():
            return {key: _cleaned(each) for key, each in value.items() if key not in _OWN}
        case list():
            return [_cleaned(each) for each in value]
        case _:
            return value
