"""Why an operation failed: what failed first, what hooks said of it, and where to read on."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwork.cli.registry_verbs.looking import find_type_logs
from formwork.cli.stack_verbs.refused_properties import refused_properties
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.extensions import hyphenated_name

_HOOKS_FAILED = "The following hook(s) failed"
_AWS = ("AWS::", "Alexa::", "Custom::")


def explain_failure(
    target: RegistryTarget, stack: Mapping[str, Any], events: Sequence[Mapping[str, Any]], output: CommandOutput
) -> None:
    """Print the reason of the first failure among an operation's events, with hook annotations and where logs are."""
    first = _first_failure(stack, events)
    if first is None:
        if reason := stack.get("StackStatusReason"):
            output.say(f"why: {reason}")
        return
    name, type_name = first["LogicalResourceId"], first["ResourceType"]
    reason = first.get("ResourceStatusReason", "")
    output.say(f"the first failure: {name} ({type_name}): {reason}")
    operation = {"StackName": stack["StackId"], "OperationId": first.get("OperationId", "")}
    for line in refused_properties(target.client("cloudformation"), reason, **operation):
        output.say(f"    {line}")
    hooks = [each for each in events if each["LogicalResourceId"] == name and _refuses(each)]
    for each in hooks:
        output.say(f"    {each['HookType']}: {each.get('HookStatusReason', '')}")
        for line in _annotations(target.client("cloudformation"), each.get("HookInvocationId")):
            output.say(f"        {line}")
    for handler in [each["HookType"] for each in hooks] or [type_name]:
        if not handler.startswith(_AWS) and _has_logs(target, handler):
            output.say(f"what its handler wrote: cfn registry logs {handler}{target.words}")


def _has_logs(target: RegistryTarget, type_name: str) -> bool:
    """Return whether handlers of the type have written a log that `cfn registry logs` can read."""
    import botocore.exceptions

    try:
        return bool(find_type_logs(target.client("logs"), hyphenated_name(type_name)))
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError):
        return False


def _first_failure(stack: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the first failure of a resource, else what hooks refused, else the failure of the stack itself."""
    failed = [
        each
        for each in events
        if str(each["ResourceStatus"]).endswith("_FAILED")
        and not each.get("HookType")
        and each.get("StackId", stack["StackId"]) == stack["StackId"]  # not of one of that name that was deleted first
    ]
    own = [
        each
        for each in failed
        if each.get("PhysicalResourceId") != stack["StackId"]
        and not str(each.get("ResourceStatusReason", "")).endswith("cancelled")
    ]
    refused = [each for each in events if _HOOKS_FAILED in each.get("ResourceStatusReason", "")]
    return next(iter(own or refused or failed), None)


def _refuses(event: Mapping[str, Any]) -> bool:
    return event.get("HookFailureMode") == "FAIL" and str(event.get("HookStatus", "")).endswith("FAILED")


def _annotations(client: Any, invocation: str | None) -> Iterator[str]:
    """Yield the annotations of a hook's invocation, if the service still has its result."""
    import botocore.exceptions

    if invocation is None:
        return
    try:
        result = client.get_hook_result(HookResultId=invocation)
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError):
        return
    for each in result.get("Annotations", ()):
        if each.get("Status") == "FAILED":
            texts = (each.get("StatusMessage"), each.get("RemediationMessage"), each.get("RemediationLink"))
            yield f"{each['AnnotationName']}: {'; '.join(text for text in texts if text)}"
