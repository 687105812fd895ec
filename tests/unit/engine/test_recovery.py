"""Failures that are kept, rolled back by hand, or in the way of a rollback."""

import pytest

from formwork.engine.change_sets import ChangeSets, NewChangeSet
from formwork.engine.recovery import RollbackRequest
from formwork.engine.rollback_configuration import check_rollback_configuration, updated_configuration
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import ChangeSetRequest, OperationOptions, StackSettings
from support.engines import HERE, Bench, thing_schema

KEEP = OperationOptions(keep_on_failure=True)
BEFORE = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red}}
  R: {Type: Acme::Web::Thing, DependsOn: A, Properties: {Name: one}}
  Z: {Type: Acme::Web::Thing, DependsOn: R, Properties: {Color: red}}
"""
AFTER = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: blue}}
  R: {Type: Acme::Web::Thing, DependsOn: A, Properties: {Name: two}}
  N: {Type: Acme::Web::Thing, DependsOn: R, Properties: {Name: new}}
  Z: {Type: Acme::Web::Thing, DependsOn: [R, N], Properties: {Color: blue}}
"""


def roll_back(bench, **more):
    return bench.recovery.roll_back(HERE, RollbackRequest(name="shop", **more))


def go_on(bench, **more):
    bench.recovery.continue_update_rollback(HERE, RollbackRequest(name="shop", **more))


def models(bench):
    return {name: (each.physical_id, each.model) for name, each in bench.resources().items()}


def statuses(bench):
    return [status for name, status, _ in bench.story() if name == "shop"]


def test_a_failed_creation_goes_on_where_it_failed(bench):
    bench.things.fail("CREATE", logical_id="R")
    bench.create(BEFORE, options=KEEP)
    assert bench.stack().status == "CREATE_FAILED"
    first = bench.resources()["A"].physical_id
    with pytest.raises(StackError, match=r"non-terminal \[CREATE_FAILED\] state\. To update the stack from this state"):
        bench.update(BEFORE)
    bench.update(BEFORE, options=KEEP)
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert {name: each.status for name, each in bench.resources().items()} == dict.fromkeys("ARZ", "CREATE_COMPLETE")
    assert bench.resources()["A"].physical_id == first
    assert len(bench.things.stored) == 3
    assert bench.stack().settings.unsettled == []
    with pytest.raises(StackError, match="can not be rolled back"):
        roll_back(bench)


def test_what_was_made_by_half_is_made_again(bench):
    half = [Waiting(5, {"Id": "thing-00000001"}, {"n": 1}), Failed("InvalidRequest", "no")]
    bench.things.answer("CREATE", *half, logical_id="R")
    bench.create("Resources: {R: {Type: Acme::Web::Thing, Properties: {Name: x}}}", options=KEEP)
    assert (bench.stack().status, bench.resources()["R"].physical_id) == ("CREATE_FAILED", "thing-00000001")
    bench.update(None, options=KEEP)
    assert bench.stack().status == "UPDATE_COMPLETE"
    told = [status for name, status, _ in bench.story() if name == "R"]
    assert told[-5:] == ["DELETE_IN_PROGRESS", "DELETE_COMPLETE", *["CREATE_IN_PROGRESS"] * 2, "CREATE_COMPLETE"]


def test_on_failure_do_nothing_stays_as_it_is(bench):
    bench.things.fail("CREATE", logical_id="R")
    bench.create(BEFORE, options=KEEP, settings=StackSettings(on_failure="DO_NOTHING", disable_rollback=True))
    with pytest.raises(
        StackError, match=r"from \[CREATE_FAILED\] state because it contains \[on-failure: DO_NOTHING\]"
    ):
        bench.update(BEFORE, options=KEEP)


def test_on_failure_delete(bench):
    bench.things.fail("CREATE", logical_id="R")
    arn = bench.create(BEFORE, settings=StackSettings(on_failure="DELETE"))
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    assert bench.things.stored == []


def test_a_creation_that_never_stood_is_rolled_back_to_nothing(bench):
    bench.things.fail("CREATE", logical_id="R")
    bench.create(BEFORE, options=KEEP)
    bench.things.fail("CREATE", logical_id="Z")
    bench.update(BEFORE, options=KEEP)
    assert bench.stack().status == "UPDATE_FAILED"
    roll_back(bench)
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert statuses(bench)[-2:] == ["ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE"]
    assert bench.things.stored == []


@pytest.mark.parametrize("strategy", ["create_then_delete", "delete_then_create"])
def test_failed_updates_are_rolled_back_to_where_the_stack_stood(database, strategy):
    bench = Bench(database, thing_schema(replacementStrategy=strategy))
    bench.create(BEFORE)
    was = bench.resources()
    bench.things.fail("UPDATE", logical_id="Z")
    bench.update(AFTER, options=KEEP)
    assert bench.stack().status == "UPDATE_FAILED"
    assert bench.resources()["Z"].status == "UPDATE_FAILED"
    again = AFTER.replace("two", "three").replace("blue", "green")
    bench.things.fail("UPDATE", logical_id="Z")
    bench.update(again, options=KEEP)
    roll_back(bench)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    now = bench.resources()
    assert sorted(now) == ["A", "R", "Z"]
    assert {name: each.model["Name" if name == "R" else "Color"] for name, each in now.items()} == {
        "A": "red",
        "R": "one",
        "Z": "red",
    }
    if strategy == "create_then_delete":
        assert {name: each.physical_id for name, each in now.items()} == {n: e.physical_id for n, e in was.items()}
    assert len(bench.things.stored) == 3
    assert bench.stack().deployed.original == BEFORE
    bench.update(AFTER)
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert len(bench.things.stored) == 4


def test_a_failed_update_goes_on_and_leaves_nothing_behind(bench):
    bench.create(BEFORE)
    bench.things.fail("UPDATE", logical_id="Z")
    bench.update(AFTER, options=KEEP)
    assert len(bench.things.stored) == 5  # the replaced one waits
    bench.update(AFTER, options=KEEP)
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert sorted(each.get("Name") or "" for each in bench.things.stored) == ["", "", "new", "two"]


def test_a_failed_replacement_keeps_the_old_resource(bench):
    bench.create(BEFORE)
    was = models(bench)
    bench.things.fail("CREATE", logical_id="R")
    bench.update(AFTER, options=KEEP)
    resource = bench.resources()["R"]
    assert (resource.physical_id, resource.status) == (was["R"][0], "UPDATE_FAILED")
    roll_back(bench)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert models(bench) == was
    assert len(bench.things.stored) == 3


def test_a_kept_failure_is_deleted_with_all_that_it_left(bench):
    bench.create(BEFORE)
    bench.things.fail("UPDATE", logical_id="Z")
    bench.update(AFTER, options=KEEP)
    bench.delete()
    assert bench.things.stored == []


def test_a_rollback_that_fails_goes_on(bench):
    bench.create(BEFORE)
    was = models(bench)
    bench.things.fail("UPDATE", logical_id="Z")
    bench.things.answer("UPDATE", None, *[_failed()] * 2, logical_id="A")
    bench.update(AFTER)
    assert bench.stack().status == "UPDATE_ROLLBACK_FAILED"
    assert bench.stack().reason == "The following resource(s) failed to update: [A]. "
    with pytest.raises(StackError, match="is in UPDATE_ROLLBACK_FAILED state and can not be updated"):
        bench.update(AFTER)
    with pytest.raises(StackError, match=r"Invalid ResourcesToSkip: \[Z\]"):
        go_on(bench, skip=("Z",))
    go_on(bench)
    assert bench.stack().status == "UPDATE_ROLLBACK_FAILED"
    go_on(bench)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert models(bench) == was
    assert len(bench.things.stored) == 3
    assert statuses(bench)[-3:] == [
        "UPDATE_ROLLBACK_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE",
    ]


@pytest.mark.parametrize("how", [{"skip": ("A",)}, {"force": True}])
def test_what_cannot_be_rolled_back_is_skipped(bench, how):
    bench.create(BEFORE)
    bench.things.fail("UPDATE", logical_id="Z")
    bench.things.answer("UPDATE", None, _failed(), logical_id="A")
    bench.update(AFTER)
    go_on(bench, **how)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert bench.resources()["A"].status == "UPDATE_COMPLETE"
    assert {each["Color"] for each in bench.things.stored if "Color" in each} == {"blue", "red"}
    bench.update(AFTER)
    assert bench.stack().status == "UPDATE_COMPLETE"


def test_a_deletion_that_fails_leaves_what_it_is_told_to(bench):
    arn = bench.create(BEFORE)
    with pytest.raises(StackError, match=r"When you delete a stack, specify which resources to retain only when"):
        bench.delete(retain=("R",))
    with pytest.raises(StackError, match=r"You can activate DeletionMode FORCE_DELETE_STACK"):
        bench.delete(force=True)
    bench.things.fail("DELETE", logical_id="R", times=3)
    bench.delete()
    assert bench.stack().status == "DELETE_FAILED"
    with pytest.raises(StackError, match=r"must be in a valid state"):
        bench.delete(retain=("Z",))
    bench.delete(force=True)
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    skipped = [(name, reason) for name, status, reason in bench.story(arn) if status == "DELETE_SKIPPED"]
    assert [name for name, _ in skipped] == ["R"]
    assert "HandlerErrorCode: GeneralServiceException" in skipped[0][1]
    assert [each["Name"] for each in bench.things.stored] == ["one"]


def test_what_could_not_be_evaluated_is_not_lost(bench):
    bench.create(BEFORE)
    bench.update(BEFORE.replace("Color: red", "Color: !ImportValue nobody"))
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert sorted(bench.resources()) == ["A", "R", "Z"]
    assert len(bench.things.stored) == 3


def test_deletion_policies_of_what_a_rollback_removes(bench):
    text = """
    Resources:
      Kept: {Type: Acme::Web::Thing, DeletionPolicy: Retain, Properties: {Name: kept}}
      Gone: {Type: Acme::Web::Thing, DeletionPolicy: RetainExceptOnCreate, Properties: {Name: gone}}
      Bad: {Type: Acme::Web::Thing, DependsOn: [Kept, Gone]}
    """
    bench.things.fail("CREATE", logical_id="Bad")
    bench.create(text)
    assert [each["Name"] for each in bench.things.stored] == ["kept"]
    bench.delete()
    bench.create("Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: a}}}")
    both = text.replace("Resources:\n", "Resources:\n      A: {Type: Acme::Web::Thing, Properties: {Name: a}}\n")
    bench.things.fail("CREATE", logical_id="Bad")
    bench.update(both)
    assert sorted(each["Name"] for each in bench.things.stored) == ["a", "kept", "kept"]
    bench.things.fail("CREATE", logical_id="Bad")
    bench.update(both, options=OperationOptions(retain_except_on_create=True))
    assert sorted(each["Name"] for each in bench.things.stored) == ["a", "kept", "kept"]


def test_a_cancelled_update_does_not_wait(bench):
    bench.create(BEFORE)

    def cancel():
        bench.recovery.cancel_update(HERE, "shop")

    bench.things.answer("UPDATE", Waiting(3600, None, {"n": 1}), logical_id="A")
    before = bench.clock.sleep
    bench.clock.sleep = lambda seconds: (cancel(), setattr(bench.clock, "sleep", before), before(seconds))
    began = bench.clock.time
    bench.update(AFTER)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert bench.clock.time < began + 60
    assert ("shop", "UPDATE_ROLLBACK_IN_PROGRESS", "User Initiated") in bench.story()
    assert ("A", "UPDATE_FAILED", "Resource update cancelled") in bench.story()
    with pytest.raises(StackError, match="CancelUpdateStack cannot be called from current stack status"):
        cancel()


def test_a_creation_that_takes_too_long(bench):
    waiting = [Waiting(50, None, {"n": n}) for n in range(10)]
    bench.things.answer("CREATE", *waiting, logical_id="R")
    bench.create(BEFORE, settings=StackSettings(timeout_minutes=2))
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    told = "Stack creation time exceeded the specified timeout. Rollback requested by user."
    assert ("shop", "ROLLBACK_IN_PROGRESS", told) in bench.story()
    assert ("R", "CREATE_FAILED", "Resource creation cancelled") in bench.story()
    assert bench.things.stored == []


def test_a_token_stands_for_one_request(bench):
    bench.create(BEFORE, token="one")
    bench.update(AFTER, token="two")
    bench.update(AFTER, token="two")
    assert statuses(bench).count("UPDATE_IN_PROGRESS") == 1
    for taken in ("one", "two"):
        with pytest.raises(StackError) as refused:
            bench.delete(token=taken)
        assert refused.value.code == "TokenAlreadyExistsException"


def test_a_change_set_that_is_executed_again(bench):
    change_sets = ChangeSets(bench.engine)
    asked = NewChangeSet(name="c", kind="CREATE", stack=bench.request(BEFORE), request=ChangeSetRequest())
    change_sets.create(HERE, asked)
    for _ in range(2):
        change_sets.execute(HERE, "c", "shop", token="one", options=OperationOptions())
    assert statuses(bench) == ["REVIEW_IN_PROGRESS", "CREATE_IN_PROGRESS", "CREATE_COMPLETE"]
    with pytest.raises(StackError, match="cannot be executed in its current execution status"):
        change_sets.execute(HERE, "c", "shop", token="two", options=OperationOptions())


def _failed():
    return Failed("GeneralServiceException", "no")


@pytest.mark.parametrize("keep", [False, True])
def test_a_stack_that_is_deleted_while_it_is_made(bench, keep):
    bench.things.answer("CREATE", Waiting(3600, None, {"n": 1}), logical_id="R")
    before = bench.clock.sleep
    bench.clock.sleep = lambda seconds: (setattr(bench.clock, "sleep", before), bench.delete(), before(seconds))
    began = bench.clock.time
    arn = bench.create(BEFORE, options=OperationOptions(keep_on_failure=keep))
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    assert bench.clock.time < began + 60
    assert bench.things.stored == []
    told = [each for each in bench.story(arn) if each[0] == "shop"]
    assert told == [
        ("shop", "CREATE_IN_PROGRESS", "User Initiated"),
        ("shop", "DELETE_IN_PROGRESS", "User Initiated"),
        ("shop", "DELETE_COMPLETE", None),
    ]


def test_a_stack_that_is_deleted_as_its_creation_ends(bench):
    once = []

    def checkpoint(_name):
        if not once and len(bench.things.stored) == 3:
            once.append(bench.delete())

    bench.engine.settings.observer.checkpoint = checkpoint
    arn = bench.create(BEFORE)
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    assert bench.things.stored == []


def test_a_stack_is_not_deleted_amid_an_update(bench):
    bench.create(BEFORE)
    refused = []

    def try_deletion(seconds):
        bench.clock.sleep = before
        with pytest.raises(StackError) as caught:
            bench.delete()
        refused.append(caught.value.message)
        before(seconds)

    before = bench.clock.sleep
    bench.clock.sleep = try_deletion
    bench.things.answer("UPDATE", Waiting(10, None, {"n": 1}), logical_id="A")
    bench.update(AFTER)
    assert refused == ["Stack [shop] cannot be deleted while in status UPDATE_IN_PROGRESS"]


WATCHED = StackSettings(rollback_configuration={"MonitoringTimeInMinutes": 10})


def test_a_stack_is_watched_for_a_while(bench):
    begun = bench.clock.time
    bench.create(BEFORE, settings=WATCHED)
    assert bench.stack().status == "CREATE_COMPLETE"
    assert bench.clock.time - begun > 600
    begun = bench.clock.time
    bench.update(AFTER)  # the time holds for updates that name none
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert bench.clock.time - begun > 600


def test_an_update_is_cancelled_while_the_stack_is_watched(bench, monkeypatch):
    bench.create(BEFORE)
    was = models(bench)
    monkeypatch.setattr(bench.clock, "sleep", lambda _seconds: bench.recovery.cancel_update(HERE, "shop"))
    bench.update(AFTER, settings=WATCHED)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert models(bench) == was
    told = [(status, reason) for name, status, reason in bench.story() if name == "shop"]
    assert ("UPDATE_ROLLBACK_IN_PROGRESS", "User Initiated") in told


def test_triggers_stay_until_others_are_named():
    triggers = [{"Arn": "arn:aws:cloudwatch:eu-west-1:111122223333:alarm:a", "Type": "AWS::CloudWatch::Alarm"}]
    known = {"RollbackTriggers": triggers, "MonitoringTimeInMinutes": 5}
    assert check_rollback_configuration(known) == known
    assert updated_configuration(known, None) == known
    assert updated_configuration(known, {"MonitoringTimeInMinutes": 7}) == {**known, "MonitoringTimeInMinutes": 7}
    assert updated_configuration(known, {"RollbackTriggers": []}) == {"RollbackTriggers": []}
    with pytest.raises(StackError, match="Rollback Trigger Type not supported"):
        check_rollback_configuration({"RollbackTriggers": [{**triggers[0], "Type": "AWS::SNS::Topic"}]})


def test_outputs_are_as_before_when_an_update_is_cancelled_while_it_is_watched(bench):
    text = (
        "Resources: {{A: {{Type: Acme::Web::Thing, Properties: {{Color: {0}}}}}}}\nOutputs: {{Color: {{Value: {0}}}}}"
    )
    bench.create(text.format("red"), settings=WATCHED)
    before = bench.clock.sleep

    def cancel_and_sleep(seconds):
        bench.clock.sleep = before
        assert bench.stack().outputs["Color"][0] == "blue"
        bench.recovery.cancel_update(HERE, "shop")
        before(seconds)

    bench.clock.sleep = cancel_and_sleep
    bench.update(text.format("blue"), settings=WATCHED)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert bench.resources()["A"].model["Color"] == "red"
    assert bench.stack().outputs["Color"][0] == "red"


def test_a_creation_that_is_cancelled_while_it_is_watched_leaves_no_outputs(bench):
    before = bench.clock.sleep

    def delete_and_sleep(seconds):
        bench.clock.sleep = before
        assert bench.stack().outputs
        bench.delete()
        before(seconds)

    bench.clock.sleep = delete_and_sleep
    text = "Resources: {A: {Type: Acme::Web::Thing}}\nOutputs: {Color: {Value: red, Export: {Name: color}}}"
    stack = bench.stack(bench.create(text, settings=WATCHED))
    assert (stack.status, stack.outputs) == ("DELETE_COMPLETE", {})
