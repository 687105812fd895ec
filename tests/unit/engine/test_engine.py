"""Operations on stacks with handlers that answer at once: what is done, in which order, and what events tell."""

import pytest

from formwork.provisioning.outcomes import Failed
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench, thing_schema

ONE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s}}}"
CHAIN = """
Parameters: {Color: {Type: String, Default: red}}
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: !Ref Color}}
  B: {Type: Acme::Web::Thing, Properties: {Of: !GetAtt A.Arn}}
  C: {Type: Acme::Web::Thing, DependsOn: B, Properties: {Of: !Ref B}}
Outputs:
  Arn: {Value: !GetAtt C.Arn, Export: {Name: !Sub "${AWS::StackName}-arn"}, Description: the last one}
"""


def test_create(bench):
    bench.create(CHAIN)
    stack, resources = bench.stack(), bench.resources()
    assert stack.status == "CREATE_COMPLETE"
    assert {name: each.status for name, each in resources.items()} == dict.fromkeys("ABC", "CREATE_COMPLETE")
    assert resources["B"].properties["Of"] == resources["A"].model["Arn"]
    assert resources["C"].properties["Of"] == resources["B"].physical_id
    assert stack.outputs == {"Arn": [resources["C"].model["Arn"], "shop-arn", "the last one"]}
    assert bench.engine.lookups.stacks_seen_from(HERE).export("shop-arn") == resources["C"].model["Arn"]
    one = [
        ("CREATE_IN_PROGRESS", None),
        ("CREATE_IN_PROGRESS", "Resource creation Initiated"),
        ("CREATE_COMPLETE", None),
    ]
    assert bench.story() == [
        ("shop", "CREATE_IN_PROGRESS", "User Initiated"),
        *((name, *each) for name in "ABC" for each in one),
        ("shop", "CREATE_COMPLETE", None),
    ]


def test_delete_goes_the_other_way_round(bench):
    arn = bench.create(CHAIN)
    bench.delete("shop")
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    with pytest.raises(StackError, match="Stack with id shop does not exist"):
        bench.stack()
    deletes = [name for name, status, _ in bench.story(arn) if status == "DELETE_COMPLETE"]
    assert deletes == ["C", "B", "A", "shop"]
    assert bench.things.stored == []
    bench.delete("shop")  # once more is no error


def test_a_failed_creation_is_rolled_back(bench):
    bench.things.fail("CREATE", logical_id="B")
    bench.create(CHAIN)
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    story = bench.story()
    reason = next(reason for name, status, reason in story if (name, status) == ("B", "CREATE_FAILED"))
    assert reason.startswith('Resource handler returned message: "no" (RequestToken: ')
    assert reason.endswith(", HandlerErrorCode: GeneralServiceException)")
    told = "The following resource(s) failed to create: [B]. Rollback requested by user."
    assert ("shop", "ROLLBACK_IN_PROGRESS", told) in story
    assert not any(name == "C" for name, _, _ in story)
    assert bench.things.stored == []


def test_a_failed_creation_can_be_kept(bench):
    from formwork.stacks.store.records import OperationOptions

    bench.things.fail("CREATE", logical_id="B")
    bench.create(CHAIN, options=OperationOptions(keep_on_failure=True))
    assert bench.stack().status == "CREATE_FAILED"
    assert len(bench.things.stored) == 1


def test_update_in_place(bench):
    bench.create(CHAIN)
    before = bench.resources()
    bench.update(None, parameters={"Color": "blue"})
    after = bench.resources()
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert after["A"].physical_id == before["A"].physical_id
    assert (after["A"].status, after["A"].model["Color"]) == ("UPDATE_COMPLETE", "blue")
    assert after["B"] == before["B"]
    assert bench.story()[-5:] == [
        ("shop", "UPDATE_IN_PROGRESS", "User Initiated"),
        ("A", "UPDATE_IN_PROGRESS", None),
        ("A", "UPDATE_COMPLETE", None),
        ("shop", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", None),
        ("shop", "UPDATE_COMPLETE", None),
    ]


def test_nothing_to_update(bench):
    bench.create(CHAIN)
    with pytest.raises(StackError, match=r"^No updates are to be performed\.$"):
        bench.update(CHAIN)


def test_replacement(bench):
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: %s}}}"
    bench.create(text % "one")
    old = bench.resources()["A"].physical_id
    bench.update(text % "two")
    new = bench.resources()["A"].physical_id
    assert old != new
    assert [each["Name"] for each in bench.things.stored] == ["two"]
    replacing = "Requested update requires the creation of a new physical resource; hence creating one."
    assert bench.story()[-8:] == [
        ("shop", "UPDATE_IN_PROGRESS", "User Initiated"),
        ("A", "UPDATE_IN_PROGRESS", replacing),
        ("A", "UPDATE_IN_PROGRESS", "Resource creation Initiated"),
        ("A", "UPDATE_COMPLETE", None),
        ("shop", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", None),
        ("A", "DELETE_IN_PROGRESS", None),
        ("A", "DELETE_COMPLETE", None),
        ("shop", "UPDATE_COMPLETE", None),
    ]


def test_replacement_that_deletes_first(database):
    bench = Bench(database, thing_schema(replacementStrategy="delete_then_create"))
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: %s}}}"
    bench.create(text % "one")
    bench.update(text % "two")
    assert [each.action for each in bench.things.calls] == ["CREATE", "READ", "DELETE", "CREATE", "READ"]
    assert [each["Name"] for each in bench.things.stored] == ["two"]


def test_an_update_that_the_handler_cannot_do_becomes_a_replacement(bench):
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Size: %s}}}"
    bench.create(text % 1)
    old = bench.resources()["A"].physical_id
    bench.update(text % 2)
    assert bench.resources()["A"].physical_id == old
    bench.things.fail("UPDATE", code="NotUpdatable")
    bench.update(text % 3)
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert bench.resources()["A"].physical_id != old
    assert [each["Size"] for each in bench.things.stored] == [3]


def test_what_the_template_no_longer_has_goes(bench):
    bench.create(CHAIN)
    bench.update(ONE % "red")
    assert list(bench.resources()) == ["A"]
    assert [name for name, status, _ in bench.story() if status == "DELETE_COMPLETE"] == ["C", "B"]
    assert bench.stack().outputs == {}


@pytest.mark.parametrize("failing", ["UPDATE", "CREATE"])
def test_a_failed_update_is_undone(bench, failing):
    before = """
    Resources:
      A: {Type: Acme::Web::Thing, Properties: {Color: red}}
      R: {Type: Acme::Web::Thing, DependsOn: A, Properties: {Name: one}}
      Z: {Type: Acme::Web::Thing, DependsOn: [A, R], Properties: {Color: red}}
    """
    after = """
    Resources:
      A: {Type: Acme::Web::Thing, Properties: {Color: blue}}
      R: {Type: Acme::Web::Thing, DependsOn: A, Properties: {Name: two}}
      Z: {Type: Acme::Web::Thing, DependsOn: [A, R, N], Properties: {Color: blue}}
      N: {Type: Acme::Web::Thing, DependsOn: R}
    """
    bench.create(before)
    was = bench.resources()
    bench.things.fail(failing, logical_id="Z" if failing == "UPDATE" else "N")
    bench.update(after)
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    now = bench.resources()
    assert {name: each.physical_id for name, each in now.items()} == {n: e.physical_id for n, e in was.items()}
    assert {name: each.model for name, each in now.items()} == {name: each.model for name, each in was.items()}
    assert len(bench.things.stored) == 3
    statuses = [status for name, status, _ in bench.story() if name == "shop"]
    assert statuses[-4:] == [
        "UPDATE_IN_PROGRESS",
        "UPDATE_ROLLBACK_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE",
    ]
    bench.update(after)  # and the next one goes through
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert len(bench.things.stored) == 4


def test_deletion_policies(bench):
    bench.create("Resources: {A: {Type: Acme::Web::Thing, DeletionPolicy: Retain}, B: {Type: Acme::Web::Thing}}")
    arn = bench.stack().arn
    bench.delete("shop")
    assert ("A", "DELETE_SKIPPED", None) in bench.story(arn)
    assert bench.stack(arn).status == "DELETE_COMPLETE"
    assert len(bench.things.stored) == 1


def test_a_failed_deletion(bench):
    bench.create(CHAIN)
    bench.things.fail("DELETE", logical_id="B")
    bench.delete("shop")
    stack = bench.stack()
    assert (stack.status, stack.reason) == ("DELETE_FAILED", "The following resource(s) failed to delete: [B]. ")
    assert set(bench.resources()) == {"A", "B"}
    bench.delete("shop", retain=("B",))
    assert bench.stack(stack.arn).status == "DELETE_COMPLETE"
    assert len(bench.things.stored) == 1


def test_what_is_gone_already_is_deleted(bench):
    bench.create(ONE % "red")
    arn = bench.stack().arn
    bench.things.fail("DELETE", code="NotFound")
    bench.delete("shop")
    assert bench.stack(arn).status == "DELETE_COMPLETE"


def test_retriable_errors_are_tried_again_and_callbacks_followed(bench):
    bench.things.answer("CREATE", Failed("Throttling", "slow"), Failed("NetworkFailure", "gone"), None)
    start = bench.clock.time
    bench.create(ONE % "red")
    assert bench.stack().status == "CREATE_COMPLETE"
    creates = [each for each in bench.things.calls if each.action == "CREATE"]
    assert len({each.token for each in creates}) == 1
    assert bench.clock.time - start > 3


def test_an_error_that_does_not_go_away(bench):
    bench.things.fail("CREATE", code="Throttling", times=99)
    bench.create(ONE % "red")
    assert bench.stack().status == "ROLLBACK_COMPLETE"


def test_secrets_of_parameters_stand_in_no_event(bench):
    text = """
    Parameters: {Word: {Type: String, NoEcho: true}}
    Resources: {A: {Type: Acme::Web::Thing, Properties: {Secret: !Ref Word}}}
    """
    bench.create(text, parameters={"Word": "hush-hush"})
    events = [event for _, event in bench.engine.lookups.list_events(HERE, "shop")]
    assert any('"Secret": "****"' in (each.details.properties or "") for each in events)
    assert "hush-hush" not in str(events)
    assert "hush-hush" not in str(bench.resources()["A"].model)


def test_names_are_taken_once_and_free_again(bench):
    arn = bench.create(ONE % "red")
    with pytest.raises(StackError, match=r"Stack \[shop\] already exists"):
        bench.create(ONE % "red")
    bench.delete("shop")
    assert bench.create(ONE % "red") != arn


def test_a_request_twice(bench):
    arn = bench.create(ONE % "red", token="t1")
    assert bench.create(ONE % "red", token="t1") == arn
    with pytest.raises(StackError, match="Token already exists"):
        bench.create(ONE % "blue", token="t1")


def test_unknown_types_are_refused(bench):
    with pytest.raises(StackError, match=r"Unrecognized resource types: \[Nobody::Has::It\]"):
        bench.create("Resources: {A: {Type: Nobody::Has::It}}")


def test_modules(bench, database):
    from formwork.documents import parse_document
    from formwork.template import read_template

    fragment = "Resources: {Inner: {Type: Acme::Web::Thing, Properties: {Color: red}}}"
    module = read_template(parse_document(fragment, name="m.yaml", short_tags=True)).template
    bench = Bench(database, modules={"Acme::Web::Mod::MODULE": module})
    bench.create("Resources: {M: {Type: Acme::Web::Mod::MODULE}}", capabilities=("CAPABILITY_AUTO_EXPAND",))
    resource = bench.resources()["MInner"]
    assert resource.module == ["Acme::Web::Mod::MODULE", "M"]


EXPORTS = """
Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: red}}}
Outputs: {Arn: {Value: !GetAtt A.Arn, Export: {Name: shared}}}
"""
IMPORTS = "Resources: {B: {Type: Acme::Web::Thing, Properties: {Of: !ImportValue shared}}}"


def test_exports_are_used_and_kept_while_they_are(bench):
    bench.create(EXPORTS)
    bench.create(IMPORTS, name="user")
    assert bench.resources("user")["B"].properties["Of"] == bench.resources()["A"].model["Arn"]
    assert bench.engine.lookups.list_imports(HERE, "shared") == ["user"]
    with pytest.raises(StackError, match="Export shared cannot be deleted as it is in use by user"):
        bench.delete("shop")
    bench.update("Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: red}}}")
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    reason = "Delete canceled. Cannot delete export shared as it is in use by user."
    assert ("shop", "UPDATE_ROLLBACK_IN_PROGRESS", reason) in bench.story()
    bench.delete("user")
    with pytest.raises(StackError, match=r"Export 'shared' is not imported by any stack\."):
        bench.engine.lookups.list_imports(HERE, "shared")
    bench.delete("shop")


def test_an_export_is_one_stack_s(bench):
    bench.create(EXPORTS)
    bench.create(EXPORTS, name="second")
    assert bench.stack("second").status == "ROLLBACK_COMPLETE"
    reason = "Export with name shared is already exported by stack shop. Rollback requested by user."
    assert ("second", "ROLLBACK_IN_PROGRESS", reason) in bench.story("second")


def test_an_export_that_is_not_there(bench):
    bench.create(IMPORTS)
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert ("B", "CREATE_FAILED", "No export named shared found.") in bench.story()


def test_an_output_without_a_value(bench):
    bench.create("Resources: {A: {Type: Acme::Web::Thing}}\nOutputs: {X: {Value: !GetAtt A.Nothing}}")
    told = "[Error] /Outputs/X/Value/Fn::GetAtt: Resource type Acme::Web::Thing does not support attribute {Nothing}."
    assert ("shop", "ROLLBACK_IN_PROGRESS", f"{told} Rollback requested by user.") in bench.story()


def test_a_stack_from_before_a_quota_can_be_changed_for_the_better_and_removed(bench, monkeypatch):
    many = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: '%s'}}}" % ("{{resolve:ssm:a}}" * 61)
    with monkeypatch.context() as before:
        before.setattr("formwork.template.read.MAX_REFERENCES", 100)
        bench.create(many)
    with pytest.raises(StackError, match="Number of dynamic references, 61, is greater than maximum allowed, 60"):
        bench.update(many.replace("A:", "B:"))
    bench.update("Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: fewer}}}")
    assert bench.stack().status == "UPDATE_COMPLETE"
    with monkeypatch.context() as before:
        before.setattr("formwork.template.read.MAX_REFERENCES", 100)
        bench.update(many)
    arn = bench.stack().arn
    bench.delete("shop")
    assert bench.stack(arn).status == "DELETE_COMPLETE"
