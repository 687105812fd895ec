"""A hook with very many targets: a sample in a quick run, all in a thorough one, and a report that stays short."""

import json

import pytest

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.hook_targets import TargetUnderTest, sample_targets
from formwork.contract.memory import Effort
from formwork.contract.subject import HookSubject
from formwork.contract.suite import run_suite
from formwork.contract_results.report.text import render_text
from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import HandlerSession, InProcessTransport
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema

NAMES = [f"Acme::Store{number:03}::Thing" for number in range(300)]


def answer(event, _context):
    """Passes what it is asked about; cannot read most of the targets."""
    name = event["requestData"]["targetName"]
    if name.startswith("Acme::") and name > NAMES[10]:
        return {"hookStatus": "FAILED", "errorCode": "InternalFailure", "message": f"{name} has no Zone"}
    if not name.startswith("Acme::"):
        return {"hookStatus": "FAILED", "errorCode": "UnsupportedTarget", "message": "unknown"}
    return {"hookStatus": "SUCCESS", "message": "fine"}


def subject(effort):
    hook = {
        "typeName": "Acme::Many::Hook",
        "typeConfiguration": {"properties": {}},
        "handlers": {"preCreate": {"targetNames": NAMES, "permissions": []}},
    }
    one = {"typeName": NAMES[0], "properties": {"Name": {"type": "string"}}, "additionalProperties": False}
    known = build_resource_schema(parse_document(json.dumps(one), name="one", format=DocumentFormat.JSON))
    schema = build_hook_schema(parse_document(json.dumps(hook), name="hook", format=DocumentFormat.JSON))
    session = HandlerSession(InProcessTransport(answer), schema.type_name)
    return HookSubject(schema, session, HookInputs(seed=5), dict.fromkeys(NAMES, known), effort=effort, seed=5)


@pytest.mark.parametrize(("effort", "asked"), [(Effort.QUICK, 40), (Effort.THOROUGH, 300)])
def test_the_targets_that_are_asked_about_are_a_sample_or_all(effort, asked):
    result = run_suite(subject(effort))
    calls = [each.request["requestData"]["targetName"] for test in result.tests for each in test.exchanges]
    assert len({each for each in calls if each in NAMES}) == asked
    text = render_text(result)
    assert ("preCreate: asked about 40 of its 300 targets" in text) == (asked == 40)
    assert len(text.splitlines()) < 100
    (finding,) = [each for each in result.findings if each.clause == "hook.targets"]
    assert len(finding.targets) > asked / 2
    assert f"preCreate for {len(finding.targets)} targets" in finding.text
    assert f"{len(finding.targets) - 5:,} more" in text


def test_a_sample_depends_on_the_seed_alone_and_keeps_what_inputs_speak_of():
    targets = [TargetUnderTest(each) for each in NAMES]
    chosen = sample_targets(targets, most=7, seed=1, always=[NAMES[299]])
    assert chosen == sample_targets(targets, most=7, seed=1, always=[NAMES[299]])
    assert chosen != sample_targets(targets, most=7, seed=2, always=[NAMES[299]])
    assert (len(chosen), chosen[-1].name) == (8, NAMES[299])
    assert sample_targets(targets[:7], most=7, seed=1) == targets[:7]
