"""Nested stacks in what was kept half done, rolled back by hand, or in the way of a rollback."""

import pytest

from formwork.engine.recovery import RollbackRequest
from formwork.provisioning.outcomes import Failed
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import OperationOptions
from support.engines import HERE

KEEP = OperationOptions(keep_on_failure=True)
CHILD = """
Parameters: {Color: {Type: String}}
Resources:
  Thing: {Type: Acme::Web::Thing, Properties: {Color: !Ref Color}}
  Last: {Type: Acme::Web::Thing, DependsOn: Thing, Properties: {Color: !Ref Color}}
"""
PARENT = """
Resources:
  Child:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: s3://b/child.yaml, Parameters: {Color: %s}}
  After: {Type: Acme::Web::Thing, DependsOn: Child, Properties: {Color: %s}}
"""


@pytest.fixture
def child(bench):
    """The ARN of the nested stack of a stack."""
    bench.templates["s3://b/child.yaml"] = CHILD
    bench.create(PARENT % ("red", "red"))
    return bench.resources()["Child"].physical_id


def colors(bench):
    return sorted(each["Color"] for each in bench.things.stored)


def statuses(bench, child):
    return bench.stack().status, bench.stack(child).status


@pytest.mark.parametrize("failing", ["Last", "After"])
def test_a_kept_failure_is_rolled_back(bench, child, failing):
    bench.things.fail("UPDATE", logical_id=failing)
    bench.update(PARENT % ("blue", "blue"), options=KEEP)
    assert bench.stack().status == "UPDATE_FAILED"
    assert "blue" in colors(bench)
    bench.recovery.roll_back(HERE, RollbackRequest(name="shop"))
    assert statuses(bench, child) == ("UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")
    assert colors(bench) == ["red"] * 3
    bench.update(PARENT % ("blue", "blue"))
    assert statuses(bench, child) == ("UPDATE_COMPLETE", "UPDATE_COMPLETE")
    assert colors(bench) == ["blue"] * 3


@pytest.mark.parametrize("failing", ["Last", "After"])
def test_a_kept_failure_goes_on(bench, child, failing):
    bench.things.fail("UPDATE", logical_id=failing)
    bench.update(PARENT % ("blue", "blue"), options=KEEP)
    bench.update(PARENT % ("blue", "blue"), options=KEEP)
    assert statuses(bench, child) == ("UPDATE_COMPLETE", "UPDATE_COMPLETE")
    assert colors(bench) == ["blue"] * 3


def stuck(bench):
    """The child can't be put back."""
    bench.things.answer("UPDATE", None, Failed("GeneralServiceException", "no"), logical_id="Thing")
    bench.things.fail("UPDATE", logical_id="After")
    bench.update(PARENT % ("blue", "blue"))


def test_a_rollback_that_fails_below_goes_on(bench, child):
    stuck(bench)
    assert statuses(bench, child) == ("UPDATE_ROLLBACK_FAILED", "UPDATE_ROLLBACK_FAILED")
    bench.recovery.continue_update_rollback(HERE, RollbackRequest(name="shop"))
    assert statuses(bench, child) == ("UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")
    assert colors(bench) == ["red"] * 3


@pytest.mark.parametrize("force", [False, True])
def test_what_cannot_be_put_back_below_is_skipped(bench, child, force):
    stuck(bench)
    name = bench.stack(child).name
    with pytest.raises(StackError, match=rf"Invalid ResourcesToSkip: \[{name}.Last\]"):
        bench.recovery.continue_update_rollback(HERE, RollbackRequest(name="shop", skip=(f"{name}.Last",)))
    how = {"force": True} if force else {"skip": (f"{name}.Thing",)}
    bench.recovery.continue_update_rollback(HERE, RollbackRequest(name="shop", **how))
    assert statuses(bench, child) == ("UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")
    assert colors(bench) == ["blue", "red", "red"]
