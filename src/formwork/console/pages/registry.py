"""The registry: types, hooks and modules, their versions and schemas."""

import json
import re
from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.console.pages.scopes import chosen_scope, scopes_of_types
from formwork.console.parts import CallRefusedError
from formwork.console.views.commands import EquivalentCall
from formwork.console.views.schema_tree import SchemaTree
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.diagnostics import BadInputError, Diagnostic
from formwork.diagnostics.secrets import mask_leaves
from formwork.documents import Document, DocumentFormat, parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import load_hook_schema, load_resource_schema
from formwork.schema_changes import compare_hooks, compare_schemas

_KINDS = tuple(str(each) for each in ExtensionKind)
_WEB_ADDRESS = re.compile(r"https://[^\s]+", re.ASCII)


def list_types(visit: PageVisit) -> ShownPage:
    """Show the private and the activated types of an account and Region."""
    scope = chosen_scope(visit)
    found = []
    for kind in _KINDS:
        private = visit.call_all(scope, "ListTypes", "TypeSummaries", Type=kind, Visibility="PRIVATE")
        activated = visit.call_all(
            scope, "ListTypes", "TypeSummaries", Type=kind, Visibility="PUBLIC", Filters={"Category": "ACTIVATED"}
        )
        known = {each["TypeName"] for each in private}
        found += [*private, *(each for each in activated if each["TypeName"] not in known)]
    values = {"types": found, "scope": scope, "scopes": scopes_of_types(visit)}
    return ShownPage("registry.html", values)


def show_type(visit: PageVisit) -> ShownPage:
    """Show a type: its versions, its schema as a tree, and what a version changed."""
    scope, kind, name = chosen_scope(visit), _kind(visit), visit.path["name"]
    wanted = {"Type": kind, "TypeName": name}
    version = visit.query.get("version", "")
    described = visit.call(scope, "DescribeType", **wanted, **({"VersionId": version} if version else {}))
    versions = _versions(visit, scope, wanted)
    schema = _schema(described)
    values = {
        "scope": scope,
        "kind": kind,
        "name": name,
        "described": described,
        "version": version or described.get("DefaultVersionId") or "",
        "versions": versions,
        "tree": None if schema is None or kind == "MODULE" else SchemaTree(_properties_of(kind, schema)),
        "handlers": {} if schema is None else schema.get("handlers") or {},
        "schema": described.get("Schema"),
        "configuration": _configuration(visit, scope, kind, name),
        "links": {
            label: described[member]
            for label, member in (("Documentation", "DocumentationUrl"), ("Source", "SourceUrl"))
            if _WEB_ADDRESS.fullmatch(described.get(member) or "")
        },
        **_comparison(visit, scope, wanted, described),
        "lines": EquivalentCall(scope, visit.parts.api, "DescribeType", wanted).lines(
            f"cfn registry describe {name} --local"
        ),
    }
    return ShownPage("type.html", values)


def test_version(visit: PageVisit) -> Redirection:
    """Run the contract tests of a version."""
    scope, version = chosen_scope(visit), visit.field("version")
    visit.call(scope, "TestType", Type=_kind(visit), TypeName=visit.path["name"], VersionId=version)
    return _back(visit, scope, version)


def set_default(visit: PageVisit) -> Redirection:
    """Make a version the one that stacks use."""
    scope, version = chosen_scope(visit), visit.field("version")
    visit.call(scope, "SetTypeDefaultVersion", Type=_kind(visit), TypeName=visit.path["name"], VersionId=version)
    return _back(visit, scope, version)


def set_configuration(visit: PageVisit) -> Redirection:
    """Set the configuration of a type."""
    scope = chosen_scope(visit)
    content = visit.field("configuration")
    visit.call(scope, "SetTypeConfiguration", Type=_kind(visit), TypeName=visit.path["name"], Configuration=content)
    return _back(visit, scope, "")


def _back(visit: PageVisit, scope: Scope, version: str) -> Redirection:
    shown = f"&version={version}" if version.isdecimal() else ""
    return Redirection(
        f"/registry/{_kind(visit)}/{visit.path['name']}?account={scope.account}&region={scope.region}{shown}"
    )


def _kind(visit: PageVisit) -> str:
    if visit.path["kind"] not in _KINDS:
        raise NotShownError("this kind of type does not exist")
    return visit.path["kind"]


def _versions(visit: PageVisit, scope: Scope, wanted: Mapping[str, str]) -> list[Mapping[str, Any]]:
    try:
        found = [
            each
            for status in ("LIVE", "DEPRECATED")
            for each in visit.call_all(
                scope, "ListTypeVersions", "TypeVersionSummaries", DeprecatedStatus=status, **wanted
            )
        ]
    except CallRefusedError:  # AWS's own types have none that are listed
        return []
    return sorted(found, key=lambda each: str(each["VersionId"]), reverse=True)


def _schema(described: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        value = json.loads(described.get("Schema") or "null")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _properties_of(kind: str, schema: dict[str, Any]) -> Mapping[str, Any]:
    """Return the part that users fill in: of a hook its configuration."""
    configuration = schema.get("typeConfiguration")
    if kind == "HOOK" and isinstance(configuration, dict):
        return {**configuration, "definitions": schema.get("definitions", {})}
    return schema


def _configuration(visit: PageVisit, scope: Scope, kind: str, name: str) -> Any:
    """Return the configuration with every value masked: any of them may be a secret."""
    asked = [{"Type": kind, "TypeName": name}]
    found = visit.call(scope, "BatchDescribeTypeConfigurations", TypeConfigurationIdentifiers=asked)
    for each in found.get("TypeConfigurations") or ():
        return mask_leaves(json.loads(each.get("Configuration") or "{}"))
    return None


def _comparison(
    visit: PageVisit, scope: Scope, wanted: Mapping[str, str], described: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the changes since the version that the page is compared with."""
    old = visit.query.get("compare", "")
    if not old:
        return {"compared": "", "changes": [], "problem": None}
    before = visit.call(scope, "DescribeType", **wanted, VersionId=old)
    try:
        changes = _changes(wanted["Type"], before.get("Schema") or "{}", described.get("Schema") or "{}")
    except BadInputError as error:
        return {"compared": old, "changes": [], "problem": str(error)}
    return {"compared": old, "changes": changes, "problem": None}


def _changes(kind: str, old: str, new: str) -> list[Diagnostic]:
    documents = [_document(each) for each in (old, new)]
    if kind == "HOOK":
        hooks = [load_hook_schema(each) for each in documents]
        assert hooks[0].schema is not None
        assert hooks[1].schema is not None
        return compare_hooks(hooks[0].schema, hooks[1].schema)
    types = [load_resource_schema(each) for each in documents]
    if types[0].schema is None or types[1].schema is None:
        raise BadInputError(each for loaded in types for each in loaded.diagnostics)
    return compare_schemas(types[0].schema, types[1].schema)


def _document(text: str) -> Document:
    return parse_document(text, name="schema", format=DocumentFormat.JSON)
