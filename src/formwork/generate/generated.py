"""Plans the files that `cfn generate` writes on each run: models, documentation, role, configuration schema."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError, Diagnostic
from formwork.documents import Document
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.docs import plan_docs
from formwork.generate.generator import LanguageGenerator
from formwork.generate.plan import Plan, managed
from formwork.generate.roles import render_role
from formwork.model import build_type_model
from formwork.project import Project
from formwork.project.yaml_source import json_beside, render_json
from formwork.schema import HookSchema, ResourceSchema

# The service's timeout of a handler whose schema sets none, in minutes.
_DEFAULT_TIMEOUT = 120


def plan_generated(
    project: Project,
    schema: ResourceSchema | HookSchema,
    language: LanguageGenerator,
    *,
    targets: Mapping[str, Mapping[str, Any]] | None = None,
) -> Plan:
    """Return the generated files of a resource or hook project.

    Args:
        project: the project. If its settings contain `aws_runtime`, the models also work with AWS's handler library. Of
            its folder, only files that the language needs are read.
        schema: its schema, loaded.
        language: its language.
        targets: for a hook the schemas of its target types, by type name.

    Raises:
        BadInputError: the language can't generate what the schema or the project's files ask for.
    """
    settings = dict(project.settings)
    if hasattr(language, "settings_of_files"):  # a language of another package may lack it
        settings |= language.settings_of_files(project.root)
    return plan_generated_files(project.kind, language, schema, targets or {}, settings)


def plan_generated_files(
    kind: ExtensionKind,
    language: LanguageGenerator,
    schema: ResourceSchema | HookSchema,
    targets: Mapping[str, Mapping[str, Any]],
    settings: Mapping[str, Any],
) -> Plan:
    """Like `plan_generated`, for a project that has no folder yet."""
    types = build_type_model(schema, kind=kind, reserved=language.reserved_model_names)
    plan = dict(language.plan_models(types, targets, settings))
    plan |= plan_docs(types, targets=_targets_of(schema))
    if schema.handlers:
        plan |= plan_role(kind, schema)
    if schema.type_configuration:
        plan[f"{hyphenated_name(schema.type_name)}-configuration.json"] = managed(render_configuration(schema))
    return plan


def plan_json(document: Document) -> Plan:
    """Return the JSON beside a schema in YAML, for other tools and for packages; nothing for one in JSON."""
    beside = json_beside(Path(document.name))
    return {} if beside is None else {beside.name: managed(render_json(document))}


def plan_module(project: Project) -> tuple[Plan, tuple[Diagnostic, ...]]:
    """Return the schema that follows from a module's fragment, and warnings.

    Raises:
        BadInputError: the fragment has errors.
    """
    from formwork.project.module import load_module, render_module_schema  # noqa: PLC0415 - modules only

    module = load_module(project)
    if module.template is None or not module.valid:
        raise BadInputError(module.diagnostics)
    return {"schema.json": managed(render_module_schema(project, module.template))}, module.diagnostics


def _targets_of(schema: ResourceSchema | HookSchema) -> dict[str, tuple[str, ...]]:
    if not isinstance(schema, HookSchema):
        return {}
    return {name: each.target_names for name, each in schema.handlers.items()}


def plan_role(kind: ExtensionKind, schema: ResourceSchema | HookSchema) -> Plan:
    """Return the template of the execution role, of a schema with at least one handler."""
    permissions = [each for handler in schema.handlers.values() for each in handler.permissions]
    if isinstance(schema, HookSchema):
        timeouts = [_DEFAULT_TIMEOUT]
    else:
        timeouts = [each.timeout_in_minutes for each in schema.handlers.values()]
    return {f"{kind.noun}-role.yaml": managed(render_role(kind, schema.type_name, permissions, timeouts))}


def render_configuration(schema: ResourceSchema | HookSchema) -> str:
    """Return the type configuration's schema with the definitions that it refers to, as the service expects it."""
    value: dict[str, Any] = dict(schema.type_configuration or {})
    if schema.definitions:
        value["definitions"] = dict(schema.definitions)
    if "remote" in schema.value:  # base of references into other documents
        value["remote"] = schema.value["remote"]
    value["typeName"] = schema.type_name
    return json.dumps(value, indent=4, ensure_ascii=False) + "\n"
