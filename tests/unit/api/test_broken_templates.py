"""Templates broken in one place each (`data/broken_templates.yaml`): the service refuses every one, and says why."""

import copy
import json
from pathlib import Path

import pytest
import yaml

from support.recordings.service import Refused, open_service

TABLE = yaml.safe_load((Path(__file__).parents[2] / "data" / "broken_templates.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with open_service(tmp_path_factory.mktemp("service")) as service:
        yield service


def broken(case):
    if "text" in case:
        return case["text"]
    *parents, last = (case.get("set") or case["remove"]).split("/")[1:]
    whole = place = copy.deepcopy(TABLE["base"])
    for name in parents:
        place = place[name]
    if "remove" in case:
        del place[last]
    else:
        place[last] = "x" * case["to"]["long"] if isinstance(case["to"], dict) and "long" in case["to"] else case["to"]
    return json.dumps(whole)


def refusal(service, operation, request):
    try:
        service.call(operation, request)
    except Refused as refused:
        return refused.answer["Error"]["Message"]
    return None


def test_the_base_is_sound(service):
    service.call("CreateStack", {"StackName": "sound", "TemplateBody": json.dumps(TABLE["base"])})
    assert service.call("DescribeStacks", {"StackName": "sound"})["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
    service.call("DeleteStack", {"StackName": "sound"})  # its export is one stack's alone


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"].replace(" ", "-"))
def test_it_is_refused(service, case):
    body = broken(case)
    at_request = case.get("at", "request") == "request"
    validated = refusal(service, "ValidateTemplate", {"TemplateBody": body})
    assert (validated is not None) == (at_request and case.get("validate") != "accepts"), validated
    said = refusal(service, "CreateStack", {"StackName": "broken", "TemplateBody": body})
    assert (said is not None) == at_request, said
    if at_request:
        assert said == case["says"]
        assert validated in (None, said)
        return
    status, stack_id, events = ended(service, "broken")
    assert status == "ROLLBACK_COMPLETE"
    if case["at"] == "resource":
        reasons = [each.get("ResourceStatusReason", "") for each in events]
        assert any(reason.startswith(case["says"].rstrip(".")) for reason in reasons), reasons
        return
    found = service.call("DescribeEvents", {"StackName": stack_id, "Filters": {"FailedEvents": True}})
    problems = [each for each in found["OperationEvents"] if each["EventType"] == "VALIDATION_ERROR"]
    told = [(each["ValidationStatusReason"], each["ValidationPath"]) for each in problems]
    assert (case["says"], case["path"]) in told
    assert [each["LogicalResourceId"] for each in events] == ["broken"] * len(events)  # no resource was touched
    without = {"StackName": "broken", "TemplateBody": body, "DisableValidation": True}
    service.call("CreateStack", without)
    status, stack_id, events = ended(service, "broken")
    assert status == "ROLLBACK_COMPLETE"
    reasons = [each.get("ResourceStatusReason", "") for each in events]
    assert any(reason.startswith(case["later"]) for reason in reasons), reasons


def ended(service, name):
    """The status of a stack, its id and its events; it is deleted."""
    stack = service.call("DescribeStacks", {"StackName": name})["Stacks"][0]
    events = service.call("DescribeStackEvents", {"StackName": stack["StackId"]})["StackEvents"]
    service.call("DeleteStack", {"StackName": name})
    return stack["StackStatus"], stack["StackId"], events
