"""Acceptance tests of a type, a hook, a module and an application, and ten faults of each that its contract tests miss.

Each `accept_*` is what an author would write; it passes for the correct subject, and fails for each of its faults.
"""

import copy
import html
from typing import ClassVar

from formwork.testing import HandlerFailure
from support.shelves import SCHEMA, Shelf, SmallShelves

# The type


class Bookcase(Shelf):
    """A shelf in a room, which it can't leave."""

    schema: ClassVar = {
        **SCHEMA,
        "properties": {**SCHEMA["properties"], "Room": {"type": "string"}},
        "createOnlyProperties": ["/properties/Name", "/properties/Room"],
    }


TYPE_TEMPLATE = """
Parameters:
  Size: {Type: Number, Default: 1}
  Label: {Type: String, Default: to read}
  Room: {Type: String, Default: a}
Resources:
  Shelf:
    Type: Acme::Books::Shelf
    Properties: {Name: !Sub "novels-${Room}", Size: !Ref Size, Label: !Ref Label, Room: !Ref Room}
  Other:
    Type: Acme::Books::Shelf
    Properties: {Name: poems, Size: 2}
Outputs:
  Arn: {Value: !GetAtt Shelf.Arn, Export: {Name: shelf-arn}}
"""


def accept_type(cloudformation, version, following=None):
    shelves = version()
    cloudformation.register(shelves)
    shop = cloudformation.deploy(TYPE_TEMPLATE, stack="shop")
    shop.expect_in_place("Shelf")
    shop.update(parameters={"Size": 6, "Label": "poems & plays"})
    shop.expect_replacement("Shelf")
    shop.expect_changed_output("Arn")
    shop.update(parameters={"Room": "b"})
    shop.rollback(parameters={"Size": 8})
    following = (following or type("Following", (version,), {}))()
    following.kept = shelves.kept
    shop.expect_in_place("Shelf")
    shop.upgrade(following, parameters={"Size": 7})
    shop.delete()
    assert shelves.kept == {}


class EverySizeReplaces(Bookcase):
    schema: ClassVar = {
        **Bookcase.schema,
        "createOnlyProperties": [f"/properties/{n}" for n in ("Name", "Room", "Size")],
    }


class EscapesLabels(Bookcase):
    def keep(self, model):
        return super().keep({**model, **({"Label": html.escape(model["Label"])} if "Label" in model else {})})


class CannotDeleteFullShelves(Bookcase):
    def delete(self, model):
        if self.find(model).get("Size", 0) > 5:
            raise HandlerFailure("InvalidRequest", "the shelf is not empty")
        super().delete(model)


class LeavesFullShelves(Bookcase):
    def delete(self, model):
        if self.find(model).get("Size", 0) <= 5:
            super().delete(model)


class MarksFullShelves(Bookcase):
    def keep(self, model):
        kept = super().keep(model)
        kept["Arn"] += ":full" if model.get("Size", 0) > 5 else ""
        return kept


class ListsFreeShelves(Bookcase):
    def list(self, model):
        return [each for each in super().list(model) if each.get("Size", 0) <= 5]


class NeverShrinks(Bookcase):
    def update(self, model, previous):
        least = previous.get("Size", 0) if previous.get("Size", 0) > 7 else 0
        return super().update({**model, **({"Size": max(model["Size"], least)} if "Size" in model else {})}, previous)


class LosesTheLabel(Bookcase):
    def update(self, model, previous):
        kept = super().update(model, previous)
        if model.get("Size", 0) > 5:
            kept.pop("Label", None)
        return kept


class ForgetsNames(Bookcase):
    """The next version: it keeps its resources under other keys."""

    def create(self, model):
        if model["Name"].upper() in self.kept:
            raise HandlerFailure("AlreadyExists")
        return self.keep(model)

    def keep(self, model):
        self.kept[model["Name"].upper()] = {**model, "Arn": f"arn:acme:{model['Name']}"}
        return self.kept[model["Name"].upper()]

    def find(self, model):
        return super().find({"Name": model["Name"].upper()})

    def delete(self, model):
        self.find(model)
        del self.kept[model["Name"].upper()]


class UpgradeReplaces(Bookcase):
    """The next version: what could be changed in place can't any more."""

    schema: ClassVar = EverySizeReplaces.schema


TYPE_FAULTS = {
    "every size replaces": (EverySizeReplaces, None, "Shelf is replaced by this change set; an update in place was"),
    "labels are escaped": (EscapesLabels, None, "Shelf drifts right after the operation: MODIFIED"),
    "a full shelf cannot be deleted": (CannotDeleteFullShelves, None, "the shelf is not empty"),
    "a full shelf is left": (LeavesFullShelves, None, "Shelf is left after the stack's deletion|is left"),
    "the export marks full shelves": (MarksFullShelves, None, "the export shelf-arn changed"),
    "LIST misses full shelves": (ListsFreeShelves, None, "is not in the answer of its LIST handler"),
    "a rollback does not shrink": (NeverShrinks, None, "/Size"),
    "an update loses the label": (LosesTheLabel, None, "/Label"),
    "an upgrade forgets names": (Bookcase, ForgetsNames, "drifts right after the operation: DELETED"),
    "an upgrade replaces": (Bookcase, UpgradeReplaces, "AlreadyExists|was replaced"),
}

# The hook

HOOK_TEMPLATE = """
Parameters:
  Size: {Type: Number, Default: 5}
  Label: {Type: String, Default: to read}
Resources:
  Shelf: {Type: Acme::Books::Shelf, Properties: {Name: novels, Size: !Ref Size, Label: !Ref Label}}
  Empty: {Type: Acme::Books::Shelf, Properties: {Name: empty}}
"""


def accept_hook(cloudformation, version):
    cloudformation.register(Shelf)
    hook = cloudformation.register(version, configuration={"Most": 5})
    cloudformation.expect_refused(by=hook, match="Shelf has more than 5 books")
    cloudformation.deploy(HOOK_TEMPLATE, stack="big", parameters={"Size": 40})
    shop = cloudformation.deploy(HOOK_TEMPLATE, stack="shop")
    shop.expect_refused(by=hook)
    shop.update(parameters={"Size": 6})
    shop.update(parameters={"Size": 4})
    cloudformation.configure(hook.type_name, {"Most": 20})
    shop.update(parameters={"Size": 12})
    cloudformation.configure(hook.type_name, {"Most": 5})
    shop.expect_refused(by=hook)
    shop.update(parameters={"Size": 11})
    shop.update(parameters={"Size": 3})
    shop.delete()


class LooksAtLabels(SmallShelves):
    def pre_update(self, call):
        if call.properties.get("Label") != call.previous.get("Label"):
            super().pre_create(call)


class NoConfiguration(SmallShelves):
    def pre_create(self, call):
        super().pre_create(_with(call, configuration={}))

    pre_update = pre_create


class OffByOne(SmallShelves):
    def pre_create(self, call):
        size = int(call.properties.get("Size", 0))
        super().pre_create(_with(call, properties={**call.properties, "Size": size + 1}))

    pre_update = pre_create


class ComparesTexts(SmallShelves):
    def pre_create(self, call):
        if str(call.properties.get("Size", 0)) > str(call.configuration.get("Most", 10)):
            super().pre_create(_with(call, properties={"Size": 10**6}))

    pre_update = pre_create


class SaysNothing(SmallShelves):
    def pre_create(self, call):
        super().pre_create(_with(call, logical_id="It"))

    pre_update = pre_create


class NeedsASize(SmallShelves):
    def pre_create(self, call):
        super().pre_create(_with(call, properties={"Size": call.properties["Size"]}))

    pre_update = pre_create


class OtherTarget(SmallShelves):
    targets = ("Acme::Books::Case",)


class ForgivesLargeShelves(SmallShelves):
    def pre_update(self, call):
        if int(call.previous.get("Size", 0)) <= 10:
            super().pre_create(call)


class RefusesDeletion(SmallShelves):
    def pre_delete(self, call):
        if "Size" not in call.properties:
            super().pre_create(_with(call, properties={"Size": 10**6}))


class RefusesShrinking(SmallShelves):
    def pre_update(self, call):
        if int(call.properties.get("Size", 0)) < int(call.previous.get("Size", 0)):
            super().pre_create(_with(call, properties={"Size": 10**6}))
        super().pre_create(call)


def _with(call, **changes):
    import dataclasses

    return dataclasses.replace(call, **changes)


HOOK_FAULTS = {
    "updates of the size alone pass": LooksAtLabels,
    "the configuration is ignored": NoConfiguration,
    "the limit is off by one": OffByOne,
    "numbers are compared as texts": ComparesTexts,
    "the message names nothing": SaysNothing,
    "a missing size is an error": NeedsASize,
    "another type is its target": OtherTarget,
    "a shelf that is too large stays so": ForgivesLargeShelves,
    "deletions of shelves without a size are refused": RefusesDeletion,
    "smaller sizes are refused": RefusesShrinking,
}

# The module

FRAGMENT = {
    "Parameters": {"Label": {"Type": "String"}, "Size": {"Type": "Number", "Default": 3}},
    "Resources": {
        "One": {
            "Type": "Acme::Books::Shelf",
            "Properties": {"Name": {"Fn::Sub": "${Label}-1"}, "Size": {"Ref": "Size"}, "Label": {"Ref": "Label"}},
        },
        "Two": {"Type": "Acme::Books::Shelf", "Properties": {"Name": {"Fn::Sub": "${Label}-2"}, "Size": 1}},
    },
}
MODULE_TEMPLATE = {
    "Parameters": {"Size": {"Type": "Number", "Default": 2}},
    "Resources": {
        "Novels": {
            "Type": "Acme::Books::Pair::MODULE",
            "Properties": {"Label": "novels", "Size": {"Ref": "Size"}},
        },
        "Poems": {"Type": "Acme::Books::Pair::MODULE", "Properties": {"Label": "poems"}},
    },
    "Outputs": {"One": {"Value": {"Fn::GetAtt": ["Novels.One", "Arn"]}, "Export": {"Name": "novels"}}},
}


def accept_module(cloudformation, fragment, following=FRAGMENT):
    shelves = Shelf()
    cloudformation.register(shelves)
    cloudformation.register_module("Acme::Books::Pair::MODULE", fragment)
    shop = cloudformation.deploy(MODULE_TEMPLATE, stack="shop")
    assert shop.outputs == {"One": "arn:acme:novels-1"}
    sizes = {name: each.properties["Size"] for name, each in shop.resources.items()}
    assert sizes == {"NovelsOne": 2, "NovelsTwo": 1, "PoemsOne": 3, "PoemsTwo": 1}
    assert shop.resources["PoemsOne"].properties["Label"] == "poems"
    shop.expect_in_place("NovelsOne")
    shop.update(parameters={"Size": 4})
    assert {change.logical_id for change in shop.plan} == {"NovelsOne"}
    cloudformation.register_module("Acme::Books::Pair::MODULE", following)
    shop.expect_in_place("NovelsOne")
    shop.update(parameters={"Size": 5})
    shop.delete()
    assert shelves.kept == {}


def _fragment(**changes):
    """The fragment with values at paths such as `Resources__One__Properties__Size`; None removes one."""
    made = copy.deepcopy(FRAGMENT)
    for path, value in changes.items():
        *steps, last = path.split("__")
        at = made
        for step in steps:
            at = at[step]
        if value is None:
            del at[last]
        else:
            at[last] = value
    return made


def _renamed():
    made = _fragment()
    made["Resources"]["First"] = made["Resources"].pop("One")
    return made


MODULE_FAULTS = {
    "a parameter is not wired": (_fragment(Resources__One__Properties__Size=3), FRAGMENT),
    "the name is fixed": (_fragment(Resources__Two__Properties__Name="shelf"), FRAGMENT),
    "the default is another one": (_fragment(Parameters__Size__Default=1), FRAGMENT),
    "the label is the size": (_fragment(Resources__One__Properties__Label={"Ref": "Size"}), FRAGMENT),
    "the name depends on the size": (
        _fragment(Resources__One__Properties__Name={"Fn::Sub": "${Label}-${Size}"}),
        FRAGMENT,
    ),
    "the second changes, too": (_fragment(Resources__Two__Properties__Size={"Ref": "Size"}), FRAGMENT),
    "a resource is retained": (_fragment(Resources__One__DeletionPolicy="Retain"),) * 2,
    "a resource is missing": (_fragment(Resources__Two=None), FRAGMENT),
    "the next version renames a resource": (FRAGMENT, _renamed()),
    "the next version names resources otherwise": (
        FRAGMENT,
        _fragment(Resources__One__Properties__Name={"Fn::Sub": "${Label}-one"}),
    ),
}

# The application

APPLICATION = {
    "Parameters": {
        "Stage": {"Type": "String", "Default": "test", "AllowedValues": ["test", "live"]},
        "Size": {"Type": "Number", "Default": 2},
    },
    "Conditions": {"Live": {"Fn::Equals": [{"Ref": "Stage"}, "live"]}},
    "Resources": {
        "Shelf": {
            "Type": "Acme::Books::Shelf",
            "Properties": {"Name": {"Fn::Sub": "${Stage}-novels"}, "Size": {"Ref": "Size"}},
        },
        "Orders": {"Type": "AWS::SQS::Queue", "Properties": {"VisibilityTimeout": 60}},
        "News": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Shelf"}}},
        "Backup": {"Type": "AWS::S3::Bucket", "Condition": "Live"},
    },
    "Outputs": {
        "Shelf": {"Value": {"Fn::GetAtt": ["Shelf", "Arn"]}, "Export": {"Name": {"Fn::Sub": "${Stage}-shelf"}}},
        "Orders": {"Value": {"Ref": "Orders"}},
    },
}


def accept_application(cloudformation, template, following=APPLICATION):
    shelves = Shelf()
    cloudformation.register(shelves)
    hook = cloudformation.register(SmallShelves)
    shop = cloudformation.deploy(template, stack="shop")
    assert shop.exports == {"test-shelf": "arn:acme:test-novels"}
    assert set(shop.resources) == {"Shelf", "Orders", "News"}
    assert str(shop.resources["Orders"].properties["VisibilityTimeout"]) == "60"
    assert shop.resources["News"].properties["DisplayName"] == "test-novels"
    shop.expect_in_place("Shelf")
    shop.update(parameters={"Size": 3})
    shop.expect_refused(by=hook)
    shop.update(parameters={"Size": 11})
    shop.expect_in_place("Shelf")
    shop.update(following, parameters={"Size": 4})
    assert set(shop.outputs) == {"Shelf", "Orders"}
    live = cloudformation.deploy(template, stack="live", parameters={"Stage": "live"})
    assert "Backup" in live.resources
    live.delete()
    shop.delete()
    assert shelves.kept == {}


def _application(**changes):
    made = copy.deepcopy(APPLICATION)
    for path, value in changes.items():
        *steps, last = path.split("__")
        at = made
        for step in steps:
            at = at[step]
        if value is None:
            del at[last]
        else:
            at[last] = value
    return made


def _moved():
    made = _application(Outputs__Shelf=None)
    made["Resources"]["Novels"] = made["Resources"].pop("Shelf")
    made["Resources"]["News"]["Properties"]["DisplayName"] = {"Ref": "Novels"}
    made["Outputs"]["Shelf"] = {"Value": {"Fn::GetAtt": ["Novels", "Arn"]}}
    return made


APPLICATION_FAULTS = {
    "the name is the same in each stage": (_application(Resources__Shelf__Properties__Name="novels"), APPLICATION),
    "the condition is the wrong way round": (
        _application(Conditions__Live={"Fn::Equals": [{"Ref": "Stage"}, "test"]}),
        APPLICATION,
    ),
    "the size does not arrive": (_application(Resources__Shelf__Properties__Size=2), APPLICATION),
    "the name depends on the size": (
        _application(Resources__Shelf__Properties__Name={"Fn::Sub": "${Stage}-novels-${Size}"}),
        APPLICATION,
    ),
    "the shelf is retained": (_application(Resources__Shelf__DeletionPolicy="Retain"), APPLICATION),
    "the topic names another resource": (
        _application(Resources__News__Properties__DisplayName={"Ref": "Orders"}),
        APPLICATION,
    ),
    "the export is another value": (
        APPLICATION,
        _application(Outputs__Shelf__Value={"Fn::GetAtt": ["Orders", "QueueName"]}),
    ),
    "the next version renames a resource": (APPLICATION, _moved()),
    "the next version loses an output": (APPLICATION, _application(Outputs__Orders=None)),
    "the next version replaces": (
        APPLICATION,
        _application(Resources__Shelf__Properties__Name={"Fn::Sub": "${Stage}-books"}),
    ),
}
