"""The target types of a hook's project: `target-schemas/*.json` and `target-info.json`.

The schema of a target that these lack comes from the schemas at hand that the project was loaded with.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic, Severity, UsageError
from formwork.documents import Document, DocumentFormat, load_document, parse_document
from formwork.project.project import Project

if TYPE_CHECKING:
    from formwork.schema import HookSchema
    from formwork.schema.at_hand import SchemaCatalog

TARGET_SCHEMAS_FOLDER = "target-schemas"
TARGET_INFO_FILE = "target-info.json"
# Targets of hooks that are not resource types.
_NO_TYPES = frozenset({"STACK", "CHANGE_SET"})


class TargetType(Struct, frozen=True):
    """One target type: its schema (None where only its info is known) and its entry of `target-info.json`."""

    type_name: str
    schema: Mapping[str, Any] | None
    info: Mapping[str, Any]


class LoadedTargets(Struct, frozen=True):
    """The target types by name, sorted, and what is wrong with the files.

    `at_hand` are the names of those whose schemas are not the project's.
    """

    targets: Mapping[str, TargetType]
    diagnostics: tuple[Diagnostic, ...]
    at_hand: frozenset[str] = frozenset()


class _Found(Struct, frozen=True):
    type_name: str
    schema: Mapping[str, Any] | None
    info: Mapping[str, Any]
    document: Document
    tokens: tuple[str, ...]


def load_targets(project: Project) -> LoadedTargets:
    """The target types that the project's own files describe; a type described twice must be the same both times."""
    targets: dict[str, TargetType] = {}
    diagnostics: list[Diagnostic] = []
    for found in _read(project):
        if isinstance(found, Diagnostic):
            diagnostics.append(found)
            continue
        known = targets.get(found.type_name, TargetType(found.type_name, None, {}))
        if known.schema is not None and found.schema is not None and known.schema != found.schema:
            message = f'the schema of "{found.type_name}" differs from the one in another file of this project'
            diagnostics.append(_error(found.document, found.tokens, "target-differs", message, "one schema per type"))
            continue
        schema = known.schema if found.schema is None else found.schema
        targets[found.type_name] = TargetType(found.type_name, schema, known.info or found.info)
    return LoadedTargets(dict(sorted(targets.items())), tuple(diagnostics))


def resource_targets(schema: "HookSchema") -> set[str]:
    """Return the resource types, wildcards too, that a hook's handlers name."""
    return {name for handler in schema.handlers.values() for name in handler.target_names} - _NO_TYPES


def missing_targets(targets: Iterable[str], known: Collection[str]) -> list[str]:
    """Return the names in `targets`, wildcards included, that match none of the `known` types."""
    types = {*targets} - _NO_TYPES
    return sorted(name for name in types if not any(fnmatchcase(each, name) for each in known))


def is_wildcard(name: str) -> bool:
    """Return whether a target name stands for several types."""
    return "*" in name or "?" in name


def find_missing(
    targets: Iterable[str], known: Collection[str], at_hand: "SchemaCatalog | None"
) -> dict[str, Mapping[str, Any]]:
    """Return available schemas of those `targets` that match none of the `known` types, by type name.

    A wildcard that means a known type is not looked up: which of its types are meant is then what is known.
    """
    if at_hand is None:
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for target in missing_targets(targets, known):
        for name in at_hand.matching(target) if is_wildcard(target) else [target]:
            text = at_hand.find(name)
            if text is not None:
                found[name] = json.loads(text)
    return found


def hook_targets(project: Project, targets: Iterable[str]) -> LoadedTargets:
    """Return the target types described in the project, and those of `targets` whose schemas this machine has."""
    loaded = load_targets(project)
    described = {name for name, each in loaded.targets.items() if each.schema is not None}
    found = find_missing(targets, described, project.schemas_at_hand)
    infos = {name: each.info for name, each in loaded.targets.items()}
    more = {name: TargetType(name, schema, infos.get(name, {})) for name, schema in found.items()}
    return LoadedTargets(dict(sorted({**loaded.targets, **more}.items())), loaded.diagnostics, frozenset(more))


def _read(project: Project) -> Iterator[_Found | Diagnostic]:
    folder = project.root / TARGET_SCHEMAS_FOLDER
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            document = load_document(path)
        except BadInputError as error:
            yield from error.diagnostics
            continue
        yield from _schemas(document)
    info = project.root / TARGET_INFO_FILE
    if info.is_file():
        try:
            yield from _infos(load_document(info))
        except BadInputError as error:
            yield from error.diagnostics


def _schemas(document: Document) -> Iterator[_Found | Diagnostic]:
    many = isinstance(document.value, list)
    for index, schema in enumerate(document.value if many else [document.value]):
        tokens = (str(index),) if many else ()
        if isinstance(schema, dict) and isinstance(schema.get("typeName"), str):
            yield _Found(schema["typeName"], schema, {}, document, tokens)
        else:
            yield _error(
                document, tokens, "target-schema", "this is not a target schema", 'an object with a "typeName"'
            )


def _infos(document: Document) -> Iterator[_Found | Diagnostic]:
    if not isinstance(document.value, dict):
        yield _error(document, (), "target-info", "the target info is not an object", "an object keyed by type name")
        return
    for name, info in document.value.items():
        schema = info.get("Schema") if isinstance(info, dict) else None
        if not isinstance(info, dict) or not isinstance(schema, dict | None):
            yield _error(
                document,
                (name,),
                "target-info",
                f'the info of "{name}" is not valid',
                'an object with a "Schema" object',
            )
            continue
        yield _Found(name, schema, info, document, (name, "Schema") if schema is not None else (name,))


def _error(  # noqa: PLR0913 - what a diagnostic has
    document: Document, tokens: tuple[str, ...], slug: str, message: str, expected: str, *, hint: str | None = None
) -> Diagnostic:
    return Diagnostic(f"project.{slug}", Severity.ERROR, message, document.locate(tokens), expected, hint=hint)


def expect_target_schemas(
    project: Project,
    named: Sequence[str] = (),
    *,
    fetch: Callable[[str], str] | None = None,
    targets: Iterable[str] = (),
) -> dict[str, Mapping[str, Any]]:
    """Return the schemas of the target types by name: those in the project, and those `named` on a command line.

    Schemas at hand are added for `targets` that neither describes. `fetch` as `read_named_schemas` takes it.

    Raises:
        BadInputError: a file is wrong, or two schemas of one type differ.
        UsageError: a name is a URL that is not fetched.
    """
    loaded = load_targets(project)
    found = [*loaded.diagnostics]
    schemas = {name: each.schema for name, each in loaded.targets.items() if each.schema is not None}
    for each in read_named_schemas(named, fetch=fetch):
        if isinstance(each, Diagnostic):
            found.append(each)
        elif schemas.setdefault(each.type_name, each.schema or {}) != each.schema:
            message = f'the schema of "{each.type_name}" differs from the one in the project'
            hint = f"delete the one in {TARGET_SCHEMAS_FOLDER}/ to take this one, or leave this one out"
            found.append(
                _error(each.document, each.tokens, "target-differs", message, "one schema per type", hint=hint)
            )
    if any(each.severity is Severity.ERROR for each in found):
        raise BadInputError(found)
    return schemas | find_missing(targets, schemas, project.schemas_at_hand)


def read_named_schemas(
    named: Iterable[str], *, fetch: Callable[[str], str] | None = None
) -> Iterator[_Found | Diagnostic]:
    """Yield the schemas that a command line names: by path, as `file:`, `https:` or `s3:` URL, or as JSON itself.

    `fetch` gives the text behind an `https:` or `s3:` URL; None: none is fetched.

    Raises:
        BadInputError: a file can't be read.
        UsageError: a name is a URL that is not fetched.
    """
    for number, text in enumerate(named, start=1):
        if text.lstrip().startswith(("{", "[")):
            yield from _schemas(parse_document(text, name=f"<target schema {number}>", format=DocumentFormat.JSON))
        elif text.startswith("file:"):
            yield from _schemas(load_document(Path(unquote(urlsplit(text).path)), name=text))
        elif fetch is not None and text.startswith(("https://", "s3://")):
            yield from _schemas(parse_document(fetch(text), name=text, format=DocumentFormat.JSON))
        elif "://" in text:
            raise UsageError(f'"{text}" is not fetched', hint="save the schema to a file and give its path")
        else:
            yield from _schemas(load_document(Path(text)))
