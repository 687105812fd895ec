"""Generated templates: their text, their warnings, their changes."""

import json

import pytest

from formwork.iac_generator import GeneratedTemplates, TemplateChange
from formwork.iac_generator.templates import WantedResource
from formwork.provisioning import HandlerCall
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench

THING = "Acme::Web::Thing"


@pytest.fixture
def bench(database):
    bench = Bench(database)
    bench.generated = GeneratedTemplates(bench.engine, bench.work)
    return bench


def make(bench, **model):
    bench.serial = getattr(bench, "serial", 0) + 1
    return (
        bench.table.by_name[THING].invoke(HandlerCall(action="CREATE", desired=model, token=f"t{bench.serial}")).model
    )


def wanted(model, logical_id=None):
    return WantedResource(type=THING, identifier={"Id": model["Id"]}, logical_id=logical_id)


def create(bench, *resources, name="app", stack=None, **more):
    made = bench.generated.create(HERE, TemplateChange(name=name, add=resources, **more), stack)
    return bench.generated.describe(HERE, made.arn)


def update(bench, **change):
    return bench.generated.describe(HERE, bench.generated.update(HERE, "app", TemplateChange(**change)).arn)


def test_a_template_has_the_resources_as_they_are_read(bench):
    model = make(bench, Name="one", Color="red", Secret="hush")
    done = create(bench, wanted(model))
    logical_id = f"WebThing{model['Id'].replace('-', '')}"
    assert (done.status, done.reason, [each.status for each in done.resources]) == ("COMPLETE", None, ["COMPLETE"])
    assert done.body == {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Metadata": {"AWSToolsMetrics": {"IaC_Generator": done.arn}},
        "Resources": {
            logical_id: {
                "Type": THING,
                "UpdateReplacePolicy": "Retain",
                "DeletionPolicy": "Retain",
                "Properties": {"Name": "one", "Color": "red"},
            }
        },
    }
    [warning] = done.resources[0].warnings
    assert warning.kind == "UNSUPPORTED_PROPERTIES"
    assert warning.properties == ({"path": "Secret", "required": False, "description": ""},)
    assert "hush" not in json.dumps(done.to_value())


def test_resources_refer_to_each_other_and_never_in_a_circle(bench):
    one = make(bench, Name="one")
    two = make(bench, Name="two", Of=one["Arn"], Color=one["Id"])
    changed = HandlerCall(action="UPDATE", desired={**one, "Of": two["Id"]}, previous=one, token="u")
    bench.table.by_name[THING].invoke(changed)
    done = create(bench, wanted(two, "Two"), wanted(one, "One"))
    properties = {name: each["Properties"] for name, each in done.body["Resources"].items()}
    assert properties["Two"] == {"Name": "two", "Of": {"Fn::GetAtt": ["One", "Arn"]}, "Color": {"Ref": "One"}}
    assert properties["One"]["Of"] == two["Id"]


def test_a_template_that_begins_with_a_stacks(bench):
    bench.create("Resources: {Mine: {Type: Acme::Web::Thing, Properties: {Name: !Sub '${AWS::StackName}-a'}}}")
    done = create(bench, wanted(make(bench, Name="one"), "Other"), stack="shop")
    assert done.stack == bench.engine.lookups.describe_stack(HERE, "shop").arn
    assert set(done.body["Resources"]) == {"Mine", "Other"}
    assert done.body["Resources"]["Mine"]["Properties"] == {"Name": {"Fn::Sub": "${AWS::StackName}-a"}}
    with pytest.raises(StackError, match="Duplicate logical resource id Mine"):
        create(bench, wanted(make(bench, Name="two"), "Mine"), name="b", stack="shop")
    with pytest.raises(StackError, match="does not exist"):
        create(bench, name="c", stack="nothing")


def test_changes(bench):
    one, two = make(bench, Name="one", Color="red"), make(bench, Name="two")
    create(bench, wanted(one, "One"), deletion_policy="DELETE")
    done = update(bench, name="renamed", add=[wanted(two, "Two")], update_replace_policy="DELETE")
    assert (done.name, done.status, list(done.body["Resources"])) == ("renamed", "COMPLETE", ["One", "Two"])
    assert {each["DeletionPolicy"] for each in done.body["Resources"].values()} == {"Delete"}
    assert {each["UpdateReplacePolicy"] for each in done.body["Resources"].values()} == {"Delete"}
    bench.generated.update(HERE, "renamed", TemplateChange(name="app", remove=["Two"]))
    thing = bench.table.by_name[THING]
    thing.invoke(HandlerCall(action="UPDATE", desired={**one, "Color": "blue"}, previous=one, token="u"))
    assert update(bench).body["Resources"]["One"]["Properties"]["Color"] == "red", (
        "it is read again only when asked for"
    )
    done = update(bench, refresh=True)
    assert list(done.body["Resources"]) == ["One"]
    assert done.body["Resources"]["One"]["Properties"]["Color"] == "blue"
    bench.generated.delete(HERE, done.arn)
    assert bench.generated.list_templates(HERE) == []


def test_resources_that_cannot_be_read_fail_the_template_which_keeps_its_text(bench):
    create(bench, wanted(make(bench, Name="one"), "One"))
    gone = WantedResource(type=THING, identifier={"Id": "thing-00000000"}, logical_id="Gone")
    named = WantedResource(type=THING, identifier={"Name": "one"}, logical_id="Named")
    strange = WantedResource(type="Acme::Web::Nothing", identifier={"Id": "1"}, logical_id="Strange")
    done = update(bench, add=[gone, named, strange])
    assert (done.status, done.reason) == ("FAILED", "See template resources for details of the failure.")
    reasons = {each.logical_id: each.reason for each in done.resources}
    assert reasons["One"] is None
    assert reasons["Gone"].startswith("NotFound: ")
    assert reasons["Named"] == f"The identifier of a {THING} is [Id]"
    assert reasons["Strange"] == "Resource type Acme::Web::Nothing is not supported"
    assert list(done.body["Resources"]) == ["One"]


def test_requests_that_are_refused(bench):
    one = make(bench, Name="one")
    create(bench, wanted(one, "One"))
    create(bench, name="other")
    codes = {
        "AlreadyExistsException": lambda: create(bench),
        "GeneratedTemplateNotFound": lambda: bench.generated.describe(HERE, "none"),
        "LimitExceededException": lambda: create(
            bench, *(WantedResource(type=THING, identifier={"Id": str(n)}) for n in range(501)), name="big"
        ),
    }
    for code, call in codes.items():
        with pytest.raises(StackError) as caught:
            call()
        assert caught.value.code == code
    with pytest.raises(StackError) as caught:
        update(bench, name="other")
    assert caught.value.code == "AlreadyExistsException"
    for change in ({"remove": ["Two"]}, {"add": [wanted(one)]}, {"add": [wanted(make(bench, Name="x"), "not-so")]}):
        with pytest.raises(StackError) as caught:
            update(bench, **change)
        assert caught.value.code == "ValidationError"


def test_five_templates_are_made_at_once_and_none_of_them_changes_meanwhile(bench):
    start, bench.work.start = bench.work.start, lambda *_arguments: None
    model = make(bench, Name="one")
    for number in range(5):
        create(bench, wanted(model), name=f"t{number}")
    for call in (
        lambda: create(bench, name="sixth"),
        lambda: bench.generated.update(HERE, "t1", TemplateChange()),
        lambda: bench.generated.delete(HERE, "t1"),
    ):
        with pytest.raises(StackError) as caught:
            call()
        assert (caught.value.code, caught.value.status) == ("ConcurrentResourcesLimitExceeded", 429)
    assert bench.generated.describe(HERE, "t1").body is None
    bench.work.start = start
    bench.generated.resume()
    assert {each.status for each in bench.generated.list_templates(HERE)} == {"COMPLETE"}
