"""A public type of a third party or of AWS's: its schema, and its activation in the account and Region."""

import json
from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.console.pages.scopes import chosen_scope
from formwork.console.parts import CallRefusedError
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.views.schema_tree import SchemaTree
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.extensions import ExtensionKind

_KINDS = tuple(str(each) for each in ExtensionKind)


def show_public_type(visit: PageVisit) -> ShownPage:
    """Show a type as its publisher has published it last."""
    return _shown(visit, problem=None)


def activate(visit: PageVisit) -> ShownPage | Redirection:
    """Activate it, under a name of one's own where one is given."""
    scope, wanted = chosen_scope(visit), _wanted(visit)
    try:
        visit.call(scope, "ActivateType", **_activation(visit, wanted))
    except CallRefusedError as error:
        return _shown(visit, problem=error.message)
    name = visit.field("alias").strip() or wanted["TypeName"]
    return Redirection(f"/registry/{wanted['Type']}/{name}?account={scope.account}&region={scope.region}")


def _wanted(visit: PageVisit) -> dict[str, str]:
    kind = visit.path["kind"]
    if kind not in _KINDS:
        raise NotShownError("this kind of type does not exist")
    return {"Type": kind, "TypeName": visit.path["name"], "PublisherId": visit.path["publisher"]}


def _activation(visit: PageVisit, wanted: Mapping[str, str]) -> dict[str, Any]:
    alias, major = visit.field("alias").strip(), visit.field("major").strip()
    return {
        **wanted,
        "AutoUpdate": not visit.form or bool(visit.field("follow")),
        **({"TypeNameAlias": alias} if alias else {}),
        **({"MajorVersion": int(major)} if major.isdecimal() and len(major) < 6 else {}),
    }


def _shown(visit: PageVisit, *, problem: str | None) -> ShownPage:
    scope, wanted = chosen_scope(visit), _wanted(visit)
    described = visit.call(scope, "DescribeType", **wanted)
    schema = json.loads(described.get("Schema") or "{}")
    shown = schema.get("typeConfiguration") if wanted["Type"] == "HOOK" else schema
    values: dict[str, Any] = {
        "scope": scope,
        "kind": wanted["Type"],
        "name": wanted["TypeName"],
        "publisher": wanted["PublisherId"],
        "described": described,
        "tree": SchemaTree({**(shown or {}), "definitions": schema.get("definitions", {})}),
        "schema": described.get("Schema"),
        "alias": visit.field("alias"),
        "problem": problem,
        "lines": _lines(visit, scope, wanted),
    }
    return ShownPage("public_type.html", values, 200 if problem is None else 400)


def _lines(visit: PageVisit, scope: Scope, wanted: Mapping[str, str]) -> list[tuple[str, str]]:
    words = ["registry", "activate", wanted["TypeName"], "--kind", wanted["Type"].lower()]
    words += ["--publisher", wanted["PublisherId"]]
    call = EquivalentCall(scope, visit.parts.api, "ActivateType", _activation(visit, wanted))
    return call.lines(cfn_line(*words, scope=scope))
