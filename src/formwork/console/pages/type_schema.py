"""The first page of a type: what it is, and its schema as a tree; of a module, what it adds to a template."""

from collections.abc import Mapping
from typing import Any

from formwork.console.pages.type_frame import TypePage
from formwork.console.views.example_template import example_template
from formwork.console.views.schema_tree import SchemaTree
from formwork.console.visits import PageVisit, ShownPage
from formwork.template import render_yaml


def show_type(visit: PageVisit) -> ShownPage:
    """Show the schema of a type, or the fragment of a module."""
    page = TypePage.of(visit)
    values: dict[str, Any] = {
        **page.frame("schema"),
        "tree": None,
        "configured": None,
        "fragment": None,
        "example": None,
        "handlers": page.schema.get("handlers") or {},
        "schema": page.described.get("Schema"),
        "lines": page.lines("DescribeType", ["registry", "describe", page.name, *_kind_words(page)], **page.wanted),
    }
    match page.kind:
        case "MODULE":
            fragment = visit.services.engine.settings.types.find_module(page.scope, page.name)
            values["fragment"] = None if fragment is None else render_yaml(fragment.document.value)
            values["tree"] = SchemaTree(_module_parameters(page.schema))
        case "HOOK":
            values["tree"] = SchemaTree(_configuration_of(page.schema))
        case _:
            values["tree"] = SchemaTree(page.schema)
            if page.schema.get("typeConfiguration"):
                values["configured"] = SchemaTree(_configuration_of(page.schema))
            schema = page.resource_schema
            values["example"] = None if schema is None else example_template(schema)
    return ShownPage("type_schema.html", values)


def _kind_words(page: TypePage) -> list[str]:
    return [] if page.kind == "RESOURCE" else ["--kind", page.kind.lower()]


def _configuration_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    configuration = schema.get("typeConfiguration")
    shown = configuration if isinstance(configuration, dict) else {}
    return {**shown, "definitions": schema.get("definitions", {})}


def _module_parameters(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a module's parameters, which `cfn generate` puts below `Parameters`."""
    found = (schema.get("properties") or {}).get("Parameters")
    return found if isinstance(found, dict) else {}
