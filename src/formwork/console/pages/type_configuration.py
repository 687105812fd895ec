"""The configuration of a type in an account and Region: every value is masked, since any of them may be a secret."""

import json
from typing import Any

from formwork.console.pages.type_frame import TypePage
from formwork.console.parts import CallRefusedError
from formwork.console.views.schema_tree import SchemaTree
from formwork.console.visits import PageVisit, Redirection, ShownPage
from formwork.diagnostics.secrets import mask_leaves
from formwork.extensions import ExtensionKind
from formwork.registry.requests import TypeReference


def show_configuration(visit: PageVisit) -> ShownPage:
    """Show the names that are configured, and the form to set all of them."""
    return _shown(TypePage.of(visit), problem=None)


def set_configuration(visit: PageVisit) -> ShownPage | Redirection:
    """Set the configuration; what was typed is not shown again."""
    page = TypePage.of(visit)
    try:
        page.call("SetTypeConfiguration", **page.wanted, Configuration=visit.field("configuration"))
    except CallRefusedError as error:
        return _shown(page, problem=error.message)
    return page.back("/configuration")


def remove_configuration(visit: PageVisit) -> Redirection:
    """Remove the configuration."""
    page = TypePage.of(visit)
    reference = TypeReference(kind=ExtensionKind(page.kind), name=page.name)
    visit.services.registry.remove_type_configuration(page.scope, reference)
    return page.back("/configuration")


def _shown(page: TypePage, *, problem: str | None) -> ShownPage:
    asked = [{"Type": page.kind, "TypeName": page.name}]
    found = page.call("BatchDescribeTypeConfigurations", TypeConfigurationIdentifiers=asked)
    # A type that no configuration was set for is described with an empty one, which has no time.
    configured = next((each for each in found.get("TypeConfigurations") or () if each.get("LastUpdated")), None)
    content = None if configured is None else mask_leaves(json.loads(configured.get("Configuration") or "{}"))
    schema = _configuration_schema(page)
    words = ["registry", "configure", page.name, "--kind", page.kind.lower(), "--file", "configuration.json"]
    values = {
        **page.frame("configuration"),
        "configured": configured,
        "content": content,
        "problem": problem,
        "tree": None if schema is None else SchemaTree(schema),
        "pattern": _pattern(page.kind, schema),
        "lines": page.lines("SetTypeConfiguration", words, **page.wanted, Configuration="{…}"),
    }
    return ShownPage("type_configuration.html", values, 200 if problem is None else 400)


def _configuration_schema(page: TypePage) -> dict[str, Any] | None:
    schema = page.schema.get("typeConfiguration")
    if not isinstance(schema, dict):
        return None
    return {**schema, "definitions": page.schema.get("definitions", {})}


def _pattern(kind: str, schema: dict[str, Any] | None) -> str:
    """Return an object to fill in: the required properties, in a hook's envelope."""
    declared = {} if schema is None else schema.get("properties") or {}
    wanted = (schema or {}).get("required") or list(declared)
    filled: dict[str, Any] = {name: _empty(declared.get(name)) for name in wanted if isinstance(name, str)}
    if kind == "HOOK":
        settings = {"HookInvocationStatus": "ENABLED", "TargetOperations": ["RESOURCE"], "FailureMode": "FAIL"}
        filled = {"CloudFormationConfiguration": {"HookConfiguration": {**settings, "Properties": filled}}}
    return json.dumps(filled, indent=2)


def _empty(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return None
    if "default" in schema:
        return schema["default"]
    return {"boolean": False, "integer": 0, "number": 0, "array": [], "object": {}}.get(str(schema.get("type")), "")
