"""The schemas of AWS's own types that an installed cfn-lint holds, read as data."""

import functools
import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Keywords that cfn-lint adds to the schemas it ships; conditions among them, which CloudFormation's own may not have.
_OWN = frozenset(
    {
        "else",
        "if",
        "maxUniqueItems",
        "not",
        "prefixItems",
        "then",
        "dependentExcluded",
        "dependentRequired",
        "enumCaseInsensitive",
        "lifecycle",
        "requiredOr",
        "requiredXor",
        "uniqueKeys",
    }
)
_NAMES = frozenset({"definitions", "patternProperties", "properties"})  # keywords whose objects' keys are names
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


def _cleaned(value: Any, *, named: bool = False) -> Any:
    """A copy without its own keywords; `named` says that the keys are names."""
    match value:
        case dict():
            kept = {
                key: _cleaned(each, named=not named and key in _NAMES)
                for key, each in value.items()
                if named or key not in _OWN
            }
            texts = not named and "type" not in kept and all(isinstance(each, str) for each in kept.get("enum", [1]))
            return {**kept, "type": "string"} if texts else kept  # which it leaves out where it adds an enum
        case list():
            return [_cleaned(each) for each in value]
        case _:
            return value
