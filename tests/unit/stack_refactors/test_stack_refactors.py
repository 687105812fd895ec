"""Stack refactors: resources that move and are renamed, and what is refused."""

import json

import pytest

from formwork.api.cloudformation.stack_refactors import stack_refactor_operations
from formwork.api.wire.errors import ApiError
from formwork.provisioning.outcomes import Failed, Waiting
from formwork.stack_refactors import StackRefactors
from support.engines import HERE, Bench, thing_schema
from support.stack_calls import CALLER, StackCalls

TAGS = {
    "type": "array",
    "items": {"type": "object", "properties": {"Key": {"type": "string"}, "Value": {"type": "string"}}},
}
ONE = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red}}
  B: {Type: Acme::Web::Thing, Properties: {Of: !Ref A}}
Outputs:
  Made: {Value: !Ref B}
"""
LEFT = """
Resources:
  A: {Type: Acme::Web::Thing, Properties: {Color: red}}
Outputs:
  Made: {Value: !Ref A, Export: {Name: made}}
"""
MOVED = """
Resources:
  B: {Type: Acme::Web::Thing, Properties: {Of: !ImportValue made}}
Outputs:
  Made: {Value: !Ref B}
"""


def tagged_schema(name="Acme::Web::Tagged", **more):
    tagging = {"taggable": True, "tagUpdatable": True, "tagProperty": "/properties/Tags", **more}
    properties = {**thing_schema().value["properties"], "Tags": TAGS}
    return thing_schema(name, properties=properties, tagging=tagging)


class Refactoring:
    """A bench whose stacks are refactored."""

    def __init__(self, bench):
        self.bench = bench
        self.refactors = StackRefactors(bench.engine, bench.work)
        self.stacks = StackCalls(bench)
        self._table = stack_refactor_operations(self.refactors, lambda _scope, _url: b"")

    def __call__(self, operation, **request):
        table = self._table
        if ("cloudformation", operation) not in table:
            return self.stacks(operation, **request)
        return table["cloudformation", operation](CALLER, request)

    def create(self, templates, mappings=(), **more):
        """The description of a new refactor."""
        places = [[{"StackName": s, "LogicalResourceId": n} for s, n in each] for each in mappings]
        request = {"ResourceMappings": [{"Source": one, "Destination": other} for one, other in places]}
        definitions = [{"StackName": name, "TemplateBody": text} for name, text in templates.items()]
        made = self("CreateStackRefactor", StackDefinitions=definitions, **request, **more)
        return self.describe(made["StackRefactorId"])

    def describe(self, identifier):
        return self("DescribeStackRefactor", StackRefactorId=identifier)

    def execute(self, refactor):
        self("ExecuteStackRefactor", StackRefactorId=refactor["StackRefactorId"])
        return self.describe(refactor["StackRefactorId"])

    def run(self, *arguments, **more):
        refactor = self.create(*arguments, **more)
        assert (refactor["Status"], refactor["ExecutionStatus"]) == ("CREATE_COMPLETE", "AVAILABLE"), refactor
        return self.execute(refactor)

    def actions(self, refactor):
        return self("ListStackRefactorActions", StackRefactorId=refactor["StackRefactorId"])["StackRefactorActions"]

    def physical_ids(self, name):
        found = self("DescribeStackResources", StackName=name)["StackResources"]
        return {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in found}

    def status(self, name):
        return self("DescribeStacks", StackName=name)["Stacks"][0]["StackStatus"]

    def events(self, name):
        found = self("DescribeStackEvents", StackName=name)["StackEvents"]
        return [(each["LogicalResourceId"], each["ResourceStatus"]) for each in reversed(found)]


@pytest.fixture
def refactoring(bench):
    return Refactoring(bench)


@pytest.fixture
def tagged(database):
    return Refactoring(Bench(database, tagged_schema()))


def test_a_resource_moves_into_a_new_stack_and_stays_the_same(refactoring):
    arn = refactoring.bench.create(ONE)
    before = refactoring.physical_ids("shop")
    models = [dict(each) for each in refactoring.bench.things.stored]
    refactoring.bench.things.calls.clear()
    refactor = refactoring.create({"shop": LEFT, "other": MOVED}, EnableStackCreation=True, Description="split")
    assert (refactor["Status"], refactor["ExecutionStatus"]) == ("CREATE_COMPLETE", "AVAILABLE"), refactor
    assert (refactor["Description"], refactor["StackIds"][0]) == ("split", arn)
    assert refactoring.status("other") == "REVIEW_IN_PROGRESS"
    move, created = refactoring.actions(refactor)
    other = refactor["StackIds"][1]
    assert (created["Action"], created["Entity"], created["Description"]) == (
        "CREATE",
        "STACK",
        f"Stack {other} created.",
    )
    assert json.loads(move.pop("ResourceIdentifier")) == {"Id": before["B"]}
    assert move == {
        "Action": "MOVE",
        "Entity": "RESOURCE",
        "PhysicalResourceId": before["B"],
        "Description": "Resource configuration changes will be validated during refactor execution.",
        "Detection": "AUTO",
        "TagResources": [],
        "UntagResources": [],
        "ResourceMapping": {
            "Source": {"StackName": arn, "LogicalResourceId": "B"},
            "Destination": {"StackName": other, "LogicalResourceId": "B"},
        },
    }
    assert refactoring.execute(refactor)["ExecutionStatus"] == "EXECUTE_COMPLETE"
    assert (refactoring.physical_ids("shop"), refactoring.physical_ids("other")) == (
        {"A": before["A"]},
        {"B": before["B"]},
    )
    assert (refactoring.status("shop"), refactoring.status("other")) == ("UPDATE_COMPLETE", "CREATE_COMPLETE")
    assert refactoring.bench.things.calls == []
    assert [dict(each) for each in refactoring.bench.things.stored] == models
    stack = refactoring("DescribeStacks", StackName="other")["Stacks"][0]
    assert [(each["OutputKey"], each["OutputValue"]) for each in stack["Outputs"]] == [("Made", before["B"])]
    assert refactoring("ListImports", ExportName="made")["Imports"] == ["other"]
    assert refactoring("GetTemplate", StackName="shop")["TemplateBody"] == LEFT
    assert refactoring.events("shop")[-4:] == [
        ("shop", "UPDATE_IN_PROGRESS"),
        ("B", "EXPORT_IN_PROGRESS"),
        ("B", "EXPORT_COMPLETE"),
        ("shop", "UPDATE_COMPLETE"),
    ]
    assert refactoring.events("other") == [
        ("other", "REVIEW_IN_PROGRESS"),
        ("other", "CREATE_IN_PROGRESS"),
        ("B", "IMPORT_IN_PROGRESS"),
        ("B", "IMPORT_COMPLETE"),
        ("other", "CREATE_COMPLETE"),
    ]


def test_stacks_go_on_after_a_refactor(refactoring):
    refactoring.bench.create(ONE)
    refactoring.run({"shop": LEFT, "other": MOVED}, EnableStackCreation=True)
    with pytest.raises(ApiError, match="No updates are to be performed"):
        refactoring("UpdateStack", StackName="other", TemplateBody=MOVED)
    refactoring("UpdateStack", StackName="other", TemplateBody=MOVED.replace("made}", "made, Color: blue}"))
    assert refactoring.status("other") == "UPDATE_COMPLETE"
    assert sorted(each.get("Color", "") for each in refactoring.bench.things.stored) == ["blue", "red"]
    for name in ("other", "shop"):
        refactoring("DeleteStack", StackName=name)
    assert refactoring.bench.things.stored == []


def test_resources_are_renamed_in_their_stack(refactoring):
    refactoring.bench.create(ONE)
    before = refactoring.physical_ids("shop")
    renamed = (
        ONE.replace("A:", "First:")
        .replace("B:", "Second:")
        .replace("!Ref A", "!Ref First")
        .replace("!Ref B", "!Ref Second")
    )
    refactor = refactoring.create({"shop": renamed})
    assert {each["Detection"] for each in refactoring.actions(refactor)} == {"AUTO"}
    assert refactoring.execute(refactor)["ExecutionStatus"] == "EXECUTE_COMPLETE"
    assert refactoring.physical_ids("shop") == {"First": before["A"], "Second": before["B"]}


def test_mappings_tell_like_resources_from_one_another(refactoring):
    two = "Resources: {%s: {Type: Acme::Web::Thing}, %s: {Type: Acme::Web::Thing}}"
    refactoring.bench.create(two % ("A", "B"))
    before = refactoring.physical_ids("shop")
    refused = refactoring.create({"shop": two % ("C", "D")})
    assert (refused["Status"], refused["ExecutionStatus"]) == ("CREATE_FAILED", "UNAVAILABLE")
    assert (
        refused["StatusReason"] == "The destination of resources [A, B] is ambiguous. Specify it in ResourceMappings."
    )
    mappings = [(("shop", "A"), ("shop", "D")), (("shop", "B"), ("shop", "C"))]
    refactor = refactoring.create({"shop": two % ("C", "D")}, mappings)
    assert {each["Detection"] for each in refactoring.actions(refactor)} == {"MANUAL"}
    refactoring.execute(refactor)
    assert refactoring.physical_ids("shop") == {"D": before["A"], "C": before["B"]}
    swapped = [(("shop", "C"), ("shop", "D")), (("shop", "D"), ("shop", "C"))]
    assert refactoring.run({"shop": two % ("C", "D")}, swapped)["ExecutionStatus"] == "EXECUTE_COMPLETE"
    assert refactoring.physical_ids("shop") == {"C": before["A"], "D": before["B"]}


THING = "{Type: Acme::Web::Thing, Properties: {Color: red}}"


@pytest.mark.parametrize(
    ("templates", "mappings", "reason"),
    [
        ({"shop": LEFT, "other": MOVED.replace("made}", "made, Color: blue}")}, (), "Resource B in stack ARN does not match the destination resource's properties."),
        ({"shop": LEFT.replace("red", "blue"), "other": MOVED}, (), "Resource A in stack ARN does not match the destination resource's properties."),
        ({"shop": LEFT, "other": MOVED.replace("Acme::Web::Thing,", "Acme::Web::Thing, DeletionPolicy: Retain,")}, (), "Resource B in stack ARN does not match the destination resource's properties."),
        ({"shop": ONE, "other": "Resources: {C: {Type: Acme::Web::Thing, Properties: {Color: green}}}"}, (), "Stack Refactor can not create resources: [other.C]."),
        ({"shop": f"Resources: {{A: {THING}}}"}, (), "Stack Refactor can not delete resources: [shop.B]."),
        ({"shop": LEFT, "other": "Conditions: {C: !Equals [a, b]}\nRules: {}" + MOVED}, (), "NEW: Following template sections are not allowed when creating a stack while refactoring: Conditions, Rules"),
        ({"shop": "Parameters: {P: {Type: String, Default: x}}" + ONE}, (), "ARN: Stack Refactor does not support changes to the template sections: Parameters"),
        ({"shop": ONE, "other": MOVED}, [(("shop", "B"), ("other", "B"))], "The resource B defined in the resources mapping did no move from its original stack shop. Review your stack template desired state."),
        ({"shop": LEFT, "other": MOVED}, [(("shop", "Z"), ("other", "B"))], "Resource Z does not exist in stack shop"),
        ({"shop": LEFT, "other": "Resources: {}"}, (), "NEW: Template format error: At least one Resources member must be defined."),
    ],
)  # fmt: skip
def test_what_is_refused_when_it_is_validated(refactoring, templates, mappings, reason):
    arn = refactoring.bench.create(ONE)
    refactor = refactoring.create(templates, mappings, EnableStackCreation=True)
    told = refactor["StatusReason"].replace(arn, "ARN")
    if reason.startswith("NEW: "):
        told = f"NEW: {told.partition(': ')[2]}"
    assert (refactor["Status"], refactor["ExecutionStatus"], told) == ("CREATE_FAILED", "UNAVAILABLE", reason)
    assert refactor["StackIds"] == [arn, "other"][: len(templates)]
    assert refactoring.actions(refactor) == []
    with pytest.raises(ApiError, match=r"cannot be executed in its current execution status of \[UNAVAILABLE\]"):
        refactoring.execute(refactor)
    with pytest.raises(ApiError, match="does not exist"):
        refactoring.status("other")
    assert refactoring.status("shop") == "CREATE_COMPLETE"


def test_stacks_with_a_policy_are_refused(refactoring):
    arn = refactoring.bench.create(ONE)
    refactor = refactoring.create({"shop": LEFT, "other": MOVED}, EnableStackCreation=True)
    policy = '{"Statement": [{"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"}]}'
    refactoring("SetStackPolicy", StackName="shop", StackPolicyBody=policy)
    told = f"{arn}: Stack Refactor does not support stacks with a stack policy."
    assert refactoring.create({"shop": LEFT, "new": MOVED}, EnableStackCreation=True)["StatusReason"] == told
    with pytest.raises(ApiError, match="stack policy"):
        refactoring.execute(refactor)


@pytest.mark.parametrize(
    ("type_name", "more", "why"),
    [
        ("AWS::EC2::KeyPair", {"tagging": {"taggable": True, "tagUpdatable": False}}, " because the resource type does not allow tag updates after creation."),
        ("AWS::EC2::EIP", {}, "."),
        ("Acme::Web::Fixed", {"handlers": {each: {"permissions": []} for each in ("create", "read", "delete")}}, "."),
    ],
)  # fmt: skip
def test_types_that_do_not_move(database, type_name, more, why):
    refactoring = Refactoring(Bench(database, thing_schema(), thing_schema(type_name, **more)))
    both = f"Resources: {{A: {{Type: Acme::Web::Thing}}, B: {{Type: {type_name}}}}}"
    arn = refactoring.bench.create(both)
    templates = {
        "shop": "Resources: {A: {Type: Acme::Web::Thing}}",
        "other": f"Resources: {{B: {{Type: {type_name}}}}}",
    }
    refactor = refactoring.create(templates, EnableStackCreation=True)
    assert refactor["StatusReason"] == f"{arn}: Stack Refactor does not support {type_name}{why}"


def test_what_is_refused_at_once(refactoring):
    refactoring.bench.create(ONE)
    with pytest.raises(ApiError, match="Stack with id other does not exist"):
        refactoring.create({"shop": LEFT, "other": MOVED})
    with pytest.raises(ApiError, match="is not among the stack definitions"):
        refactoring.create({"shop": ONE}, [(("shop", "A"), ("third", "A"))])
    with pytest.raises(ApiError, match="between 1 and 5"):
        refactoring.create({f"s{number}": ONE for number in range(6)}, EnableStackCreation=True)
    with pytest.raises(ApiError, match="does not exist") as raised:
        refactoring.describe("none")
    assert (raised.value.code, raised.value.status) == ("StackRefactorNotFoundException", 404)


def test_an_update_makes_it_obsolete(refactoring):
    arn = refactoring.bench.create(ONE)
    refactor = refactoring.create({"shop": LEFT, "other": MOVED}, EnableStackCreation=True)
    refactoring.bench.update(ONE.replace("red", "green"))
    seen = refactoring.describe(refactor["StackRefactorId"])
    assert (seen["ExecutionStatus"], seen["ExecutionStatusReason"]) == ("OBSOLETE", f"{arn}: Stack was updated.")
    with pytest.raises(ApiError, match=r"execution status of \[OBSOLETE\]"):
        refactoring.execute(refactor)
    assert refactoring("ListStackRefactors")["StackRefactorSummaries"] == []
    (listed,) = refactoring("ListStackRefactors", ExecutionStatusFilter=["OBSOLETE"])["StackRefactorSummaries"]
    assert listed["StackRefactorId"] == refactor["StackRefactorId"]


def test_refactors_are_listed_a_page_at_a_time(refactoring):
    refactoring.bench.create(ONE)
    made = [refactoring.create({"shop": ONE})["StackRefactorId"] for _ in range(3)]
    page = refactoring("ListStackRefactors", MaxResults=2)
    rest = refactoring("ListStackRefactors", MaxResults=2, NextToken=page["NextToken"])
    listed = [each["StackRefactorId"] for each in (*page["StackRefactorSummaries"], *rest["StackRefactorSummaries"])]
    assert (listed, rest["NextToken"]) == (made[::-1], None)


TAGGED = "Resources: {%s}"
A, B = (
    "A: {Type: Acme::Web::Tagged, Properties: {Color: red}}",
    "B: {Type: Acme::Web::Tagged, Properties: {Color: blue}}",
)
C = "C: {Type: Acme::Web::Tagged, Properties: {Color: green}}"


def split(tagged):
    tagged("CreateStack", StackName="shop", TemplateBody=TAGGED % f"{A}, {B}, {C}", Tags=[{"Key": "k", "Value": "old"}])
    tagged("CreateStack", StackName="other", TemplateBody=TAGGED % A, Tags=[{"Key": "k", "Value": "new"}])
    moved = A.replace("A:", "Z:")
    tagged("UpdateStack", StackName="other", TemplateBody=TAGGED % moved)
    templates = {"shop": TAGGED % A, "other": TAGGED % f"{moved}, {B}, {C}"}
    tagged.bench.table.by_name["Acme::Web::Tagged"].calls.clear()
    return templates


def tags_of(tagged):
    stored = tagged.bench.table.by_name["Acme::Web::Tagged"].stored
    return sorted((each["Color"], each["Tags"][0]["Value"]) for each in stored)


def test_handlers_are_told_of_the_tags_of_the_new_stack(tagged):
    templates = split(tagged)
    refactor = tagged.create(templates)
    move = tagged.actions(refactor)[0]
    assert {each["Key"]: each["Value"] for each in move["TagResources"]} == {
        "aws:cloudformation:stack-name": "other",
        "aws:cloudformation:logical-id": "B",
        "aws:cloudformation:stack-id": refactor["StackIds"][1],
        "k": "new",
    }
    assert set(move["UntagResources"]) == {each["Key"] for each in move["TagResources"]}
    assert tagged.execute(refactor)["ExecutionStatus"] == "EXECUTE_COMPLETE"
    calls = tagged.bench.table.by_name["Acme::Web::Tagged"].calls
    assert [(each.action, each.logical_id) for each in calls] == [("UPDATE", "B"), ("UPDATE", "C")]
    assert calls[0].system_tags["aws:cloudformation:stack-name"] == "other"
    assert tags_of(tagged) == [("blue", "new"), ("green", "new"), ("red", "new"), ("red", "old")]
    model = tagged.bench.resources("other")["B"].model
    assert model["Tags"] == [{"Key": "k", "Value": "new"}]


def test_a_handler_is_called_again_as_it_asks(tagged):
    templates = split(tagged)
    scripted = tagged.bench.table.by_name["Acme::Web::Tagged"]
    scripted.answer("UPDATE", Waiting(30, None, {"left": 1}), Failed("Throttling", "slow"), None, logical_id="B")
    assert tagged.run(templates)["ExecutionStatus"] == "EXECUTE_COMPLETE"
    contexts = [each.context for each in scripted.calls if each.logical_id == "B"]
    assert contexts[:3] == [None, {"left": 1}, {"left": 1}]
    assert len({each.token for each in scripted.calls}) == 2


def test_a_failure_takes_everything_back(tagged):
    templates = split(tagged)
    tagged.bench.table.by_name["Acme::Web::Tagged"].fail("UPDATE", logical_id="C", message="not now")
    before = {name: tagged.physical_ids(name) for name in templates}
    found = tagged.run(templates)
    assert (found["Status"], found["ExecutionStatus"]) == ("CREATE_COMPLETE", "ROLLBACK_COMPLETE")
    assert "not now" in found["ExecutionStatusReason"]
    assert {name: tagged.status(name) for name in templates} == dict.fromkeys(templates, "UPDATE_ROLLBACK_COMPLETE")
    assert {name: tagged.physical_ids(name) for name in templates} == before
    assert tags_of(tagged) == [("blue", "old"), ("green", "old"), ("red", "new"), ("red", "old")]
    assert tagged.run(templates)["ExecutionStatus"] == "EXECUTE_COMPLETE"


def test_a_rollback_can_fail(tagged):
    templates = split(tagged)
    scripted = tagged.bench.table.by_name["Acme::Web::Tagged"]
    scripted.answer("UPDATE", None, Failed("AccessDenied", "no"), logical_id="B")
    scripted.fail("UPDATE", logical_id="C", message="not now")
    found = tagged.run(templates)
    assert found["ExecutionStatus"] == "ROLLBACK_FAILED"
    assert {name: tagged.status(name) for name in templates} == dict.fromkeys(templates, "UPDATE_ROLLBACK_COMPLETE")


def test_a_cancelled_update_takes_everything_back(tagged):
    templates = split(tagged)
    scripted = tagged.bench.table.by_name["Acme::Web::Tagged"]
    invoke = scripted.inner.invoke

    def cancelling(call):
        if tagged.status("shop") == "UPDATE_IN_PROGRESS":
            tagged("CancelUpdateStack", StackName="shop")
        return invoke(call)

    scripted.inner.invoke = cancelling
    assert tagged.run(templates)["ExecutionStatus"] == "ROLLBACK_COMPLETE"
    assert tags_of(tagged) == [("blue", "old"), ("green", "old"), ("red", "new"), ("red", "old")]


class Crash(BaseException):
    """The process ends."""


@pytest.mark.parametrize("name", ["refactor-noted", "refactor-told", "refactor-moving"])
def test_an_execution_goes_on_after_a_crash(database, name):
    crashes = []

    def checkpoint(reached):
        if reached == name and not crashes:
            crashes.append(reached)
            raise Crash

    first = Refactoring(Bench(database, tagged_schema(), checkpoint=checkpoint))
    templates = split(first)
    refactor = first.create(templates)
    before = {each: first.physical_ids(each) for each in templates}
    with pytest.raises(Crash):
        first.execute(refactor)
    second = Refactoring(Bench(database, tagged_schema()))
    second.bench.table.by_name["Acme::Web::Tagged"].inner = first.bench.table.by_name["Acme::Web::Tagged"].inner
    second.bench.engine.resume()
    assert second.describe(refactor["StackRefactorId"])["ExecutionStatus"] == "EXECUTE_IN_PROGRESS"
    second.refactors.resume()
    assert second.describe(refactor["StackRefactorId"])["ExecutionStatus"] == "EXECUTE_COMPLETE"
    assert second.physical_ids("other") == {
        "Z": before["other"]["Z"],
        "B": before["shop"]["B"],
        "C": before["shop"]["C"],
    }
    assert second.events("other").count(("B", "IMPORT_COMPLETE")) == 1
    tokens = {
        each.logical_id: {c.token for c in found if c.logical_id == each.logical_id}
        for b in (first, second)
        for found in [b.bench.table.by_name["Acme::Web::Tagged"].calls]
        for each in found
    }
    assert {len(each) for each in tokens.values()} == {1}


def test_a_creation_goes_on_after_a_crash(database):
    def checkpoint(reached):
        if reached == "refactor-validated":
            raise Crash

    first = Refactoring(Bench(database, checkpoint=checkpoint))
    first.bench.create(ONE)
    with pytest.raises(Crash):
        first.create({"shop": LEFT, "other": MOVED}, EnableStackCreation=True)
    second = Refactoring(Bench(database))
    (listed,) = second("ListStackRefactors")["StackRefactorSummaries"]
    assert (listed["Status"], listed["ExecutionStatus"]) == ("CREATE_IN_PROGRESS", "UNAVAILABLE")
    second.refactors.resume()
    found = second.describe(listed["StackRefactorId"])
    assert (found["Status"], found["ExecutionStatus"]) == ("CREATE_COMPLETE", "AVAILABLE")
    assert HERE.account in found["StackIds"][1]
