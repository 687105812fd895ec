"""`cfn stack` in parts: what requests hold, what is shown, and what is said of failures; nothing answers but values."""

import argparse
import io
import json
from datetime import UTC, datetime

import pytest
from botocore.exceptions import ClientError

from formwork.cli.stack_verbs.changing import delete
from formwork.cli.stack_verbs.failures import explain_failure
from formwork.cli.stack_verbs.following import Follower
from formwork.cli.stack_verbs.requests import request_errors, stack_request
from formwork.cli.stack_verbs.showing import change_lines, change_value
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError, UsageError

ARN = "arn:aws:cloudformation:us-east-1:111111111111:stack/shop/1"
TEMPLATE = "Parameters: {Name: {Type: String}, Size: {Type: Number}}\nResources: {A: {Type: AWS::SNS::Topic}}\n"


def told(minute, name, status, reason=None, **more):
    physical = ARN if name == "shop" else ""
    kind = "AWS::CloudFormation::Stack" if name == "shop" else "Acme::Web::Thing"
    return {
        "EventId": f"{minute}-{name}-{status}-{more.get('HookStatus')}",
        "Timestamp": datetime(2026, 1, 1, 12, minute, tzinfo=UTC),
        "LogicalResourceId": name,
        "PhysicalResourceId": physical,
        "ResourceType": kind,
        "ResourceStatus": status,
        **({"ResourceStatusReason": reason} if reason else {}),
        **more,
    }


class Client:
    """Answers as the test says: events come a round of DescribeStacks later than those before."""

    def __init__(self, *rounds, answer=None, logs=()):
        self.logs = logs
        self.rounds = list(rounds)
        self.events = []
        self.status = "CREATE_IN_PROGRESS"
        self.answer = answer or {}
        self.calls = []

    def describe_stacks(self, **_request):
        if self.rounds:
            self.status, *events = self.rounds.pop(0)
            self.events = [*reversed(events), *self.events]
        return {"Stacks": [{"StackName": "shop", "StackId": ARN, "StackStatus": self.status}]}

    def describe_log_groups(self, logGroupNamePrefix):
        return {"logGroups": [each for each in self.logs if each.startswith(logGroupNamePrefix)]}

    def get_paginator(self, operation):
        self.calls.append(operation)
        pages = {
            "describe_stack_events": {"StackEvents": self.events},
            "list_stack_resources": {"StackResourceSummaries": [{}, {}]},
        }
        return argparse.Namespace(paginate=lambda **_request: [pages[operation]])

    def get_hook_result(self, **_request):
        return self.answer

    def delete_stack(self, **request):
        self.calls.append(request)


def screen(*, terminal=False, colour=False, answers=None):
    return CommandOutput(
        io.StringIO(),
        io.StringIO(),
        colour=colour,
        interactive=answers is not None,
        answers=None if answers is None else io.StringIO(answers),
        terminal=terminal,
    )


def target(client, **more):
    return RegistryTarget(lambda _service: client, local=True, **more)


@pytest.fixture
def arguments(tmp_path):
    (tmp_path / "template.yml").write_text(TEMPLATE)

    def make(**more):
        given = {
            "stack": "shop",
            "template": str(tmp_path / "template.yml"),
            "parameter": [],
            "parameter_file": [],
            "tag": [],
            "capabilities": [],
            "role_arn": None,
            "s3_bucket": None,
        }
        return argparse.Namespace(**{**given, **more})

    return make


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"Name": "x", "Size": 3}'),
        ("a.yml", "Name: x\nSize: 3\n"),
        ("b.json", '{"Parameters": {"Name": "x", "Size": 3}, "StackPolicy": {}}'),
        (
            "c.json",
            '[{"ParameterKey": "Name", "ParameterValue": "x"}, {"ParameterKey": "Size", "ParameterValue": "3"}]',
        ),
    ],
)
def test_parameters_of_a_file(tmp_path, arguments, name, text):
    (tmp_path / name).write_text(text)
    asked = arguments(parameter_file=[str(tmp_path / name)], parameter=["Name=y"])
    request = stack_request(target(None), asked, None)
    assert request["Parameters"] == [
        {"ParameterKey": "Name", "ParameterValue": "y"},
        {"ParameterKey": "Size", "ParameterValue": "3"},
    ]


def test_tags_of_a_file_and_of_options(tmp_path, arguments):
    file = tmp_path / "a.yml"
    file.write_text("Tags: {Team: web, Cost: 1, Old: true}\n")
    request = stack_request(target(None), arguments(parameter_file=[str(file)], tag=["Team=shop"]), None)
    assert request["Tags"] == [
        {"Key": "Team", "Value": "shop"},
        {"Key": "Cost", "Value": "1"},
        {"Key": "Old", "Value": "true"},
    ]


def test_parameters_that_nobody_names_stay(arguments):
    parameters = [{"ParameterKey": "Name", "ParameterValue": "x"}, {"ParameterKey": "Gone"}]
    known = {"StackStatus": "CREATE_COMPLETE", "Parameters": parameters}
    request = stack_request(target(None), arguments(parameter=["Size=1"]), known)
    assert request["Parameters"] == [
        {"ParameterKey": "Size", "ParameterValue": "1"},
        {"ParameterKey": "Name", "UsePreviousValue": True},
    ]


@pytest.mark.parametrize(
    "text", ["[1]", "3", '{"Parameters": []}', '{"Name": null}', '[{"Key": "a", "Value": {}}]', "["]
)
def test_files_that_hold_no_parameters(tmp_path, arguments, text):
    file = tmp_path / "a.json"
    file.write_text(text)
    with pytest.raises(BadInputError) as caught:
        stack_request(target(None), arguments(parameter_file=[str(file)]), None)
    assert str(file) in str(caught.value.diagnostics[0].location.file)


def test_a_template_that_is_too_large_for_a_request(arguments, tmp_path):
    (tmp_path / "template.yml").write_text(TEMPLATE + "# " + "x" * 60_000)
    with pytest.raises(UsageError, match="bytes long"):
        stack_request(RegistryTarget(lambda _service: None, local=False), arguments(), None)


def test_what_happens_is_shown_once():
    client = Client(
        ("CREATE_IN_PROGRESS", told(0, "shop", "CREATE_IN_PROGRESS"), told(1, "A", "CREATE_IN_PROGRESS")),
        ("CREATE_IN_PROGRESS", told(2, "A", "CREATE_COMPLETE")),
        ("CREATE_COMPLETE", told(3, "shop", "CREATE_COMPLETE")),
    )
    output = screen()
    assert Follower(target(client), output).follow("shop")["StackStatus"] == "CREATE_COMPLETE"
    assert output.err.getvalue().splitlines() == [
        "12:00:00  shop  CREATE_IN_PROGRESS  AWS::CloudFormation::Stack",
        "12:01:00  A  CREATE_IN_PROGRESS  Acme::Web::Thing",
        "12:02:00  A  CREATE_COMPLETE  Acme::Web::Thing",
        "12:03:00  shop  CREATE_COMPLETE  AWS::CloudFormation::Stack",
    ]


def test_a_terminal_sees_what_is_at_work_and_keeps_the_events():
    client = Client(
        ("CREATE_IN_PROGRESS", told(0, "shop", "CREATE_IN_PROGRESS"), told(1, "A", "CREATE_IN_PROGRESS")),
        ("CREATE_COMPLETE", told(2, "A", "CREATE_FAILED"), told(3, "shop", "CREATE_COMPLETE")),
    )
    output = screen(terminal=True, colour=True)
    Follower(target(client), output).follow("shop")
    shown = output.err.getvalue()
    assert "CREATE_IN_PROGRESS  0:00, 1 at work: A" in shown
    assert "\x1b[31mCREATE_FAILED\x1b[0m" in shown
    assert shown.rpartition("\r")[2].count("\n") == 2


@pytest.mark.parametrize(
    ("temporary", "words"),
    [
        (False, "the operation continues without this command"),
        (True, "is interrupted until a server runs again: cfn serve"),
    ],
)
def test_an_interrupt_says_how_to_follow(temporary, words):
    class Interrupted(Client):
        def describe_stacks(self, **_request):
            raise KeyboardInterrupt

    output = screen()
    with pytest.raises(KeyboardInterrupt):
        Follower(target(Interrupted(), temporary=temporary, words=" --local"), output).follow(ARN)
    assert words in output.err.getvalue()
    assert "cfn stack events shop --follow --local\n" in output.err.getvalue()


STACK = {"StackName": "shop", "StackId": ARN, "StackStatus": "ROLLBACK_COMPLETE", "StackStatusReason": "why not"}


def test_the_first_failure_is_named():
    events = [
        told(0, "A", "CREATE_IN_PROGRESS"),
        told(1, "B", "CREATE_FAILED", "no room"),
        told(2, "A", "CREATE_FAILED", "Resource creation cancelled"),
        told(3, "shop", "ROLLBACK_IN_PROGRESS", "The following resource(s) failed"),
    ]
    output = screen()
    explain_failure(target(Client(logs=["acme-web-thing-logs"]), words=" --local"), STACK, events, output)
    assert output.err.getvalue().splitlines() == [
        "the first failure: B (Acme::Web::Thing): no room",
        "what its handler wrote: cfn registry logs Acme::Web::Thing --local",
    ]


def test_what_validation_refused_is_told():
    reason = "Validation failed with 2 error(s). Call DescribeEvents to retrieve the full list of issues"

    class Validating(Client):
        def describe_events(self, **request):
            self.calls.append(request)
            found = {"EventType": "VALIDATION_ERROR", "LogicalResourceId": "A"}
            if "NextToken" in request:
                path = "/Resources/A/Properties/Titel"
                return {"OperationEvents": [{**found, "ValidationPath": path, "ValidationStatusReason": "Unsupported"}]}
            others = [{**found, "ValidationStatusReason": "Required"}, {"EventType": "PROVISIONING_ERROR"}]
            return {"OperationEvents": others, "NextToken": "2"}

    older = told(0, "B", "CREATE_FAILED", "of another stack of that name", StackId="another")
    events = [older, told(1, "shop", "CREATE_FAILED", reason, OperationId="7", StackId=ARN)]
    client = Validating()
    output = screen()
    explain_failure(target(client), STACK, events, output)
    assert output.err.getvalue().splitlines() == [
        f"the first failure: shop (AWS::CloudFormation::Stack): {reason}",
        "    /Resources/A/Properties/Titel: Unsupported",
        "    A: Required",
    ]
    asked = {"StackName": ARN, "OperationId": "7", "Filters": {"FailedEvents": True}}
    assert client.calls[:2] == [asked, {**asked, "NextToken": "2"}]
    without = screen()
    explain_failure(target(Client()), STACK, events, without)  # a client that does not have the operation
    assert without.err.getvalue().splitlines() == output.err.getvalue().splitlines()[:1]


def test_what_a_hook_said_is_told():
    hook = {"HookType": "Acme::Web::Guard", "HookFailureMode": "FAIL", "HookInvocationId": "1"}
    events = [
        told(0, "A", "CREATE_IN_PROGRESS", HookStatus="HOOK_IN_PROGRESS", **hook),
        told(
            1,
            "A",
            "CREATE_IN_PROGRESS",
            HookStatus="HOOK_COMPLETE_FAILED",
            HookStatusReason="Hook failed with message: no",
            **hook,
        ),
        told(2, "A", "CREATE_FAILED", "The following hook(s) failed: [Acme::Web::Guard]"),
    ]
    notes = [
        {"AnnotationName": "Colour", "Status": "FAILED", "StatusMessage": "black", "RemediationMessage": "paint it"},
        {"AnnotationName": "Size", "Status": "PASSED"},
    ]
    output = screen()
    explain_failure(target(Client(answer={"Annotations": notes}, logs=["acme-web-guard"])), STACK, events, output)
    assert output.err.getvalue().splitlines() == [
        "the first failure: A (Acme::Web::Thing): The following hook(s) failed: [Acme::Web::Guard]",
        "    Acme::Web::Guard: Hook failed with message: no",
        "        Colour: black; paint it",
        "what its handler wrote: cfn registry logs Acme::Web::Guard",
    ]


def test_a_failure_of_the_stack_alone():
    output = screen()
    explain_failure(target(Client()), STACK, [], output)
    assert output.err.getvalue() == "why: why not\n"


@pytest.mark.parametrize(("answer", "gone"), [("y\n", True), ("\n", False), ("no\n", False), ("", False)])
def test_a_person_is_asked_before_a_stack_is_deleted(answer, gone):
    client = Client(("CREATE_COMPLETE",), ("DELETE_COMPLETE",))
    output = screen(answers=answer)
    asked = argparse.Namespace(stack="shop", yes=False, retain=["A"], force=False)
    assert delete(target(client), asked, output) == (0 if gone else 1)
    assert "delete shop and its 2 resources? [y/N]" in output.err.getvalue()
    assert ({"StackName": ARN, "RetainResources": ["A"]} in client.calls) == gone


CHANGES = [
    {"Action": "Add", "LogicalResourceId": "A", "ResourceType": "AWS::SNS::Topic", "Details": []},
    {
        "Action": "Modify",
        "LogicalResourceId": "B",
        "PhysicalResourceId": "b",
        "ResourceType": "AWS::SQS::Queue",
        "Replacement": "True",
        "Details": [
            {
                "Target": {
                    "Attribute": "Properties",
                    "Path": "/Properties/QueueName",
                    "RequiresRecreation": "Always",
                    "BeforeValue": "one",
                    "AfterValue": "two",
                }
            },
            {"Target": {"Attribute": "Properties", "Path": "/Properties/QueueName"}},
            {"Target": {"Attribute": "Tags", "RequiresRecreation": "Never"}},
            {"Target": {"Attribute": "Properties", "Path": "/Properties/DelaySeconds", "AfterValue": "3"}},
        ],
    },
    {"Action": "Remove", "LogicalResourceId": "C", "ResourceType": "AWS::SNS::Topic", "Replacement": "False"},
]


def test_changes_for_people(golden):
    golden("cli/stack/diff.txt", "".join(f"{line}\n" for each in CHANGES for line in change_lines(each)))


def test_changes_for_programs(golden):
    golden("cli/stack/diff.json", json.dumps([change_value(each) for each in CHANGES], indent=2) + "\n")


def test_changes_in_colour():
    first, second, *_ = (next(change_lines(each, colour=True)) for each in CHANGES)
    assert (first[:5], second[:5]) == ("\x1b[32m", "\x1b[31m")


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        (
            "InsufficientCapabilitiesException",
            "Requires capabilities : [CAPABILITY_IAM, CAPABILITY_AUTO_EXPAND]",
            "--capabilities CAPABILITY_IAM --capabilities CAPABILITY_AUTO_EXPAND",
        ),
        ("ValidationError", "Parameters: [Name] must have values", "--parameter Name=VALUE"),
        ("ValidationError", "something else", None),
    ],
)
def test_a_refusal_says_what_option_is_missing(code, message, hint):
    with pytest.raises(BadInputError) as caught, request_errors("deploying"):
        raise ClientError({"Error": {"Code": code, "Message": message}}, "CreateStack")
    (told,) = caught.value.diagnostics
    assert (told.hint, message in told.message) == (hint, True)
