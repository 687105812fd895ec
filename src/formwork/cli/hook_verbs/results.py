"""`cfn hook results`: what hooks have said about a stack, a change set or a request, with their annotations."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.registry_verbs.showing import show_json, without_metadata
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget


def show_results(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Show the results, the newest first; exit code 1 where one of them has failed in FAIL mode."""
    client = target.client("cloudformation")
    with aws_errors("reading the results of hooks"):
        identifiers = list(_identifiers(client, arguments))
        found = [without_metadata(client.get_hook_result(HookResultId=each)) for each in identifiers]
    if arguments.format == "json":
        show_json(found, output)
    else:
        for each in found:
            _show(each, output)
        if not found:
            output.say("no results found")
    failed = {"HOOK_COMPLETE_FAILED", "HOOK_FAILED"}
    return 1 if any(each["Status"] in failed and each["FailureMode"] == "FAIL" for each in found) else 0


def _identifiers(client: Any, arguments: argparse.Namespace) -> Iterator[str]:
    asked: dict[str, Any] = {}
    stack = None
    if arguments.change_set is not None:
        named = {} if arguments.stack is None else {"StackName": arguments.stack}
        arn = client.describe_change_set(ChangeSetName=arguments.change_set, **named)["ChangeSetId"]
        asked = {"TargetType": "CHANGE_SET", "TargetId": arn}
    elif arguments.stack is not None:
        stack = client.describe_stacks(StackName=arguments.stack)["Stacks"][0]["StackId"]
    answer = client.list_hook_results(**asked)
    while True:
        for each in answer["HookResults"]:
            if stack is None or each["HookExecutionTarget"] == stack:
                yield each["HookResultId"]
        if not answer.get("NextToken"):
            return
        answer = client.list_hook_results(**asked, NextToken=answer["NextToken"])


def _show(result: Mapping[str, Any], output: CommandOutput) -> None:
    target = result.get("Target", {})
    subject = f"{target.get('Action')} of {target.get('TargetId')} ({target.get('TargetTypeName')})"
    output.result(f"{result['TypeName']}: {result['Status']} ({result['FailureMode']}): {subject}")
    if reason := result.get("HookStatusReason"):
        output.result(f"    {reason}")
    for each in result.get("Annotations", ()):
        texts = [each.get("StatusMessage"), each.get("RemediationMessage")]
        output.result(f"    {each['AnnotationName']}: {each['Status']}{''.join(f': {text}' for text in texts if text)}")
