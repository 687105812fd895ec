"""The parameters and the capabilities of a template as fields of a form, and what was entered there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formwork.console.visits import PageVisit
from formwork.diagnostics.secrets import NO_ECHO_MASK

_CAPABILITIES = ("CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND")

# What GetTemplateSummary answers, and the values that parameters have already, by name.
Summary = Mapping[str, Any]
KnownValues = Mapping[str, str]


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
