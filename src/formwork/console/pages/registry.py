"""The registry: the types, hooks and modules of an account and Region, and those that are public."""

from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.console.pages.scopes import chosen_scope, scopes_of_types
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.visits import PageVisit, ShownPage
from formwork.extensions import ExtensionKind

_KINDS = tuple(str(each) for each in ExtensionKind)
_MOST_PUBLIC = 100


def list_types(visit: PageVisit) -> ShownPage:
    """Show the private and the activated types, of a kind and with a text in their name where these are given."""
    scope = chosen_scope(visit)
    kind, text = _asked_kind(visit), visit.query.get("q", "").strip()
    found: list[Mapping[str, Any]] = []
    for each in [kind] if kind else _KINDS:
        private = visit.call_all(scope, "ListTypes", "TypeSummaries", Type=each, Visibility="PRIVATE")
        activated = visit.call_all(
            scope, "ListTypes", "TypeSummaries", Type=each, Visibility="PUBLIC", Filters={"Category": "ACTIVATED"}
        )
        known = {one["TypeName"] for one in private}
        found += [*private, *(one for one in activated if one["TypeName"] not in known)]
    call = EquivalentCall(scope, visit.parts.api, "ListTypes", {"Visibility": "PRIVATE", **_typed(kind)})
    values = {
        **_common(visit, scope, kind, text),
        "types": [each for each in found if text.lower() in each["TypeName"].lower()],
        "registered": len(found),
        "lines": call.lines(cfn_line("registry", "list", *(["--kind", kind.lower()] if kind else []), scope=scope)),
    }
    return ShownPage("registry.html", values)


def list_public_types(visit: PageVisit) -> ShownPage:
    """Show the first public types whose names begin with a text: third parties' and AWS's."""
    scope = chosen_scope(visit)
    kind, text = _asked_kind(visit), visit.query.get("q", "").strip()
    filters = {"TypeNamePrefix": text} if text else {}
    members: dict[str, Any] = {"Visibility": "PUBLIC", **_typed(kind), **({"Filters": filters} if filters else {})}
    of_others: dict[str, Any] = {**members, "Filters": {"Category": "THIRD_PARTY", **filters}}
    third = visit.call(scope, "ListTypes", **of_others, MaxResults=_MOST_PUBLIC)
    page = visit.call(scope, "ListTypes", **members, MaxResults=_MOST_PUBLIC)
    summaries = [*third["TypeSummaries"], *page["TypeSummaries"]]
    found = {(each["Type"], each["TypeName"], each.get("PublisherId")): each for each in summaries}
    words = ["registry", "list", "--visibility", "public", *(["--kind", kind.lower()] if kind else [])]
    values = {
        **_common(visit, scope, kind, text),
        "types": list(found.values()),
        "more": bool(page.get("NextToken")),
        "lines": EquivalentCall(scope, visit.parts.api, "ListTypes", members).lines(
            cfn_line(*words, *(["--prefix", text] if text else []), scope=scope)
        ),
    }
    return ShownPage("registry_public.html", values)


def _asked_kind(visit: PageVisit) -> str:
    kind = visit.query.get("kind", "")
    return kind if kind in _KINDS else ""


def _typed(kind: str) -> dict[str, str]:
    return {"Type": kind} if kind else {}


def _common(visit: PageVisit, scope: Scope, kind: str, text: str) -> dict[str, Any]:
    return {"scope": scope, "scopes": scopes_of_types(visit), "kinds": _KINDS, "kind": kind, "text": text}
