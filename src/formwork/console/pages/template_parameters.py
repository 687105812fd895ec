"""The fields of forms that take a template, its parameters and its capabilities, and what was entered there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formwork.console.pages.scopes import USUAL
from formwork.console.visits import PageVisit
from formwork.diagnostics.secrets import NO_ECHO_MASK

_KEEP = "keep"  # the template that the stack, or the stack set, has
_CAPABILITIES = ("CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND")

# What GetTemplateSummary answers, and the values that parameters have already, by name.
Summary = Mapping[str, Any]
KnownValues = Mapping[str, str]


def keeps_template(visit: PageVisit) -> bool:
    """Return whether the form of an update says that the template stays."""
    return visit.field("source") == _KEEP


def template_body(visit: PageVisit) -> str:
    """Return the template of the form, with the ends of lines that it had before a browser sent it."""
    return visit.field("template").replace("\r\n", "\n")


def template_values(visit: PageVisit, problem: str | None) -> dict[str, Any]:
    """Return what the form for a template shows: what was entered, else what is usual."""
    return {
        "problem": problem,
        "name": visit.field("name"),
        "region": visit.field("region") or USUAL.region,
        "in_account": visit.field("account") or visit.session.account or USUAL.account,
        "template": visit.field("template"),
        "keeps": visit.field("source", _KEEP) == _KEEP,
    }


def parameter_values(
    visit: PageVisit, summary: Summary, known: KnownValues, *, keeps: bool, problem: str | None
) -> dict[str, Any]:
    """Return what the form for a template's parameters shows, and carries on from the form before it."""
    return {
        "problem": problem,
        "template": "" if keeps else visit.field("template"),
        "source": visit.field("source"),
        "fields": parameter_fields(visit, summary, known),
        "capabilities": needed_capabilities(visit, summary),
        "reason": summary.get("CapabilitiesReason"),
        "transforms": summary.get("DeclaredTransforms") or [],
    }


def parameter_fields(visit: PageVisit, summary: Summary, known: KnownValues) -> list[dict[str, Any]]:
    """Return the fields for parameters, with the values of the form, else with those that are known."""
    fields = []
    for each in summary.get("Parameters") or ():
        name, secret = each["ParameterKey"], bool(each.get("NoEcho"))
        given = visit.field(f"parameter.{name}", known.get(name, each.get("DefaultValue") or ""))
        fields.append(
            {
                "name": name,
                "value": "" if secret else given,
                "secret": secret,
                "kept": secret and name in known,
                "has_default": each.get("DefaultValue") is not None,
                "choices": (each.get("ParameterConstraints") or {}).get("AllowedValues") or [],
                "type": each.get("ParameterType") or "String",
                "description": each.get("Description") or "",
            }
        )
    return fields


def given_parameters(visit: PageVisit, summary: Summary, known: KnownValues) -> list[dict[str, Any]]:
    """Return the parameters of the form; an empty secret keeps the value that is known."""
    found: list[dict[str, Any]] = []
    for each in summary.get("Parameters") or ():
        name = each["ParameterKey"]
        usual = "" if each.get("NoEcho") else known.get(name, each.get("DefaultValue") or "")
        value = visit.field(f"parameter.{name}", usual)
        if not value and each.get("NoEcho") and name in known:
            found.append({"ParameterKey": name, "UsePreviousValue": True})
        elif value or each.get("DefaultValue") is None or not each.get("NoEcho"):
            found.append({"ParameterKey": name, "ParameterValue": value})
    return found


def masked_parameters(given: Iterable[Mapping[str, Any]], summary: Summary) -> list[Mapping[str, Any]]:
    """Return parameters with the values of NoEcho ones masked."""
    secret = {each["ParameterKey"] for each in summary.get("Parameters") or () if each.get("NoEcho")}
    return [
        {**each, "ParameterValue": NO_ECHO_MASK}
        if each["ParameterKey"] in secret and "ParameterValue" in each
        else each
        for each in given
    ]


def needed_capabilities(visit: PageVisit, summary: Summary) -> Sequence[tuple[str, bool]]:
    """Return the capabilities that the template needs, and whether each is acknowledged in the form."""
    needed = list(summary.get("Capabilities") or ())
    if summary.get("DeclaredTransforms"):
        needed.append("CAPABILITY_AUTO_EXPAND")
    return [(each, each in visit.form.get("capability", ())) for each in dict.fromkeys(needed)]


def acknowledged_capabilities(visit: PageVisit) -> list[str]:
    """Return the capabilities that the form acknowledges."""
    return [each for each in _CAPABILITIES if each in visit.form.get("capability", ())]
