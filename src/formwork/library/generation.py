"""`formwork.generate`: the files of projects, planned as values."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import BadInputError, Diagnostic, Severity, UsageError
from formwork.documents import DocumentSource, open_source
from formwork.documents.document import Document, DocumentFormat
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.generated import plan_generated, plan_generated_files, plan_json, plan_module
from formwork.generate.plan import Plan, managed, seed
from formwork.generate.scaffold import ScaffoldRequest, plan_scaffold
from formwork.languages.catalogue import expect_generator, expect_new_generator
from formwork.project import Project, load_project
from formwork.project.project import has_smithy_source
from formwork.project.schema_file import ExtensionSchema, expect_project_schema, load_schema
from formwork.project.targets import expect_target_schemas
from formwork.schema import HookSchema, detect_kind


class GeneratedFiles(Struct, frozen=True):
    """Planned files, which `write_plan` writes, and warnings about the input."""

    files: Plan
    diagnostics: tuple[Diagnostic, ...]


def plan_project(folder: os.PathLike[str], *, targets: Iterable[DocumentSource] = ()) -> GeneratedFiles:
    """Return the files that `cfn generate` writes for the project in a folder.

    `targets` are schemas of a hook's target types besides those in `target-schemas/`. Nothing is written; where the
    schema comes from a Smithy model or is written in YAML, its JSON is one of the files.

    Raises:
        BadInputError: the folder is not a project, or its files have errors; with all diagnostics.
    """
    project = load_project(Path(folder))
    if project.kind is ExtensionKind.MODULE:
        files, found = plan_module(project)
        return GeneratedFiles(files, (*project.diagnostics, *found))
    converted, schema, warnings = _schema_of(project)
    known = expect_target_schemas(project) | _targets(targets) if isinstance(schema, HookSchema) else {}
    language = expect_generator(project.language)
    files = {**converted, **plan_json(schema.document), **plan_generated(project, schema, language, targets=known)}
    return GeneratedFiles(files, (*project.diagnostics, *warnings))


def plan_models(
    schema: DocumentSource,
    *,
    language: str,
    targets: Iterable[DocumentSource] = (),
    settings: Mapping[str, Any] | None = None,
) -> GeneratedFiles:
    """Return the models, documentation and role that follow from the schema of a resource type or hook, no project.

    `language` is one that `.rpdk-config` names, such as "python312"; `settings` are those of its `settings` that the
    language needs; `targets` are schemas of a hook's target types.

    Raises:
        BadInputError: the schema has errors, is a module's, or the language is not found; with all diagnostics.
    """
    document = open_source(schema, name="<schema>")
    kind = detect_kind(document)
    if kind is ExtensionKind.MODULE:
        message = "no models are generated for a module"
        raise BadInputError.of("generate.language", message, location=document.locate(()), expected="a type or a hook")
    loaded, found = load_schema(document, kind)
    known = _targets(targets)
    files = plan_generated_files(kind, expect_generator(language), _expect(loaded, found), known, settings or {})
    return GeneratedFiles(files, tuple(found))


def plan_new_project(  # noqa: PLR0913 - the answers of `cfn init`
    type_name: str,
    *,
    language: str = "",
    kind: ExtensionKind = ExtensionKind.RESOURCE,
    schema: DocumentSource | None = None,
    targets: Iterable[DocumentSource] = (),
    answers: Mapping[str, str] | None = None,
    sample: bool = False,
    yaml: bool = False,
) -> Plan:
    """Return the files that `cfn init` writes for a new project.

    `language` is one that `cfn init` offers, such as "python312"; a module has none. `schema` is the one to write
    handlers for, by default an example. `answers` are those to the questions of the language, by name. With `sample`
    the handlers of the example work. With `yaml` the example is written in YAML.

    Raises:
        BadInputError: the schema has errors.
        UsageError: the type name or the language is not valid, or the arguments contradict each other.
    """
    settings: dict[str, Any] = {}
    generator = None
    if kind is not ExtensionKind.MODULE:
        generator = expect_new_generator(language)
        settings = {"use_docker": False, "no_docker": True, **generator.settings(type_name, kind, answers or {})}
    document = None if schema is None else _named(open_source(schema), type_name)
    request = ScaffoldRequest(
        kind=kind,
        type_name=type_name,
        language=language or None,
        settings=settings,
        sample=sample,
        yaml=yaml,
        schema=document,
        targets=_targets(targets),
    )
    files = plan_scaffold(request, generator)
    return files if document is None else {**files, document.name: seed(document.text), **plan_json(document)}


def _schema_of(project: Project) -> tuple[Plan, ExtensionSchema, list[Diagnostic]]:
    """Return the file of a schema that is converted from a Smithy model, the schema, and warnings."""
    if project.kind is not ExtensionKind.RESOURCE or not has_smithy_source(project):
        return {}, *expect_project_schema(project)
    from formwork.project.smithy_source import convert_source, plan_schema  # noqa: PLC0415 - few schemas come from one

    converted, found = convert_source(project)
    if any(each.severity is Severity.ERROR for each in found):
        raise BadInputError(found)
    name, text = plan_schema(converted)
    schema, more = load_schema(open_source(text, name=str(project.root / name)), project.kind)
    return {name: managed(text)}, _expect(schema, more), [*found, *more]


def _expect(schema: ExtensionSchema | None, found: list[Diagnostic]) -> ExtensionSchema:
    if schema is None:
        raise BadInputError(found)
    return schema


def _targets(sources: Iterable[DocumentSource]) -> dict[str, Mapping[str, Any]]:
    targets: dict[str, Mapping[str, Any]] = {}
    for number, source in enumerate(sources, start=1):
        document = open_source(source, name=f"<target {number}>")
        if not isinstance(document.value, dict) or not isinstance(document.value.get("typeName"), str):
            raise BadInputError.of(
                "project.target-schema",
                "this is not a target schema",
                location=document.locate(()),
                expected='an object with a "typeName"',
            )
        targets[document.value["typeName"]] = document.value
    return targets


def _named(document: Document, type_name: str) -> Document:
    """Return a schema under the name of its file in the project."""
    if isinstance(document.value, dict) and document.value.get("typeName") != type_name:
        name = document.value.get("typeName")
        raise UsageError(f'the schema is that of "{name}", not of "{type_name}"', hint="give both the same name")
    suffix = ".yaml" if document.format is DocumentFormat.YAML else ".json"
    text = document.text or json.dumps(document.value, indent=4, ensure_ascii=False) + "\n"
    return replace(document, name=hyphenated_name(type_name) + suffix, text=text)
