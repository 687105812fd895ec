"""The schemas of AWS's own types: in folders that users name, and in an installed cfn-lint, which is read as data."""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Keywords that cfn-lint adds to the schemas it ships.
OWN_KEYWORDS = frozenset(
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
# JSON Schema's, which cfn-lint uses in a few and CloudFormation's meta-schema has in none.
_FOREIGN = frozenset({"else", "if", "maxUniqueItems", "not", "prefixItems", "then"})
_NAMED = ("properties", "definitions", "patternProperties")
_REGION = "us-east-1"  # where every type is

SchemaSource = Callable[[str], str | None]


def find_schemas(folders: Sequence[Path] = ()) -> SchemaSource:
    """What gives the text of a type's schema, or None where it is not at hand; `folders` come before cfn-lint."""
    sources = [*(SchemaFolder(each).find for each in folders), installed_schemas()]
    return lambda name: next((text for each in sources if (text := each(name)) is not None), None)


class SchemaFolder:
    """Schemas in the JSON files of a folder, known by their typeName; the folder may come, go and change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Path, tuple[int, str | None]] = {}  # file → when it was written, and the type in it

    def find(self, name: str) -> str | None:
        """The text of a type's schema, or None."""
        named = self._folder / f"{name.lower().replace('::', '-')}.json"
        for file in (named, *sorted(self._folder.glob("*.json"))):
            if self._type_in(file) == name:
                return file.read_text(encoding="utf-8")
        return None

    def _type_in(self, file: Path) -> str | None:
        try:
            written = file.stat().st_mtime_ns
            if self._known.get(file, (0, None))[0] != written:
                value = json.loads(file.read_text(encoding="utf-8"))
                self._known[file] = written, value.get("typeName") if isinstance(value, dict) else None
        except (OSError, ValueError):
            return None
        return self._known[file][1]


def installed_schemas() -> SchemaSource:
    """What gives the text of a type's schema from cfn-lint; nothing where that is not installed."""
    spec = find_spec("cfnlint")
    if spec is None or spec.origin is None:
        return lambda _name: None
    folder = Path(spec.origin).parent / "data" / "schemas"
    return lambda name: _find(folder, name)


def clean_schema(value: Any, keywords: frozenset[str] = OWN_KEYWORDS, *, names: bool = False) -> Any:
    """A copy of a schema without `keywords`, which are kept where they are names of properties (`names`)."""
    match value:
        case dict():
            return {
                key: clean_schema(each, keywords, names=not names and key in _NAMED)
                for key, each in value.items()
                if names or key not in keywords
            }
        case list():
            return [clean_schema(each, keywords) for each in value]
        case _:
            return value


def _find(folder: Path, name: str) -> str | None:
    file = _index(folder).get(name)
    if file is None:
        return None
    value = json.loads((folder / "resources" / f"{file}.json").read_text(encoding="utf-8"))
    return json.dumps(_typed(clean_schema(value, OWN_KEYWORDS | _FOREIGN)))


def _typed(value: Any) -> Any:
    """A copy of a schema in which what is one of several texts is a string: CloudFormation wants that said."""
    match value:
        case dict():
            made = {key: _typed(each) for key, each in value.items()}
            texts = made.get("enum")
            if isinstance(texts, list) and "type" not in made and all(isinstance(each, str) for each in texts):
                made["type"] = "string"
            return made
        case list():
            return [_typed(each) for each in value]
        case _:
            return value


@functools.cache
def _index(folder: Path) -> Mapping[str, str]:
    """Type name to the name of its file, without the suffix."""
    try:
        value: Any = json.loads((folder / "providers" / f"{_REGION}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
