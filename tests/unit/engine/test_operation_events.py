"""Events by operation, what a template may have at most, and how long handlers have."""

import json
import re

import pytest
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.engine.change_sets import ChangeSets
from formwork.engine.operation_events import OperationEvents
from formwork.engine.operations.outlook import bounded_timeout
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import StackSettings
from support.engines import HERE, Bench, thing_schema

TYPE = "Acme::Web::Thing"
TEXT = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"


def find(bench, stack=None, operation=None, *, failed=False, before=None, scope=HERE):
    events = OperationEvents(bench.engine, ChangeSets(bench.engine))
    return events.find(scope, stack, operation, failed=failed, before=before)


def test_events_by_operation(bench):
    bench.create(TEXT % "red")
    bench.things.fail("UPDATE")
    _, operation = bench.engine.update_stack(HERE, bench.request(TEXT % "blue"))
    found, more = find(bench, operation=operation)
    assert more is None
    assert {each.kind for each in found} == {"UPDATE_STACK"}
    assert [(each.event.logical_id, each.type, each.outcome) for each in reversed(found)] == [
        ("shop", "STACK_EVENT", "IN_PROGRESS"),
        ("A", "PROGRESS_EVENT", None),
        ("A", "PROVISIONING_ERROR", None),
        ("shop", "STACK_EVENT", "IN_PROGRESS"),
        ("A", "PROGRESS_EVENT", None),
        ("A", "PROGRESS_EVENT", None),
        ("shop", "STACK_EVENT", "IN_PROGRESS"),
        ("shop", "STACK_EVENT", "FAILED"),
    ]
    failed, _ = find(bench, "shop", failed=True)
    assert [(each.event.logical_id, each.event.status) for each in failed] == [("A", "UPDATE_FAILED")]
    assert {each.kind for each in find(bench, "shop")[0]} == {"CREATE_STACK", "UPDATE_STACK"}
    with pytest.raises(StackError, match="must be specified"):
        find(bench)
    for wrong in ({"operation": "none"}, {"operation": operation, "scope": Scope("1" * 12, "eu-west-1")}):
        with pytest.raises(StackError, match="does not exist"):
            find(bench, **wrong)


def test_pages_of_failed_events(bench):
    bench.create(json.dumps({"Resources": {f"A{n}": {"Type": TYPE} for n in range(40)}}))
    first, before = find(bench, "shop")
    second, end = find(bench, "shop", before=before)
    assert (len(first), len(second), end) == (100, 22, None)
    assert len({each.event.id for each in first + second}) == 122
    assert find(bench, "shop", failed=True) == ([], None)


@pytest.mark.parametrize(
    ("what", "count", "most"),
    [("resources", 501, 500), ("parameters", 201, 200), ("outputs", 201, 200), ("mappings", 201, 200)],
)
def test_a_template_has_so_much_at_most(bench, what, count, most):
    one = {
        "resources": {"Type": TYPE},
        "parameters": {"Type": "String", "Default": "x"},
        "outputs": {"Value": "x"},
        "mappings": {"M": {"K": "x"}},
    }[what]
    text = {"Resources": {"A": {"Type": TYPE}}, what.capitalize(): {f"N{n}": one for n in range(count)}}
    with pytest.raises(StackError) as refused:
        bench.create(json.dumps(text))
    told = f"Template format error: Number of {what}, {count}, is greater than maximum allowed, {most}"
    assert refused.value.message == told


def test_types_that_a_request_does_not_allow(bench):
    bench.create(TEXT % "red", resource_types=("AWS::S3::*", "Acme::Web::*"))
    with pytest.raises(StackError) as refused:
        bench.update(TEXT % "blue", resource_types=("AWS::S3::*", "Acme::Web"))
    told = f"Resource type {TYPE} is not allowed by parameter ResourceTypes [AWS::S3::*, Acme::Web]"
    assert refused.value.message == told


def test_handlers_have_so_long(database):
    handler = {"permissions": ["a:B"]}
    handlers = dict.fromkeys(("read", "update", "delete", "list"), handler)
    schema = thing_schema(handlers={**handlers, "create": {**handler, "timeoutInMinutes": 3}})
    bench = Bench(database, schema)
    bench.things.answer("CREATE", *[Waiting(50, None, {"n": n}) for n in range(10)])
    began = bench.clock.time
    bench.create(TEXT % "red")
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert 100 <= bench.clock.time - began <= 200
    reason = next(reason for name, status, reason in bench.story() if status == "CREATE_FAILED")
    assert re.fullmatch(r"Resource timed out waiting for completion \(RequestToken: [-0-9a-f]{36}\)", reason)


def test_a_stack_s_role_gives_more_time(bench):
    bench.create(TEXT % "red", settings=StackSettings(role_arn="arn:aws:iam::111122223333:role/r"))
    stack = bench.stack()
    own = replace(stack, settings=replace(stack.settings, role_arn=None))
    assert [bounded_timeout(minutes, own) for minutes in (2, 2160, 2880)] == [2, 2160, 2160]
    assert [bounded_timeout(minutes, stack) for minutes in (2, 2160, 2880, 3000)] == [2, 2160, 2880, 2880]


@pytest.mark.parametrize("code", ["Throttling", "NetworkFailure", "ServiceInternalError", "ResourceConflict"])
def test_what_may_pass_is_tried_again(bench, code):
    bench.things.answer("CREATE", *[Failed(code, "later")] * 3)
    began = bench.clock.time
    bench.create(TEXT % "red")
    assert bench.stack().status == "CREATE_COMPLETE"
    assert bench.clock.time - began >= 1 + 2 + 4
    assert len({each.token for each in bench.things.calls if each.action == "CREATE"}) == 1


@pytest.mark.parametrize("code", ["NotStabilized", "InvalidRequest", "ServiceLimitExceeded", "InternalFailure"])
def test_what_will_not_pass_is_not(bench, code):
    bench.things.answer("CREATE", Failed(code, "no"))
    bench.create(TEXT % "red")
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert [each.action for each in bench.things.calls] == ["CREATE"]
