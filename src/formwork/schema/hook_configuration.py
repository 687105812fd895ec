"""What surrounds a hook's properties in its type configuration: when CloudFormation calls it, and what a refusal does.

The user guide names TargetStacks, FailureMode and Properties; HookInvocationStatus (in TargetStacks' place),
TargetOperations, TargetFilters, StackFilters and EncryptionConfiguration are CloudFormation's later additions.

Without a file, `cfn test` and `cfn invoke hook` send the defaults of the schema: the incumbent sends null, on which
handlers of the user guide fail. `FailureMode` beside `HookConfiguration` is an error, since nothing would read it.
"""

from typing import Any

from formwork.diagnostics import Diagnostic, Severity
from formwork.documents import Document
from formwork.schema.configuration import ENVELOPE, placed
from formwork.schema.models import check_model
from formwork.schema.validator import compile_validator

_OUTER, _INNER, _PROPERTIES = ENVELOPE
_SHAPE = '{"CloudFormationConfiguration": {"HookConfiguration": {"TargetStacks": "ALL", "FailureMode": "FAIL", …}}}'
_TARGET_NAME = r"^[a-zA-Z0-9*?]{1,64}(::[a-zA-Z0-9*?]{1,64}){0,2}$"


def _several(*values: str) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"enum": list(values)}}


def _closed(**members: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": members}


_TARGETS = {
    "TargetNames": {"type": "array", "maxItems": 50, "items": {"type": "string", "pattern": _TARGET_NAME}},
    "Actions": _several("CREATE", "UPDATE", "DELETE"),
    "InvocationPoints": _several("PRE_PROVISION"),
}
_TARGET = _closed(
    **_TARGETS,
    TargetName={"type": "string", "pattern": _TARGET_NAME},
    Action={"enum": ["CREATE", "UPDATE", "DELETE"]},
    InvocationPoint={"enum": ["PRE_PROVISION"]},
)
_STACKS = _closed(
    Include={"type": "array", "items": {"type": "string"}}, Exclude={"type": "array", "items": {"type": "string"}}
)
_SETTINGS = {
    **_closed(
        TargetStacks={"enum": ["ALL", "NONE"]},
        HookInvocationStatus={"enum": ["ENABLED", "DISABLED"]},
        TargetOperations=_several("RESOURCE", "STACK", "CHANGE_SET", "CLOUD_CONTROL"),
        FailureMode={"enum": ["FAIL", "WARN"]},
        TargetFilters=_closed(**_TARGETS, Targets={"type": "array", "minItems": 1, "maxItems": 50, "items": _TARGET}),
        StackFilters={
            **_closed(FilteringCriteria={"enum": ["ALL", "ANY"]}, StackNames=_STACKS, StackRoles=_STACKS),
            "required": ["FilteringCriteria"],
        },
        EncryptionConfiguration=_closed(KmsKeyId={"type": "string"}),
        Properties={"type": "object"},
    ),
}


def check_hook_settings(document: Document) -> list[Diagnostic]:
    """Return diagnostics of CloudFormation's settings in `document`; none if it contains only hook properties."""
    outer = document.value
    if not isinstance(outer, dict) or _OUTER not in outer:
        return []
    inner = outer[_OUTER]
    settings = inner.get(_INNER) if isinstance(inner, dict) else None
    if not isinstance(settings, dict) or len(outer) > 1 or len(inner) > 1:
        message = f"the configuration is not an object with just {_OUTER}, and in it just {_INNER}"
        return [Diagnostic("model.hook-configuration", Severity.ERROR, message, document.locate(()), _SHAPE)]
    found = check_model(compile_validator(_SETTINGS), settings, secret=[(_PROPERTIES,)], document=None)
    return [placed(each, document, (_OUTER, _INNER)) for each in found] + list(_contradictions(document, settings))


def _contradictions(document: Document, settings: dict[str, Any]) -> list[Diagnostic]:
    filters = settings.get("TargetFilters")
    if not isinstance(filters, dict) or "Targets" not in filters:
        return []
    return [
        Diagnostic(
            "model.hook-configuration",
            Severity.ERROR,
            f'"{name}" cannot be combined with "Targets" in TargetFilters',
            document.locate((_OUTER, _INNER, "TargetFilters", name), key=True),
            "either Targets, or TargetNames, Actions and InvocationPoints",
            "put it into each of the Targets",
        )
        for name in _TARGETS
        if name in filters
    ]
