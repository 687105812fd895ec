"""The schemas of a hook's targets that its project lacks: found on this machine, or asked of a registry.

What `cfn generate` fetches it writes into `target-schemas/`, so that every other command works from the same files.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import Struct

from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import names_registry, reach_registry
from formwork.command_context.schemas_here import schemas_here, schemas_in
from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, Severity, UsageError
from formwork.project.targets import find_missing, is_wildcard, missing_targets, resource_targets

if TYPE_CHECKING:
    from formwork.schema import HookSchema
    from formwork.schema.at_hand import SchemaCatalog

# A wildcard that means more types than this is for its author to narrow: each is a request, and a file.
MOST_OF_A_WILDCARD = 100
_TOO_WIDE = "project.target-too-wide"
# How long connecting to a registry may take, in seconds: offline users should not wait.
_PATIENCE = 5.0
_HINT = "put the schemas into target-schemas/ or give them with --target-schemas; --local-only asks no registry"


class FetchedTargets(Struct, frozen=True):
    """Schemas by type name, and the diagnostics to report."""

    schemas: Mapping[str, Mapping[str, Any]]
    diagnostics: tuple[Diagnostic, ...] = ()


def fetch_targets(
    schema: "HookSchema", known: Mapping[str, Any], arguments: argparse.Namespace, output: CommandOutput
) -> FetchedTargets:
    """The schemas of the targets that are not `known`, from this machine and from the registry that `arguments` choose.

    A registry that the call names is asked about what the folders of `--schemas` lack, any other one about what is not
    on this machine.

    Raises:
        BadInputError: the registry that a call names has no such type.
        EnvironmentProblemError: the registry that a call names can't be asked. Where none is named that is a warning.
    """
    named = names_registry(arguments)
    alone = arguments.local_only or arguments.offline
    targets = resource_targets(schema)
    found: dict[str, Mapping[str, Any]] = {}
    told: list[Diagnostic] = []  # not failures, whichever registry was named
    problems: list[Diagnostic] = []
    here = schemas_in(arguments.schemas)
    if not named or alone:
        here = schemas_here(arguments.schemas, output, running=not alone)
    for name, count in _too_wide(targets, known, here):
        targets.remove(name)
        told.append(_wide(schema, name, count))
    found |= find_missing(targets, known, here)
    missing = missing_targets(targets, {**known, **found})
    if not missing:
        return FetchedTargets(found, tuple(told))
    if alone:
        return FetchedTargets(found, (*told, _warning(schema, _without_models(missing), _HINT)))
    try:
        with reach_registry(arguments, output, patience=_PATIENCE) as registry:
            for each in _ask(registry.client("cloudformation"), missing, schema):
                if isinstance(each, Diagnostic):
                    (told if each.code == _TOO_WIDE else problems).append(each)
                else:
                    found[each[0]] = each[1]
    except EnvironmentProblemError as error:
        if named:
            raise EnvironmentProblemError(f"the targets' schemas are unavailable: {error}", hint=_HINT) from None
        missing = missing_targets(targets, {**known, **found})
        problems.append(_warning(schema, f"{_without_models(missing)}: {error}", _HINT))
    if named and problems:
        raise BadInputError(
            Diagnostic(each.code, Severity.ERROR, each.message, each.location, hint=each.hint) for each in problems
        )
    return FetchedTargets(found, (*told, *problems))


def _too_wide(targets: Iterable[str], known: Mapping[str, Any], here: "SchemaCatalog") -> Iterator[tuple[str, int]]:
    """Yield the wildcards among the missing targets that mean very many of the types here, and how many."""
    for name in missing_targets(targets, known):
        if is_wildcard(name) and (count := len(list(here.matching(name)))) > MOST_OF_A_WILDCARD:
            yield name, count


def _wide(schema: "HookSchema", name: str, count: int) -> Diagnostic:
    message = f'the target "{name}" matches {count:,} types: no models or schemas are written for them'
    hint = (
        "`cfn package` includes those on this machine; for models name the types, or put schemas into target-schemas/"
    )
    return _warning(schema, message, hint, code=_TOO_WIDE)


def fetch_named(arguments: argparse.Namespace, output: CommandOutput) -> Callable[[str], str]:
    """Return a function that fetches the text at an `https://` or `s3://` URL of the command line."""

    def fetch(url: str) -> str:
        if getattr(arguments, "offline", False):
            raise UsageError(f'"{url}" is not fetched: --offline', hint="save the schema to a file and give its path")
        data = _get_object(url, arguments, output) if url.startswith("s3://") else _download(url)
        return data.decode("utf-8", "replace")

    return fetch


def render_target(schema: Mapping[str, Any]) -> str:
    """Return the text of a fetched schema's file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _ask(client: Any, missing: list[str], schema: "HookSchema") -> Iterator[tuple[str, Mapping[str, Any]] | Diagnostic]:
    from formwork.aws.listed_types import list_resource_types

    for name in missing:
        types = list_resource_types(client, name) if is_wildcard(name) else [name]
        if not types:
            yield _warning(schema, f'no type in the registry matches the target "{name}"', _HINT)
        elif len(types) > MOST_OF_A_WILDCARD:
            yield _wide(schema, name, len(types))
        else:
            for each in types:
                yield _describe(client, each, schema)


def _describe(client: Any, name: str, schema: "HookSchema") -> tuple[str, Mapping[str, Any]] | Diagnostic:
    from formwork.aws.registered_types import RegisteredType, describe_schema
    from formwork.documents import DocumentFormat, parse_document

    wanted = RegisteredType(name, "RESOURCE", type_name=name)
    try:
        document = parse_document(describe_schema(client, wanted), name=f"registry:{name}", format=DocumentFormat.JSON)
    except BadInputError as error:
        return _warning(schema, f'the schema of the target "{name}" is unavailable: {error}', _HINT)
    if not isinstance(document.value, dict) or document.value.get("typeName") != name:
        return _warning(schema, f'the registry has no schema of the target "{name}"', _HINT)
    return name, document.value


def _get_object(url: str, arguments: argparse.Namespace, output: CommandOutput) -> bytes:
    with reach_registry(arguments, output, patience=_PATIENCE) as registry:
        client = registry.client("s3")
        import botocore.exceptions

        try:
            parts = urlsplit(url)
            data: bytes = client.get_object(Bucket=parts.netloc, Key=parts.path.removeprefix("/"))["Body"].read()
        except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError, ValueError) as error:
            raise EnvironmentProblemError(f'"{url}" cannot be fetched: {error}') from None
    return data


def _download(url: str) -> bytes:
    from formwork.schema.fetching import fetch_document

    try:
        return fetch_document(url)
    except (OSError, ValueError) as error:
        hint = "save the schema to a file and give its path"
        why = getattr(error, "reason", error)  # urllib wraps what went wrong
        raise EnvironmentProblemError(f'"{url}" cannot be fetched: {why}', hint=hint) from None


def _without_models(names: list[str]) -> str:
    some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"no model is written for the target{'s' if len(names) > 1 else ''} {some}, whose schema is not at hand"


def _warning(schema: "HookSchema", message: str, hint: str, *, code: str = "project.target-not-known") -> Diagnostic:
    location = schema.document.locate(("handlers",), key=True)
    return Diagnostic(code, Severity.WARNING, message, location, hint=hint)
