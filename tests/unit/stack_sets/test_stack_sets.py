"""Stack sets on an engine whose workflows run at once, and how an operation goes through accounts and Regions."""

import json

import pytest

from formwork.aws.scope import Scope
from formwork.engine.drift.detection import DriftDetection
from formwork.engine.planning.requests import StackRequest
from formwork.hooks import HookFailed, TargetKind
from formwork.preparation.parameters import GivenParameter
from formwork.stack_sets import running
from formwork.stack_sets.definitions import DefinitionRequest
from formwork.stack_sets.instances import InstancesRequest, every
from formwork.stack_sets.preferences import Preferences, check_preferences
from formwork.stack_sets.records import SetOperation
from formwork.stack_sets.service import StackSetService
from formwork.stack_sets.stack_sets import StackSetChange
from formwork.stack_sets.store import get_operation, write_operation, write_result
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench, Guard

ACCOUNTS = ("111122223333", "444455556666")
REGIONS = ("eu-west-1", "us-east-1")
THING = "Acme::Web::Thing"
TEMPLATE = json.dumps(
    {
        "Parameters": {"Color": {"Type": "String", "Default": "red"}},
        "Resources": {"Thing": {"Type": THING, "Properties": {"Color": {"Ref": "Color"}}}},
    }
)


class Sets(Bench):
    """An engine with stack sets."""

    def __init__(self, database, **more):
        super().__init__(database, **more)
        drift = DriftDetection(self.engine, self.work)
        self.service = StackSetService(self.engine, drift, self.work)
        self.sets, self.instances = self.service.sets, self.service.instances

    def make(self, name="all", template=TEMPLATE, **parameters):
        return self.sets.create(HERE, name, define(template, **parameters))

    def ask(self, accounts=ACCOUNTS, regions=REGIONS, *, overrides=None, operation=None, **preferences):
        given = None if overrides is None else tuple(overrides)
        return InstancesRequest(
            name="all",
            places=every(accounts, regions),
            overrides=given,
            preferences=Preferences(**preferences),
            operation_id=operation,
        )

    def fill(self, *args, **more):
        return self.instances.create(HERE, self.ask(*args, **more))

    def change(self, template=TEMPLATE, *, targets=None, operation=None, **parameters):
        return self.sets.update(
            HERE,
            StackSetChange(
                name="all",
                definition=define(template, **parameters),
                operation_id=operation,
                preferences=Preferences(),
                targets=targets,
            ),
        )

    def shown(self):
        """Account and Region to status and detailed status."""
        _, found = self.sets.describe(HERE, "all")
        return {(each.account, each.region): (each.status, each.detailed) for each in found}

    def told(self, operation):
        """An operation's status, and its results in order."""
        _, found, results = self.instances.describe_operation(HERE, "all", operation)
        return str(found.status), [(each.account, each.region, each.status) for each in results]

    def stack_of(self, account, region):
        _, instance = self.instances.describe(HERE, "all", account, region)
        return self.engine.lookups.describe_stack(Scope(account, region), instance.stack_id)


@pytest.fixture
def bench(database):
    return Sets(database)


def define(template, **parameters):
    given = tuple(GivenParameter(key, value) for key, value in parameters.items())
    return DefinitionRequest(template=template, parameters=given)


def refused(action, *args, **more):
    with pytest.raises(StackError) as caught:
        action(*args, **more)
    return caught.value.code


def test_instances_are_stacks_in_every_account_and_region(bench):
    made = bench.make()
    assert bench.told(bench.fill()) == (
        "SUCCEEDED",
        [(account, region, "SUCCEEDED") for region in REGIONS for account in ACCOUNTS],
    )
    assert set(bench.shown().values()) == {("CURRENT", "SUCCEEDED")}
    stack = bench.stack_of(ACCOUNTS[1], "us-east-1")
    assert stack.name.startswith("StackSet-all-")
    assert stack.scope == Scope(ACCOUNTS[1], "us-east-1")
    assert stack.settings.role_arn == f"arn:aws:iam::{ACCOUNTS[1]}:role/AWSCloudFormationStackSetExecutionRole"
    assert len(bench.things.stored) == 4
    assert made.arn == f"arn:aws:cloudformation:eu-west-1:{HERE.account}:stackset/all:{made.id}"


def test_hooks_are_asked_about_instances_as_about_other_stacks(database):
    guard = Guard(kinds=(TargetKind.STACK, TargetKind.RESOURCE))
    bench = Sets(database, hooks=[guard])
    bench.make()
    one = (ACCOUNTS[1],), ("us-east-1",)
    bench.fill(*one)
    stack = bench.stack_of(ACCOUNTS[1], "us-east-1")
    asked = [(str(each.target.kind), each.target.name, each.target.execution) for each in guard.calls]
    assert asked == [("STACK", "STACK", stack.arn), ("RESOURCE", THING, stack.arn)]
    guard.answers = [HookFailed("no", refused=True)]
    (_, ((*_, status),)) = bench.told(bench.change(Color="blue"))
    assert status == "FAILED"
    assert bench.stack_of(ACCOUNTS[1], "us-east-1").status == "UPDATE_ROLLBACK_COMPLETE"


def test_overrides_go_and_come(bench):
    bench.make(Color="blue")
    bench.fill(overrides=[GivenParameter("Color", "green")])
    assert bench.stack_of(ACCOUNTS[0], "eu-west-1").deployed.given == {"Color": "green"}
    one = (ACCOUNTS[0],), ("eu-west-1",)
    bench.instances.update(HERE, bench.ask(*one, overrides=[GivenParameter("Color", use_previous=True)]))
    assert bench.stack_of(ACCOUNTS[0], "eu-west-1").deployed.given == {"Color": "green"}
    bench.instances.update(HERE, bench.ask(*one, overrides=[]))
    assert bench.stack_of(ACCOUNTS[0], "eu-west-1").deployed.given == {"Color": "blue"}
    bench.change(Color="black")
    assert bench.stack_of(ACCOUNTS[0], "eu-west-1").deployed.given == {"Color": "black"}
    assert bench.stack_of(ACCOUNTS[1], "eu-west-1").deployed.given == {"Color": "green"}


def test_a_change_that_only_some_follow_outdates_the_others(bench):
    bench.make()
    bench.fill()
    bench.change(Color="blue", targets=((ACCOUNTS[0], "us-east-1"),))
    assert bench.shown()[ACCOUNTS[0], "us-east-1"] == ("CURRENT", "SUCCEEDED")
    assert bench.shown()[ACCOUNTS[1], "us-east-1"] == ("OUTDATED", "SUCCEEDED")
    bench.change(Color="blue")
    assert set(bench.shown().values()) == {("CURRENT", "SUCCEEDED")}
    assert refused(bench.change, targets=(("000000000000", "us-east-1"),)) == "StackInstanceNotFoundException"


def test_deleting_takes_the_stacks_along_or_leaves_them(bench):
    bench.make()
    bench.fill()
    assert refused(bench.sets.delete, HERE, "all") == "StackSetNotEmptyException"
    kept = bench.stack_of(ACCOUNTS[0], "eu-west-1")
    bench.instances.delete(HERE, bench.ask((ACCOUNTS[0],), ("eu-west-1",)), retain=True)
    bench.instances.delete(HERE, bench.ask(), retain=False)
    assert bench.shown() == {}
    assert len(bench.things.stored) == 1
    bench.sets.delete(HERE, "all")
    assert refused(bench.fill) == "StackSetNotFoundException"
    assert [each.deleted is not None for each in bench.sets.list(HERE)] == [True]
    bench.make()
    bench.instances.take_over(HERE, bench.ask(), [kept.arn])
    assert bench.shown() == {(ACCOUNTS[0], "eu-west-1"): ("CURRENT", "SUCCEEDED")}


def test_stacks_that_are_taken_over_keep_their_own_values(bench):
    bench.make()
    request = StackRequest(name="own", template=TEMPLATE, parameters=(GivenParameter("Color", "pink"),))
    arn, _ = bench.engine.create_stack(Scope(ACCOUNTS[1], "us-east-1"), request)
    bench.instances.take_over(HERE, bench.ask(), [arn])
    _, instance = bench.instances.describe(HERE, "all", ACCOUNTS[1], "us-east-1")
    assert (instance.overrides, instance.stack_id) == ({"Color": "pink"}, arn)
    assert refused(bench.instances.take_over, HERE, bench.ask(), [arn]) == "InvalidOperationException"
    assert refused(bench.instances.take_over, HERE, bench.ask(), ["arn:none/x"]) == "StackNotFoundException"
    assert refused(bench.instances.take_over, HERE, bench.ask(), [arn] * 11) == "LimitExceededException"


def test_a_stack_of_another_template_is_not_taken_over(bench):
    bench.make()
    other = json.dumps({"Resources": {"Other": {"Type": THING}}})
    arn, _ = bench.engine.create_stack(HERE, StackRequest(name="other", template=other))
    status, results = bench.told(bench.instances.take_over(HERE, bench.ask(), [arn]))
    assert (status, results[0][2]) == ("FAILED", "FAILED")
    assert bench.shown() == {(HERE.account, HERE.region): ("OUTDATED", "FAILED_IMPORT")}


def test_what_fails_beyond_the_tolerance_ends_the_operation(bench):
    bench.make()
    bench.things.fail("CREATE")
    status, results = bench.told(bench.fill())
    assert (status, [each[2] for each in results]) == ("FAILED", ["FAILED", "CANCELLED", "CANCELLED", "CANCELLED"])
    _, instance = bench.instances.describe(HERE, "all", ACCOUNTS[0], "eu-west-1")
    assert instance.reason.startswith("ResourceLogicalId:Thing, ResourceType:Acme::Web::Thing, ResourceStatusReason:")
    _, cancelled = bench.instances.describe(HERE, "all", ACCOUNTS[1], "eu-west-1")
    assert cancelled.reason == "Cancelled since failure tolerance has exceeded"
    status, _ = bench.told(bench.fill())  # the stack that was rolled back is replaced
    assert status == "SUCCEEDED"
    assert set(bench.shown().values()) == {("CURRENT", "SUCCEEDED")}


def test_what_fails_within_the_tolerance_does_not(bench):
    bench.make()
    bench.things.fail("CREATE")
    status, results = bench.told(bench.fill(tolerance_count=1))
    assert (status, [each[2] for each in results]) == ("SUCCEEDED", ["FAILED", "SUCCEEDED", "SUCCEEDED", "SUCCEEDED"])


def test_regions_in_parallel_fail_by_themselves(bench):
    bench.make()
    bench.things.fail("CREATE")
    status, results = bench.told(bench.fill(region_concurrency="PARALLEL"))
    assert status == "FAILED"
    assert results == [
        (ACCOUNTS[0], "eu-west-1", "FAILED"),
        (ACCOUNTS[1], "eu-west-1", "CANCELLED"),
        (ACCOUNTS[0], "us-east-1", "SUCCEEDED"),
        (ACCOUNTS[1], "us-east-1", "SUCCEEDED"),
    ]


def test_regions_have_an_order(bench):
    bench.make()
    _, results = bench.told(bench.fill(region_order=["us-east-1"]))
    assert [each[1] for each in results] == ["us-east-1", "us-east-1", "eu-west-1", "eu-west-1"]


def test_a_stack_that_can_not_be_deleted_makes_its_instance_inoperable(bench):
    bench.make()
    bench.fill((ACCOUNTS[0],), ("eu-west-1",))
    bench.things.fail("DELETE")
    status, _ = bench.told(bench.instances.delete(HERE, bench.ask(), retain=False))
    assert status == "FAILED"
    assert bench.shown() == {(ACCOUNTS[0], "eu-west-1"): ("INOPERABLE", "INOPERABLE")}


def test_drift_of_all_instances(bench):
    bench.make()
    bench.fill()
    bench.things.stored[0]["Color"] = "other"
    operation = bench.instances.detect_drift(HERE, bench.ask())
    record, instances = bench.sets.describe(HERE, "all")
    assert sorted(each.drift_status for each in instances) == ["DRIFTED", "IN_SYNC", "IN_SYNC", "IN_SYNC"]
    _, found, _ = bench.instances.describe_operation(HERE, "all", operation)
    assert record.drift == found.drift
    assert found.drift["DriftStatus"] == "DRIFTED"
    assert found.drift["DriftDetectionStatus"] == "COMPLETED"
    assert (found.drift["DriftedStackInstancesCount"], found.drift["TotalStackInstancesCount"]) == (1, 4)


def test_operation_ids_are_used_once(bench):
    bench.make()
    assert bench.fill(operation="first") == "first"
    assert bench.fill(operation="first") == "first"
    assert refused(bench.fill, (ACCOUNTS[0],), operation="first") == "OperationIdAlreadyExistsException"
    assert len(bench.instances.list_operations(HERE, "all")) == 1


def begun(bench, status):
    """An operation that has ended, as if it had not."""
    operation = bench.fill()
    _, found, _ = bench.instances.describe_operation(HERE, "all", operation)
    with bench.engine.database.begin() as connection:
        current = get_operation(connection, found.number)
        running = {**{each: getattr(current, each) for each in SetOperation.__slots__}, "status": status, "ended": None}
        write_operation(connection, SetOperation(**running))
    return found.number, operation


def test_one_operation_at_a_time(bench):
    bench.make()
    begun(bench, "RUNNING")
    assert refused(bench.fill) == "OperationInProgressException"
    assert refused(bench.sets.delete, HERE, "all") == "OperationInProgressException"


def test_managed_execution_queues_operations(bench):
    request = DefinitionRequest(template=TEMPLATE, managed_execution=True)
    bench.sets.create(HERE, "all", request)
    number, _ = begun(bench, "RUNNING")
    queued = bench.instances.delete(HERE, bench.ask(), retain=False)
    assert bench.told(queued)[0] == "QUEUED"
    bench.work.started.clear()
    bench.service.resume()
    assert bench.work.started[0] == f"stack-set-operation/{number}"
    assert bench.told(queued)[0] == "SUCCEEDED"
    assert bench.shown() == {}


def test_an_operation_is_stopped(bench):
    bench.make()
    number, operation = begun(bench, "RUNNING")
    bench.instances.stop(HERE, "all", operation)
    bench.work.started.clear()
    bench.service.resume()
    assert bench.told(operation)[0] == "STOPPED"
    assert refused(bench.instances.stop, HERE, "all", operation) == "InvalidOperationException"
    assert number is not None


class DiedError(BaseException):
    """As if the process had been killed."""


def die_at(monkeypatch, count):
    """Have the runner die instead of writing for the so-manieth time."""
    written = []

    def write(*what):
        written.append(what)
        if len(written) == count:
            raise DiedError
        write_result(*what)

    monkeypatch.setattr(running, "write_result", write)


def fill_again(bench):
    """Instances whose stacks were rolled back are made anew."""
    bench.things.fail("CREATE", times=4)
    bench.fill(tolerance_count=2)
    assert {each[1] for each in bench.shown().values()} == {"FAILED"}
    return bench.fill


def remove(bench):
    return bench.instances.delete(HERE, bench.ask(), retain=False)


@pytest.mark.parametrize("count", [2, 7])
@pytest.mark.parametrize("verb", ["create", "replace", "update", "delete"])
def test_an_operation_goes_on_where_it_was(bench, monkeypatch, verb, count):
    bench.make()
    begin = {
        "create": lambda: bench.fill,
        "replace": lambda: fill_again(bench),
        "update": lambda: bench.fill() and (lambda: bench.change(Color="blue")),
        "delete": lambda: bench.fill() and (lambda: remove(bench)),
    }[verb]()
    with monkeypatch.context() as patched:
        die_at(patched, count)
        with pytest.raises(DiedError):
            begin()
    bench.work.started = [each for each in bench.work.started if not each.startswith("stack-set-operation/")]
    bench.service.resume()
    operation, _ = bench.instances.list_operations(HERE, "all")[0]
    assert operation.status == "SUCCEEDED"
    left = 0 if verb == "delete" else 4
    assert list(bench.shown().values()) == [("CURRENT", "SUCCEEDED")] * left
    assert [each.get("Color") for each in bench.things.stored] == ["blue" if verb == "update" else "red"] * left
    stacks = [
        each
        for account in ACCOUNTS
        for region in REGIONS
        for each in bench.engine.lookups.list_stacks(Scope(account, region))
    ]
    assert len(stacks) == left


def test_names_and_tokens(bench):
    request = define(TEMPLATE)
    first = bench.sets.create(HERE, "all", request, token="t")
    assert bench.sets.create(HERE, "all", request, token="t").id == first.id
    assert refused(bench.make) == "NameAlreadyExistsException"
    bench.change()
    assert refused(bench.sets.create, HERE, "all", request, token="t") == "CreatedButModifiedException"


def test_templates_are_checked_before_anything_begins(bench):
    assert refused(bench.make, template="[]") == "ValidationError"
    assert refused(bench.make, Size="1") == "ValidationError"
    bench.make()
    assert refused(bench.fill, overrides=[GivenParameter("Size", "1")]) == "ValidationError"
    assert refused(bench.change, Size="1") == "ValidationError"
    assert bench.instances.list_operations(HERE, "all") == []


@pytest.mark.parametrize(
    ("preferences", "accounts", "failed", "tolerance", "at_once"),
    [
        (Preferences(), 10, 0, 0, 1),
        (Preferences(concurrent_count=5), 10, 0, 0, 1),
        (Preferences(concurrent_count=5, tolerance_count=4), 10, 0, 4, 5),
        (Preferences(concurrent_count=5, tolerance_count=4), 10, 3, 4, 2),
        (Preferences(concurrent_count=5, mode="SOFT_FAILURE_TOLERANCE"), 10, 0, 0, 5),
        (Preferences(concurrent_percentage=35, tolerance_percentage=25), 10, 0, 2, 3),
        (Preferences(concurrent_percentage=1), 10, 0, 0, 1),
    ],
)
def test_how_many_at_once(preferences, accounts, failed, tolerance, at_once):
    assert preferences.tolerance(accounts) == tolerance
    assert preferences.at_once(accounts, failed) == at_once


@pytest.mark.parametrize(
    ("preferences", "message"),
    [
        (
            Preferences(tolerance_count=1, tolerance_percentage=1),
            "FailureToleranceCount and FailureTolerancePercentage",
        ),
        (Preferences(concurrent_count=3, tolerance_count=1), "at most one more"),
        (Preferences(region_order=["eu-west-2"]), "RegionOrder has Regions"),
    ],
)
def test_preferences_that_contradict_themselves(preferences, message):
    with pytest.raises(StackError, match=message):
        check_preferences(preferences, ["eu-west-1"])
