"""The extensions that `cfn docs` and `cfn generate --cdk` describe: of projects, schema files and a registry.

A type name is looked up in the registry that the options name, by default in that of this machine.
"""

import argparse
import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import names_registry, reach_registry
from formwork.diagnostics import BadInputError, Location, UsageError
from formwork.documents import Document, DocumentFormat, load_document, parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import HookSchema, ModuleSchema, ResourceSchema, detect_kind

if TYPE_CHECKING:
    from formwork.aws.registered_types import RegisteredType
    from formwork.project import Project

DescribedSchema: TypeAlias = ResourceSchema | HookSchema | ModuleSchema
_TYPE_NAME = re.compile(r"[A-Za-z0-9]{2,64}(?:::[A-Za-z0-9]{2,64}){2,3}", re.ASCII)
_MAX_VERSIONS = 100


class DescribedExtension(Struct, frozen=True):
    """An extension; `versions` are its schemas in a registry by version id, oldest first, without a deregistered one.

    `project` is the project that it is from, None for those of files and registries.
    """

    kind: ExtensionKind
    schema: DescribedSchema
    version_id: str | None = None
    versions: tuple[tuple[str, DescribedSchema], ...] = ()
    project: "Project | None" = None

    @property
    def type_name(self) -> str:
        """The name of the type."""
        return self.schema.type_name


def find_extensions(
    named: Sequence[str], arguments: argparse.Namespace, output: CommandOutput, *, with_versions: bool = False
) -> list[DescribedExtension]:
    """Return what `named` names: projects' folders, schema files and types of a registry; by default the project here.

    Warnings are shown. `with_versions` also fetches the other versions of a registered type.

    Raises:
        BadInputError: a schema has errors, is missing or is not registered.
        UsageError: two of them are the same type, or a name is neither.
    """
    found: list[DescribedExtension] = []
    with contextlib.ExitStack() as stack:
        clients: list[Any] = []
        for text in named or ["."]:
            if is_registered_name(text) and not Path(text).exists():
                if not clients:
                    clients.append(stack.enter_context(_registry(arguments, output)))
                found.append(_registered(clients[0], text, output, with_versions=with_versions))
            else:
                found.append(_of_path(Path(text), output))
    names = [each.type_name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f'"{twice}" is named twice', hint="name each type once")
    return found


def is_registered_name(text: str) -> bool:
    """Return whether `text` is the name of a type in a registry: its type name, `registry:NAME@VERSION`, or an ARN."""
    return text.startswith(("registry:", "arn:")) or _TYPE_NAME.fullmatch(text) is not None


@contextlib.contextmanager
def _registry(arguments: argparse.Namespace, output: CommandOutput) -> Iterator[Any]:
    here = argparse.Namespace(**{**vars(arguments), "local": arguments.local or not names_registry(arguments)})
    with reach_registry(here, output) as target:
        yield target.client("cloudformation")


def _of_path(path: Path, output: CommandOutput) -> DescribedExtension:
    if path.is_dir():
        return _of_project(path, output)
    document = load_document(path)
    return DescribedExtension(detect_kind(document), load_described(document, output))


def _of_project(folder: Path, output: CommandOutput) -> DescribedExtension:
    from formwork.project import load_project
    from formwork.project.schema_file import expect_project_schema

    project = load_project(folder)
    if project.kind is not ExtensionKind.MODULE:
        schema, warnings = expect_project_schema(project)
        output.show([*project.diagnostics, *warnings])
        return DescribedExtension(project.kind, schema, project=project)
    from formwork.convert.module_schema import module_schema
    from formwork.project.module import load_module

    module = load_module(project)
    if module.template is None or not module.valid:
        raise BadInputError(module.diagnostics)
    output.show([*project.diagnostics, *module.diagnostics])
    return DescribedExtension(project.kind, module_schema(project.type_name, module.template), project=project)


def load_described(document: Document, output: CommandOutput) -> DescribedSchema:
    """Return the schema in a document, of any kind; warnings are shown.

    Raises:
        BadInputError: it has errors; with all findings.
    """
    kind = detect_kind(document)
    schema: DescribedSchema | None
    if kind is ExtensionKind.MODULE:
        from formwork.schema import load_module_schema

        loaded = load_module_schema(document)
        schema, found = loaded.schema, loaded.diagnostics
    else:
        from formwork.project.schema_file import load_schema

        schema, found = load_schema(document, kind)
    if schema is None:
        raise BadInputError(found)
    output.show(found)
    return schema


def _registered(client: Any, text: str, output: CommandOutput, *, with_versions: bool) -> DescribedExtension:
    wanted, schema_text = _describe(client, text)
    schema = load_described(_document(wanted.text, schema_text), output)
    kind = ExtensionKind(wanted.kind)
    if not with_versions:
        return DescribedExtension(kind, schema, wanted.version_id)
    versions, shown = _versions(client, wanted, output)
    return DescribedExtension(kind, schema, shown, versions)


def _document(name: str, text: str) -> Document:
    return parse_document(text, name=name, format=DocumentFormat.JSON)


def _describe(client: Any, text: str) -> "tuple[RegisteredType, str]":
    """Return what `text` names, of whichever kind is registered under the name, and the text of its schema."""
    from formwork.aws.registered_types import describe_schema, parse_registered_type

    written = text if text.startswith(("registry:", "arn:")) else f"registry:{text}"
    kinds = ["RESOURCE", "HOOK"]
    if "::MODULE" in written or ":type/module/" in written:
        kinds = ["MODULE"]
    elif ":type/hook/" in written:
        kinds = ["HOOK"]
    for kind in kinds[:-1]:
        wanted = parse_registered_type(written, kind=kind)
        assert wanted is not None
        with contextlib.suppress(BadInputError):
            return wanted, describe_schema(client, wanted)
    wanted = parse_registered_type(written, kind=kinds[-1])
    assert wanted is not None
    try:
        return wanted, describe_schema(client, wanted)
    except BadInputError:
        raise BadInputError.of(
            "registry.type-not-found",
            f'"{text}" is not registered at {client.meta.endpoint_url}',
            location=Location(text),
            expected="the name of a registered type or of one of AWS's, a project's folder, or a schema file",
            hint="`cfn registry list --local` lists the types on this machine; --endpoint-url and --region name another"
            " registry",
        ) from None


def _versions(
    client: Any, wanted: "RegisteredType", output: CommandOutput
) -> tuple[tuple[tuple[str, DescribedSchema], ...], str | None]:
    """Return the schemas of the versions up to the wanted one, oldest first, and the id of the wanted one."""
    from formwork.aws.errors import aws_errors
    from formwork.aws.registered_types import RegisteredType, describe_schema

    named = {"Arn": wanted.arn} if wanted.arn else {"TypeName": wanted.type_name, "Type": wanted.kind}
    found: dict[str, bool] = {}
    with aws_errors("listing the versions"):
        token: str | None = None
        while len(found) < _MAX_VERSIONS:
            page = client.list_type_versions(**named, **({"NextToken": token} if token else {}))
            found |= {each["VersionId"]: bool(each["IsDefaultVersion"]) for each in page["TypeVersionSummaries"]}
            token = page.get("NextToken")
            if not token:
                break
    chosen = wanted.version_id or next((each for each, default in found.items() if default), None)
    ids = sorted(each for each in found if chosen is None or each <= chosen)
    schemas = []
    for each in ids:
        one = RegisteredType(f"{wanted.text}@{each}", wanted.kind, wanted.type_name, wanted.arn, each)
        schemas.append((each, load_described(_document(one.text, describe_schema(client, one)), output)))
    return tuple(schemas), chosen
