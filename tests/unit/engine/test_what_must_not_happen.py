"""What an operation must not do: start more after a failure, forget what a resource was, write for another worker."""

import pytest
from sqlalchemy import text, update

from formwork.durable import WorkStopped
from formwork.provisioning.outcomes import Failed, Succeeded, Waiting
from formwork.stacks.store import operations as store
from formwork.stacks.store import tables
from formwork.stacks.store.tables import operations
from support.engines import Bench

# A fails at once; B is still being made then, C waits for B, and D has just been begun like A and B.
FORKED = """
Resources:
  A: {Type: Acme::Web::Thing}
  B: {Type: Acme::Web::Thing}
  C: {Type: Acme::Web::Thing, DependsOn: B}
"""


def test_nothing_is_started_after_a_resource_has_failed(bench):
    bench.things.answer("CREATE", Waiting(5, None, {"n": 1}), logical_id="B")
    bench.things.answer("CREATE", Waiting(1, None, {"n": 1}), Failed("InvalidRequest", "no"), logical_id="A")
    bench.create(FORKED)
    assert bench.stack().status == "ROLLBACK_COMPLETE"
    assert not [each for each in bench.things.calls if each.logical_id == "C"]
    story = bench.story()
    assert ("B", "CREATE_FAILED", "Resource creation cancelled") in story
    assert not [one for one in story if one[0] == "C"]


def test_an_update_is_told_what_the_resource_was_with_what_only_its_handler_knows(bench):
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: %s, Secret: s3cret}}}"
    bench.create(text % "red")
    model = bench.resources()["A"].model
    bench.update(text % "blue")
    update_call = next(each for each in bench.things.calls if each.action == "UPDATE")
    assert update_call.previous == {**model, "Secret": "s3cret"}
    assert {"Id", "Arn"} <= update_call.previous.keys()


def test_a_rollback_is_told_what_the_update_had_made_of_the_resource(bench):
    text = """
    Resources:
      A: {Type: Acme::Web::Thing, Properties: {Color: %s}}
      B: {Type: Acme::Web::Thing, DependsOn: A, Properties: {Color: %s}}
    """
    bench.create(text % ("red", "red"))
    model = bench.resources()["A"].model
    bench.things.fail("UPDATE", logical_id="B")
    bench.update(text % ("blue", "blue"))
    back = [each for each in bench.things.calls if each.action == "UPDATE" and each.logical_id == "A"][-1]
    assert (back.desired["Color"], back.previous["Color"]) == ("red", "blue")
    assert {name: back.previous[name] for name in ("Id", "Arn")} == {name: model[name] for name in ("Id", "Arn")}


MADE = Succeeded({"Id": "thing-00000001", "Arn": "arn:thing:000001"})


@pytest.mark.parametrize(
    "answers",
    [[MADE], [Waiting(5, None, {"n": 1})], [Failed("InvalidRequest", "no")], [Failed("Throttling", "")], [MADE, MADE]],
)
def test_a_worker_whose_stack_another_has_taken_over_writes_nothing(database, monkeypatch, answers):
    """Its last call of the handler lasts so long that it counts as dead, and another worker goes on with the stack."""
    bench = Bench(database)
    monkeypatch.setattr(store, "_OWNER", text(str(store._OWNER).removesuffix(" FOR SHARE OF o")))  # SQLite locks all
    database.shared = True
    left, seen = list(answers), []

    def invoke(_call):
        answer = left.pop(0)
        if not left:
            with database.begin() as connection:
                connection.execute(update(operations).values(owner="another worker"))
            seen.append(written(database))
        return answer

    monkeypatch.setattr(bench.things, "invoke", invoke)
    with pytest.raises(WorkStopped):
        bench.create("Resources: {A: {Type: Acme::Web::Thing}}")
    assert seen == [written(database)]


def written(database):
    """All that the store has of stacks."""
    with database.read() as connection:
        return {each.name: connection.execute(each.select()).all() for each in tables.metadata.sorted_tables}
