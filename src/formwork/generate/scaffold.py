"""Plans the files that `cfn init` writes for a new project of any kind."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import BadInputError, UsageError
from formwork.documents import Document, parse_document
from formwork.extensions import ExtensionKind, hyphenated_name, is_type_name
from formwork.generate.acceptance import plan_acceptance_test
from formwork.generate.editors import plan_editors
from formwork.generate.generated import plan_generated_files
from formwork.generate.generator import LanguageGenerator
from formwork.generate.handlers import Handlers, Toolchain
from formwork.generate.inputs import derived_hook_inputs, derived_resource_inputs
from formwork.generate.plan import Plan, PlannedFile, managed, seed
from formwork.generate.readme import render_readme
from formwork.generate.templates import TEMPLATES, render_template
from formwork.model import build_type_model
from formwork.project import CONFIG_FILE, ProjectConfig, render_config
from formwork.project.sample_inputs import hook_inputs, resource_inputs
from formwork.project.yaml_source import json_beside, render_json
from formwork.schema import HookSchema, ResourceSchema, load_hook_schema, load_resource_schema
from formwork.schema.at_hand import shipped_schemas
from formwork.template.render import render_yaml

PROTOCOL_VERSION = "2.0.0"
_EXAMPLE_TARGET = "AWS::S3::Bucket"


class ScaffoldRequest(Struct, frozen=True, kw_only=True):
    """A project to start.

    Attributes:
        kind: resource, hook or module.
        type_name: `Org::Svc::Res`.
        language: as `.rpdk-config` names it; None for a module.
        settings: the language's settings for `.rpdk-config`.
        sample: handlers that work instead of stubs; only over the example schema.
        yaml: the example schema, or a module's fragment, is written in YAML.
        schema: the schema that exists already; by default the project gets an example to replace.
        targets: for a hook the schemas of its target types, by type name.
    """

    kind: ExtensionKind
    type_name: str
    language: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    sample: bool = False
    yaml: bool = False
    schema: Document | None = None
    targets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def plan_scaffold(request: ScaffoldRequest, language: LanguageGenerator | None) -> Plan:
    """Plan all files of a new project; `language` is the request's, None for a module.

    Raises:
        UsageError: the request contradicts itself.
        BadInputError: the existing schema can't be used.
    """
    if not is_type_name(request.type_name, request.kind):
        raise UsageError(
            f'"{request.type_name}" is not a valid name of a {request.kind.noun} type',
            hint=f"use the form {request.kind.pattern}, each part of 2 to 64 letters and digits",
        )
    if request.kind is ExtensionKind.MODULE:
        return _plan_module(request)
    if request.sample and request.schema is not None:
        raise UsageError(
            "the sample handlers belong to the example schema, and this folder has a schema already",
            hint="leave --sample out, or start in an empty folder",
        )
    assert language is not None
    return _plan_project(request, language)


def _plan_module(request: ScaffoldRequest) -> Plan:
    config = ProjectConfig(request.kind, request.type_name, settings=_settings(request))
    name, fragment = "fragments/sample.json", _template("module.json", request)
    if request.yaml:
        name, fragment = "fragments/sample.yaml", render_yaml(json.loads(fragment))
    test = plan_acceptance_test(request.kind, request.type_name, sample=True)
    return {CONFIG_FILE: seed(render_config(config)), name: seed(fragment), **test}


def _plan_project(request: ScaffoldRequest, language: LanguageGenerator) -> Plan:
    document = request.schema or _example(request)
    schema = _load(document, request.kind)
    targets = request.targets
    if request.kind is ExtensionKind.HOOK and request.schema is None:
        targets = {_EXAMPLE_TARGET: json.loads(shipped_schemas().find(_EXAMPLE_TARGET) or ""), **targets}
    handlers = Handlers(
        type_name=request.type_name,
        schema=schema.value,
        types=build_type_model(schema, kind=request.kind, reserved=language.reserved_model_names),
        targets=targets,
        sample=request.sample,
        settings=_settings(request),
    )
    toolchain = language.toolchain(request.type_name, request.kind, _settings(request))
    plan = {
        **_project_files(request, document, toolchain),
        **{f"target-schemas/{hyphenated_name(name)}.json": seed(_json(value)) for name, value in targets.items()},
        **{f"inputs/{name}": seed(_json(value)) for name, value in _inputs(request, schema, targets).items()},
        **plan_acceptance_test(request.kind, request.type_name, sample=request.sample),
        **language.plan_handlers(handlers),
        **plan_generated_files(request.kind, language, schema, targets, _settings(request)),
        **plan_editors(request.kind, document.name),
    }
    readme = render_readme(request.kind, request.type_name, plan, toolchain, sample=request.sample)
    return {**plan, "README.md": seed(readme)}


def _project_files(request: ScaffoldRequest, document: Document, toolchain: Toolchain) -> dict[str, PlannedFile]:
    config = ProjectConfig(
        request.kind,
        request.type_name,
        language=request.language,
        runtime=toolchain.runtime,
        entrypoint=toolchain.entrypoint,
        test_entrypoint=toolchain.test_entrypoint,
        executable_entrypoint=toolchain.executable_entrypoint,
        settings=_settings(request),
    )
    files = {
        CONFIG_FILE: render_config(config),
        "template.yml": render_template(
            TEMPLATES / "template.yml.txt",
            {
                "type_name": request.type_name,
                "runtime": toolchain.runtime,
                "entrypoint": toolchain.entrypoint,
                "test_entrypoint": toolchain.test_entrypoint,
                "code_uri": toolchain.code_uri,
                "test_environment": _environment(toolchain.test_variables),
            },
        ),
    }
    if request.schema is None:
        files[document.name] = document.text
    planned = {name: seed(text) for name, text in files.items()}
    beside = json_beside(Path(document.name)) if request.schema is None else None
    return planned if beside is None else {**planned, beside.name: managed(render_json(document))}


def _environment(variables: Mapping[str, str]) -> str:
    if not variables:
        return ""
    lines = [
        "",
        "      Environment:",
        "        Variables:",
        *(f"          {name}: {variables[name]}" for name in variables),
    ]
    return "\n".join(lines)


def _settings(request: ScaffoldRequest) -> Mapping[str, Any]:
    return {**request.settings, "protocolVersion": PROTOCOL_VERSION}


def _example(request: ScaffoldRequest) -> Document:
    name = "hook.json" if request.kind is ExtensionKind.HOOK else "resource.json"
    text, stem = _template(name, request), hyphenated_name(request.type_name)
    if request.yaml:
        return parse_document(render_yaml(json.loads(text)), name=f"{stem}.yaml")
    return parse_document(text, name=f"{stem}.json")


def _load(document: Document, kind: ExtensionKind) -> ResourceSchema | HookSchema:
    loaded = load_hook_schema(document) if kind is ExtensionKind.HOOK else load_resource_schema(document)
    if loaded.schema is None:
        raise BadInputError(loaded.diagnostics)
    return loaded.schema


def _inputs(
    request: ScaffoldRequest, schema: ResourceSchema | HookSchema, targets: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Any]:
    if request.schema is None:
        return hook_inputs() if request.kind is ExtensionKind.HOOK else resource_inputs()
    if isinstance(schema, HookSchema):
        return derived_hook_inputs(schema, targets)
    return derived_resource_inputs(schema)


def _template(name: str, request: ScaffoldRequest) -> str:
    return render_template(TEMPLATES / f"{name}.txt", {"type_name": request.type_name})


def _json(value: Any) -> str:
    return json.dumps(value, indent=4, ensure_ascii=False) + "\n"
