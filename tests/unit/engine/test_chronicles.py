"""All that operations write, call and reach, compared with golden files: no field changes unseen."""

import json

import pytest

from formwork.engine.recovery import RollbackRequest
from formwork.hooks import FailureMode, HookFailed, HookPassed, HookWaiting, TargetKind
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.stacks.store.records import OperationOptions, StackSettings
from formwork.stacks.store.signals import SignalRecord, write_signal
from support.chronicles import Chronicle
from support.engines import HERE, Guard
from support.stack_calls import StackCalls

THING = "Acme::Web::Thing"
TWO = """
Parameters:
  Password: {Type: String, NoEcho: true}
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: %s, Secret: !Ref Password}, Metadata: {Why: x}}
  B: {Type: Acme::Web::Thing, Properties: {Name: %s, Of: !GetAtt A.Arn}}
Outputs:
  Arn: {Value: !GetAtt B.Arn, Description: the ARN}
"""
GIVEN = {"parameters": {"Password": "correct-horse"}}
CHAIN = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: %s}}
  R: {Type: Acme::Web::Thing, DependsOn: A, Properties: {Name: %s}}
  Z: {Type: Acme::Web::Thing, DependsOn: R, Properties: {Color: %s}}
"""
ONE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"
ROLE = StackSettings(role_arn="arn:aws:iam::111122223333:role/deploy")
STORIES = {}


def story(function):
    """Register a story; its name is that of its golden file."""
    STORIES[function.__name__.removeprefix("_").replace("_", "-")] = function
    return function


@story
def _create_update_delete(begin):
    chronicle = begin()
    bench = chronicle.bench
    chronicle.say("create")
    bench.create(TWO % ("red", "one"), **GIVEN, settings=ROLE, tags={"team": "web"}, token="token-1")
    chronicle.say("update in place and replace")
    bench.update(TWO % ("blue", "two"), **GIVEN, tags={"team": "shop"})
    chronicle.say("update that fails")
    bench.things.fail("UPDATE", logical_id="A", code="AccessDenied", message="no correct-horse")
    bench.update(TWO % ("green", "three"), **GIVEN)
    chronicle.say("delete")
    bench.delete()
    return chronicle


@story
def _create_that_fails(begin):
    chronicle = begin()
    bench = chronicle.bench
    bench.things.fail("CREATE", logical_id="R", code="AlreadyExists", message="taken")
    bench.create(CHAIN % ("red", "one", "red"))
    return chronicle


@story
def _create_that_fails_and_is_deleted(begin):
    chronicle = begin()
    bench = chronicle.bench
    bench.things.fail("CREATE", logical_id="R")
    bench.create(CHAIN % ("red", "one", "red"), settings=StackSettings(on_failure="DELETE"))
    return chronicle


@story
def _update_whose_rollback_fails(begin):
    chronicle = begin()
    bench = chronicle.bench
    bench.create(CHAIN % ("red", "one", "red"))
    chronicle.say("the update fails, and its rollback")
    bench.things.answer("UPDATE", None, Failed("GeneralServiceException", "stuck"), logical_id="A")
    bench.things.fail("UPDATE", logical_id="Z")
    bench.update(CHAIN % ("blue", "two", "blue"))
    chronicle.say("the rollback is continued")
    bench.recovery.continue_update_rollback(HERE, RollbackRequest(name="shop"))
    return chronicle


@story
def _kept_failure_and_rollback_by_hand(begin):
    chronicle = begin()
    bench = chronicle.bench
    keep = OperationOptions(keep_on_failure=True)
    bench.create(CHAIN % ("red", "one", "red"))
    chronicle.say("a failure is kept")
    bench.things.fail("UPDATE", logical_id="Z")
    bench.update(CHAIN % ("blue", "two", "blue"), options=keep)
    chronicle.say("rolled back")
    bench.recovery.roll_back(HERE, RollbackRequest(name="shop"))
    return chronicle


@story
def _handlers_that_take_their_time(begin):
    chronicle = begin()
    bench = chronicle.bench
    invoke = bench.things.inner.invoke

    def slow(call):
        """Does its work in the first call, and is called twice more."""
        seen = (call.context or {}).get("n", 0)
        if call.action != "CREATE" or not seen:
            made[:] = [invoke(call)]
        return Waiting(3 + seen, made[0].model, {"n": seen + 1}) if call.action == "CREATE" and seen < 2 else made[0]

    made = []
    bench.things.inner.invoke = slow
    bench.create(ONE % "red")
    chronicle.say("throttled")
    bench.things.fail("UPDATE", code="Throttling", message="slow down", times=2)
    bench.update(ONE % "blue")
    chronicle.say("a deletion that fails once")
    bench.things.fail("DELETE", code="ResourceConflict", message="in use")
    bench.delete()
    bench.delete()
    return chronicle


@story
def _policies_that_keep(begin):
    chronicle = begin()
    bench = chronicle.bench
    template = """
Resources:
  K: {Type: Acme::Web::Thing, DeletionPolicy: Retain, UpdateReplacePolicy: Retain, Properties: {Name: %s}}
  E: {Type: Acme::Web::Thing, DeletionPolicy: RetainExceptOnCreate, Properties: {Color: red}}
  D: {Type: Acme::Web::Thing, DependsOn: [K, E], Properties: {Color: %s}}
"""
    bench.things.fail("CREATE", logical_id="D")
    bench.create(template % ("one", "red"), name="failed")
    chronicle.say("a stack that stays")
    bench.create(template % ("two", "red"))
    bench.update(template % ("three", "blue"))
    bench.delete()
    return chronicle


@story
def _hooks_of_resources(begin):
    note = {"annotationName": "Colour", "status": "PASSED"}
    guard = Guard(HookWaiting(3, {"n": 1}), HookPassed("fine", [note]))
    chronicle = begin(guard)
    bench = chronicle.bench
    bench.create(TWO % ("red", "one"), **GIVEN, settings=ROLE)
    chronicle.say("an update that is refused")
    guard.answers = [HookFailed("not correct-horse", refused=True, annotations=[{**note, "status": "FAILED"}])]
    bench.update(TWO % ("blue", "one"), **GIVEN)
    chronicle.say("a failure that only warns")
    guard.mode = FailureMode.WARN
    guard.answers = [HookFailed("broken", refused=False)]
    bench.update(TWO % ("green", "two"), **GIVEN)
    chronicle.say("delete")
    bench.delete()
    return chronicle


@story
def _hooks_of_stacks_and_change_sets(begin):
    guard = Guard(HookWaiting(3, {"n": 1}), kinds=(TargetKind.STACK, TargetKind.CHANGE_SET))
    chronicle = begin(guard)
    bench = chronicle.bench
    calls = StackCalls(bench)
    bench.create(TWO % ("red", "one"), **GIVEN, settings=ROLE)
    chronicle.say("a change set")
    guard.answers = [HookWaiting(1, None), HookPassed("fine", skips_stack=True)]
    password = [{"ParameterKey": "Password", "UsePreviousValue": True}]
    body = {"StackName": "shop", "TemplateBody": TWO % ("blue", "one"), "Parameters": password}
    calls("CreateChangeSet", ChangeSetName="c", RoleARN="arn:aws:iam::111122223333:role/other", **body)
    calls("ExecuteChangeSet", StackName="shop", ChangeSetName="c")
    chronicle.say("a change set that is refused")
    guard.answers = [HookFailed("no correct-horse", refused=True)]
    calls("CreateChangeSet", ChangeSetName="d", **{**body, "TemplateBody": TWO % ("green", "one")})
    chronicle.say("a stack that is refused")
    guard.answers = [HookFailed("no", refused=True)]
    bench.update(TWO % ("green", "one"), **GIVEN)
    chronicle.say("a deletion")
    bench.delete()
    return chronicle


@story
def _nested_stacks(begin):
    chronicle = begin()
    bench = chronicle.bench
    url = "https://templates.s3.amazonaws.com/child.yaml"
    bench.templates[url] = (
        "Parameters: {C: {Type: String}}\nResources: {A: {Type: Acme::Web::Thing, Properties: {Color: !Ref C}}}\nOutputs: {Id: {Value: !Ref A}}\n"
    )
    template = """
Resources:
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: %s, Parameters: {C: %s}}}
  After: {Type: Acme::Web::Thing, Properties: {Of: !GetAtt Child.Outputs.Id, Color: %s}}
"""
    bench.create(template % (url, "red", "red"))
    chronicle.say("an update that fails after the child")
    bench.things.fail("UPDATE", logical_id="After")
    bench.update(template % (url, "blue", "blue"))
    chronicle.say("delete")
    bench.delete()
    return chronicle


@story
def _express_mode(begin):
    chronicle = begin()
    calls = StackCalls(chronicle.bench)
    express = {"DeploymentConfig": {"Mode": "EXPRESS", "DisableRollback": True}}
    calls("CreateStack", StackName="shop", TemplateBody=CHAIN % ("red", "one", "red"), **express)
    chronicle.say("update")
    calls("UpdateStack", StackName="shop", TemplateBody=CHAIN % ("blue", "two", "red"), **express)
    chronicle.say("delete")
    calls("DeleteStack", StackName="shop")
    return chronicle


@story
def _drift_that_is_reverted(begin):
    chronicle = begin()
    bench = chronicle.bench
    calls = StackCalls(bench)
    bench.create(CHAIN % ("red", "one", "red"))
    chronicle.say("a change set that is aware of drift")
    (thing,) = [each for each in bench.things.stored if each["Id"] == bench.resources()["A"].physical_id]
    thing["Color"] = "green"
    gone = bench.resources()["Z"].physical_id
    store = bench.things.inner._simulator.store.resources
    del store[next(key for key, each in store.items() if each.model["Id"] == gone)]
    body = {"StackName": "shop", "ChangeSetName": "c", "TemplateBody": CHAIN % ("red", "one", "red")}
    calls("CreateChangeSet", DeploymentMode="REVERT_DRIFT", **body)
    calls("ExecuteChangeSet", StackName="shop", ChangeSetName="c")
    return chronicle


@story
def _imports(begin):
    chronicle = begin(Guard())
    bench = chronicle.bench
    calls = StackCalls(bench)
    kept = {"Type": THING, "DeletionPolicy": "Retain", "Properties": {"Color": "red"}}
    bench.create(json.dumps({"Resources": {"K": kept}}))
    identifier = bench.resources()["K"].physical_id
    bench.delete()
    chronicle.say("what the stack left behind is imported")
    calls(
        "CreateChangeSet",
        StackName="again",
        ChangeSetName="c",
        ChangeSetType="IMPORT",
        TemplateBody=json.dumps({"Resources": {"K": kept}}),
        ResourcesToImport=[{"ResourceType": THING, "LogicalResourceId": "K", "ResourceIdentifier": {"Id": identifier}}],
    )
    calls("ExecuteChangeSet", StackName="again", ChangeSetName="c")
    return chronicle


@story
def _a_name_that_is_taken(begin):
    """The size can be changed only sometimes: the update is refused, and a new thing takes the place."""
    chronicle = begin()
    bench = chronicle.bench
    template = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Size: %s, Color: red}}}"
    bench.create(template % 1)
    chronicle.say("the update says that it needs a replacement")
    bench.things.fail("UPDATE", code="NotUpdatable", message="size")
    bench.update(template % 2)
    chronicle.say("a failure of another kind")
    bench.things.fail("UPDATE", code="InvalidRequest", message="size")
    bench.update(template % 3)
    return chronicle


@story
def _signals(begin):
    chronicle = begin()
    bench = chronicle.bench
    policy = {"ResourceSignal": {"Count": 2, "Timeout": "PT1M"}}
    thing = {"Type": THING, "CreationPolicy": policy, "Properties": {"Name": "one"}}
    sent, sleep = {"u1": "SUCCESS", "u2": "SUCCESS", "u3": "SUCCESS", "u4": "FAILURE"}, bench.clock.sleep

    def sleeping(seconds):
        sleep(seconds)
        if sent and "A" in bench.resources():
            unique_id = next(iter(sent))
            signal = SignalRecord(bench.stack().id, "A", unique_id, sent.pop(unique_id), bench.clock.now())
            with bench.engine.database.begin() as connection:
                write_signal(connection, signal)

    bench.clock.sleep = sleeping
    bench.create(json.dumps({"Resources": {"A": thing}}))
    chronicle.say("a replacement that says that it failed")
    bench.update(json.dumps({"Resources": {"A": {**thing, "Properties": {"Name": "two"}}}}))
    chronicle.say("a replacement that says nothing")
    bench.update(json.dumps({"Resources": {"A": {**thing, "Properties": {"Name": "three"}}}}))
    return chronicle


@story
def _a_stack_policy_that_refuses(begin):
    chronicle = begin()
    bench = chronicle.bench
    allow = {"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"}
    deny = {**allow, "Effect": "Deny", "Action": ["Update:Replace", "Update:Delete"], "Resource": "LogicalResourceId/R"}
    bench.create(CHAIN % ("red", "one", "red"), policy=json.dumps({"Statement": [allow, deny]}))
    chronicle.say("an update that replaces")
    bench.update(CHAIN % ("blue", "two", "red"))
    chronicle.say("an update that deletes")
    bench.update(ONE % "green")
    return chronicle


@story
def _properties_that_are_refused(begin):
    chronicle = begin()
    bench = chronicle.bench
    calls = StackCalls(bench)
    wrong = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Size: large, Colour: red}}}"
    chronicle.say("before anything is deployed")
    bench.create(wrong, name="validated")
    chronicle.say("without validation, by the schema")
    calls("CreateStack", StackName="shop", TemplateBody=wrong, DisableValidation=True)
    return chronicle


@story
def _what_is_missing_meanwhile(begin):
    chronicle = begin()
    bench = chronicle.bench
    bench.create(CHAIN % ("red", "one", "red"))
    bench.things.inner._simulator.store.resources.clear()
    chronicle.say("an update of what is not there any more")
    bench.update(CHAIN % ("blue", "two", "red"))
    chronicle.say("a deletion of it")
    bench.delete()
    return chronicle


@story
def _conditions_and_dependencies_that_go(begin):
    chronicle = begin()
    bench = chronicle.bench
    bench.create(CHAIN % ("red", "one", "red"))
    chronicle.say("two resources are removed, one is added")
    bench.update("""
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red}}
  N: {Type: Acme::Web::Thing, Properties: {Of: !Ref A}}
""")
    chronicle.say("a removal that fails in the clean-up")
    bench.things.fail("DELETE", logical_id="N", times=5)
    bench.update(ONE % "red")
    return chronicle


@pytest.mark.parametrize("name", sorted(STORIES))
def test_all_that_happens(name, database, golden):
    chronicle = STORIES[name](lambda *hooks, **more: Chronicle(database, hooks=hooks, **more))
    golden(f"chronicles/{name}.txt", chronicle.text())
