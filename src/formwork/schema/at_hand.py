"""The schemas of AWS's own types: in folders that users name, and in an installed cfn-lint, which is read as data.

Last come those in `shipped/`: the targets of the hook in the guide and of the one that `cfn init` writes, which so work
without a network on an install without extras. They have what the published schemas have, except for descriptions.

The reasons are in docs/decisions/1311.
"""

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

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


class SchemaCatalog(Protocol):
    """Schemas of resource types, found by name or by a pattern with `*` and `?`."""

    def find(self, name: str) -> str | None:
        """Return the text of a type's schema, or None where it is not at hand."""

    def matching(self, pattern: str) -> Iterable[str]:
        """Return the names of the types that the pattern means."""


class SchemasAtHand:
    """Several catalogs as one: the first that has a type gives its schema, a pattern means the types of all."""

    def __init__(self, catalogs: Iterable[SchemaCatalog] = ()) -> None:
        self._catalogs = tuple(catalogs)

    def find(self, name: str) -> str | None:
        """Return the text of a type's schema, or None where no catalog has it."""
        return next((text for each in self._catalogs if (text := each.find(name)) is not None), None)

    def matching(self, pattern: str) -> list[str]:
        """Return the names of the types that the pattern means, sorted."""
        return sorted({name for each in self._catalogs for name in each.matching(pattern)})


NO_SCHEMAS = SchemasAtHand()


def knows_awss_types(catalog: SchemaCatalog) -> bool:
    """Return whether a catalog has AWS's types in general, not only those that are shipped or a few of users.

    EC2's are the evidence: every Region has them.
    """
    return any(catalog.matching("AWS::EC2::*"))


def find_schemas(folders: Sequence[Path] = ()) -> SchemasAtHand:
    """Return the catalog of AWS's schemas on this machine; `folders` take precedence over cfn-lint."""
    return SchemasAtHand([*(SchemaFolder(each) for each in folders), installed_schemas(), shipped_schemas()])


def shipped_schemas() -> SchemaCatalog:
    """Return what gives the schemas that come with Formwork."""
    return SchemaFolder(Path(__file__).with_name("shipped"))


class SchemaFolder:
    """Schemas in the JSON files of a folder, known by their typeName; the folder may come, go and change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Path, tuple[int, str | None]] = {}  # file → when it was written, and the type in it

    def find(self, name: str) -> str | None:
        """Return the text of a type's schema, or None."""
        named = self._folder / f"{name.lower().replace('::', '-')}.json"
        for file in (named, *sorted(self._folder.glob("*.json"))):
            if self._type_in(file) == name:
                return file.read_text(encoding="utf-8")
        return None

    def matching(self, pattern: str) -> list[str]:
        """Return the names of the types whose schemas the folder has and that the pattern means."""
        found = (self._type_in(file) for file in self._folder.glob("*.json"))
        return sorted({name for name in found if name is not None and fnmatchcase(name, pattern)})

    def _type_in(self, file: Path) -> str | None:
        try:
            written = file.stat().st_mtime_ns
            if self._known.get(file, (0, None))[0] != written:
                value = json.loads(file.read_text(encoding="utf-8"))
                self._known[file] = written, value.get("typeName") if isinstance(value, dict) else None
        except (OSError, ValueError):
            return None
        return self._known[file][1]


class _LintSchemas:
    """The schemas in the data of an installed cfn-lint."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, name: str) -> str | None:
        """Return the text of a type's schema, without what cfn-lint adds, or None."""
        return _find(self._folder, name)

    def matching(self, pattern: str) -> list[str]:
        """Return the names of the types that the pattern means."""
        return [name for name in _index(self._folder) if fnmatchcase(name, pattern)]


def installed_schemas() -> SchemaCatalog:
    """Return what gives the schemas that an installed cfn-lint has; an empty catalog where it is not installed."""
    spec = find_spec("cfnlint")
    if spec is None or spec.origin is None:
        return NO_SCHEMAS
    return _LintSchemas(Path(spec.origin).parent / "data" / "schemas")


def clean_schema(value: Any, keywords: frozenset[str] = OWN_KEYWORDS, *, names: bool = False) -> Any:
    """Return a copy of a schema without `keywords`, which are kept where they are names of properties (`names`)."""
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
    return json.dumps(_as_published(clean_schema(value, OWN_KEYWORDS | _FOREIGN)))


def _as_published(value: Any) -> Any:
    """Return a copy of a schema without cfn-lint's formats, such as `AWS::IAM::Role.Arn`.

    What is one of several texts is a string in it: CloudFormation wants that said.
    """
    match value:
        case dict():
            made = {key: _as_published(each) for key, each in value.items()}
            if isinstance(named := made.get("format"), str) and named.startswith("AWS::"):
                del made["format"]
            if isinstance(ways := made.get("anyOf"), list) and not any(ways):  # they were formats alone
                del made["anyOf"]
            texts = made.get("enum")
            if isinstance(texts, list) and "type" not in made and all(isinstance(each, str) for each in texts):
                made["type"] = "string"
            return made
        case list():
            return [_as_published(each) for each in value]
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
