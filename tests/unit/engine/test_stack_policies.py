"""Stack policies: what is one, and what one allows."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.engine.protection import Protection
from formwork.engine.stack_policies import UpdateAction, matches, parse_stack_policy
from formwork.provisioning.outcomes import Failed
from formwork.stacks.errors import StackError
from support.engines import HERE

ALL = {"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"}
MODIFY, REPLACE, DELETE = UpdateAction


def policy(*statements):
    return json.dumps({"Statement": statements})


def deny(**more):
    return {**ALL, "Effect": "Deny", **more}


def refusal(text, action=MODIFY, name="A", type_name="Acme::Web::Thing"):
    return parse_stack_policy(text).refusal(action, name, type_name)


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        "[" * 100_000,
        policy({**ALL, "Action": "Delete:*"}),
        policy({**ALL, "Action": []}),
        policy({**ALL, "Principal": "arn:aws:iam::111111111111:user/x"}),
        policy({key: value for key, value in ALL.items() if key != "Principal"}),
        policy({**ALL, "Effect": "Maybe"}),
        policy({**ALL, "Resource": "A"}),
        policy({**ALL, "NotResource": "*"}),
        policy({**ALL, "Condition": {"StringEquals": {"Name": "x"}}}),
        policy({**ALL, "Condition": {"NumericEquals": {"ResourceType": "x"}}}),
        policy({**ALL, "More": 1}),
        policy("x"),
    ],
)
def test_what_is_no_policy_is_refused(text):
    with pytest.raises(StackError, match=r"^Error validating stack policy: Invalid stack policy$"):
        parse_stack_policy(text)


def test_what_nothing_allows_is_denied():
    text = policy({**ALL, "Action": ["Update:Modify"], "Resource": "LogicalResourceId/A*"})
    assert refusal(text, name="Abc") is None
    assert refusal(text, name="B") == "Action not allowed by stack policy"
    assert refusal(text, DELETE) == "Action not allowed by stack policy"
    assert refusal("{}") is None  # the way to be rid of a policy


def test_a_denial_wins_and_is_named():
    text = policy(ALL, deny(Action="Update:Replace", Resource=["LogicalResourceId/A"]))
    told = "Action denied by stack policy: Statement [#2] does not allow [Update:Replace] for resource"
    assert refusal(text, REPLACE) == f"{told} [LogicalResourceId/A];"
    assert refusal(text, MODIFY) is None
    assert refusal(text, REPLACE, "B") is None
    others = policy(ALL, {key: v for key, v in deny(NotResource="LogicalResourceId/A").items() if key != "Resource"})
    assert refusal(others) is None
    assert refusal(others, name="B")


@pytest.mark.parametrize(("operator", "wanted"), [("StringEquals", "AWS::S3::Bucket"), ("StringLike", "AWS::S3::*")])
def test_types(operator, wanted):
    text = policy(ALL, deny(Condition={operator: {"ResourceType": [wanted]}}))
    assert refusal(text, type_name="AWS::S3::Bucket")
    assert refusal(text, type_name="Acme::Web::Thing") is None
    literal = policy(ALL, deny(Condition={"StringEquals": {"ResourceType": "AWS::S3::*"}}))
    assert refusal(literal, type_name="AWS::S3::Bucket") is None


@given(st.lists(st.text("ab", max_size=3), max_size=4), st.text("ab", max_size=12))
def test_wildcards(parts, text):
    import re

    pattern = "*".join(parts)
    assert matches(pattern, text) == bool(re.fullmatch(".*".join(parts), text))


def test_hostile_wildcards_take_no_time():
    assert not matches("*a" * 8000, "a" * 255 + "b")


# -- in the engine

RENAMED = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: %s, Color: %s}}, B: {Type: Acme::Web::Thing}}"


def failures(bench):
    return [(name, reason) for name, status, reason in bench.story() if status == "UPDATE_FAILED"]


def test_updates_are_held_to_the_policy(bench):
    bench.create(RENAMED % ("one", "red"), policy=policy(ALL, deny(Action=["Update:Replace", "Update:Delete"])))
    was = bench.resources()
    bench.update(RENAMED % ("one", "blue"))
    assert bench.stack().status == "UPDATE_COMPLETE"
    bench.update(RENAMED % ("two", "blue"))
    denied = "Action denied by stack policy: Statement [#2] does not allow [%s] for resource [LogicalResourceId/%s];"
    assert failures(bench) == [("A", denied % ("Update:Replace", "A"))]
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    told = "The following resource(s) failed to update: [A]. "
    assert ("shop", "UPDATE_ROLLBACK_IN_PROGRESS", told) in bench.story()
    assert bench.resources()["A"].physical_id == was["A"].physical_id
    bench.update("Resources: {A: {Type: Acme::Web::Thing, Properties: {Name: one, Color: blue}}}")
    assert failures(bench)[1:] == [("B", denied % ("Update:Delete", "B"))]
    assert sorted(bench.resources()) == ["A", "B"]
    assert {each.status for each in bench.resources().values()} <= {"UPDATE_COMPLETE", "CREATE_COMPLETE"}
    assert len(bench.things.stored) == 2


def test_a_replacement_after_all_is_held_to_it_too(bench):
    text = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Size: %s}}}"
    bench.create(text % 1, policy=policy(ALL, deny(Action="Update:Replace")))
    bench.things.answer("UPDATE", Failed("NotUpdatable", "no"))
    bench.update(text % 2)
    assert "[Update:Replace]" in failures(bench)[0][1]
    assert bench.stack().status == "UPDATE_ROLLBACK_COMPLETE"
    assert len(bench.things.stored) == 1


def test_a_policy_for_one_update_and_one_from_then_on(bench):
    protection = Protection(bench.engine)
    bench.create(RENAMED % ("one", "red"), policy=policy(deny()))
    later = policy(deny(Action="Update:Delete"), ALL)
    bench.update(RENAMED % ("two", "red"), policy_during=policy(ALL), policy=later)
    assert bench.stack().status == "UPDATE_COMPLETE"
    assert protection.get_policy(HERE, "shop") == later
    protection.set_policy(HERE, "shop", "{}")
    assert protection.get_policy(HERE, "shop") == "{}"
    bench.update(RENAMED % ("three", "red"))
    assert bench.stack().status == "UPDATE_COMPLETE"
    with pytest.raises(StackError, match="Invalid stack policy"):
        bench.update(RENAMED % ("four", "red"), policy_during="x")


def test_termination_protection(bench):
    bench.create(RENAMED % ("one", "red"))
    arn = Protection(bench.engine).protect(HERE, "shop", enabled=True)
    with pytest.raises(StackError, match=r"^Stack \[shop\] cannot be deleted while TerminationProtection is enabled$"):
        bench.delete("shop")
    Protection(bench.engine).protect(HERE, "shop", enabled=False)
    bench.delete("shop")
    with pytest.raises(StackError, match="DELETE_COMPLETE"):
        Protection(bench.engine).protect(HERE, arn, enabled=True)
