"""Change sets: what no recording shows."""

import pytest

from formwork.documents import parse_document
from formwork.engine.changes import Replacement, StackSide, TypeTraits, compute_changes
from formwork.engine.changes.differences import find_differences, shown
from formwork.template import read_template
from formwork.template.evaluation import UNKNOWN, Environment
from support.stacks import deploy

TRAITS = TypeTraits(create_only=(("Name",), ("Net", "Zone")), conditional_create_only=(("Size",),))


def side(text, *, tags=None, **parameters):
    found = read_template(parse_document(text, name="t.yaml", short_tags=True))
    assert found.template is not None, found.diagnostics
    return StackSide(found.template, Environment(parameters), given=parameters, tags=tags or {})


def thing(properties="{}", more=""):
    return f"Resources:\n  A:\n    Type: Acme::A::Thing\n    Properties: {properties}\n{more}"


def update(before, after, traits=TRAITS):
    return compute_changes(before, after, deploy(before, lambda name, _: f"{name}-1"), lambda _: traits)


@pytest.mark.parametrize(
    ("before", "after", "replacement", "path", "kind"),
    [
        ("{Color: red}", "{Color: blue}", "False", "/Properties/Color", "Modify"),
        ("{}", "{Color: blue}", "False", "/Properties/Color", "Add"),
        ("{Color: red}", "{}", "False", "/Properties/Color", "Remove"),
        ("{Name: a}", "{Name: b}", "True", "/Properties/Name", "Modify"),
        ("{Net: {Zone: a, Rate: 1}}", "{Net: {Zone: a, Rate: 2}}", "False", "/Properties/Net/Rate", "Modify"),
        ("{Net: {Zone: a}}", "{Net: {Zone: b}}", "True", "/Properties/Net/Zone", "Modify"),
        ("{Size: 1}", "{Size: 2}", "Conditional", "/Properties/Size", "Modify"),
        ("{Tags: [{Key: a, Value: b}]}", "{Tags: [{Key: a, Value: c}]}", "False", "/Properties/Tags/0/Value", "Modify"),
        ("{Tags: [x]}", "{Tags: [x, y]}", "False", "/Properties/Tags", "Modify"),
    ],
)
def test_a_property(before, after, replacement, path, kind):
    (change,) = update(side(thing(before)), side(thing(after))).with_values
    assert (change.action, change.replacement, change.scope) == ("Modify", replacement, ("Properties",))
    assert [(each.path, each.change_type) for each in change.details] == [(path, kind)]
    assert (change.policy_action is None) == (replacement == "False")


def test_a_type_that_cannot_be_updated_is_replaced():
    changes = update(side(thing("{Color: red}")), side(thing("{Color: blue}")), TypeTraits(updatable=False))
    assert changes.plain[0].replacement is Replacement.TRUE


def test_numbers_and_the_texts_of_numbers_are_the_same():
    changes = update(side(thing("{Count: 5, On: true}")), side(thing('{Count: "5", On: "true"}')))
    assert changes.plain == changes.with_values == ()


@pytest.mark.parametrize("how", ["!Sub 'to ${P}'", "!Sub ['to ${x}', {x: !Ref P}]", "!Ref P"])
def test_a_parameter_that_is_new(how):
    declared = "Parameters: {P: {Type: String, Default: blue}}\n"
    changes = update(side(thing("{Color: red}")), side(declared + thing(f"{{Color: {how}}}"), P="blue"))
    for change in (*changes.plain, *changes.with_values):
        found = {(each.source, each.evaluation, each.causing_entity) for each in change.details}
        assert found == {("DirectModification", "Dynamic", None), ("ParameterReference", "Static", "P")}


def test_attributes_beside_the_properties():
    before = side(thing("{}", "    DeletionPolicy: Delete\n"))
    after = side(thing("{}", "    DeletionPolicy: Retain\n    Metadata: {a: 1}\n"))
    (change,) = update(before, after).plain
    assert change.scope == ("DeletionPolicy", "Metadata")
    assert {(each.source, each.recreation, each.name) for each in change.details} == {
        ("DirectModification", "Never", None)
    }


def test_tags_of_the_stack():
    before, after = side(thing()), side(thing(), tags={"team": "a"})
    (change,) = update(before, after).plain
    assert change.scope == ("Tags",)
    assert update(before, after, TypeTraits(taggable=False)).plain == ()


def test_policies_of_what_goes():
    before = side(thing("{Name: a}", "    DeletionPolicy: Retain\n    UpdateReplacePolicy: Snapshot\n"))
    gone = side("Resources: {B: {Type: Acme::A::Thing}}")
    assert [(each.action, each.policy_action) for each in update(before, gone).plain] == [
        ("Remove", "Retain"),
        ("Add", None),
    ]
    after = side(thing("{Name: b}", "    DeletionPolicy: Retain\n    UpdateReplacePolicy: Snapshot\n"))
    assert update(before, after).plain[0].policy_action == "ReplaceAndSnapshot"


def test_what_might_need_a_replacement_is_conditional():
    text = """
    Resources:
      A: {Type: Acme::A::Thing, Properties: {Color: %s}}
      B: {Type: Acme::A::Thing, Properties: {Name: !GetAtt A.Color}}
    """
    changes = update(side(text % "red"), side(text % "blue"))
    assert [(each.logical_id, each.replacement) for each in changes.plain] == [("A", "False"), ("B", "Conditional")]
    assert [each.logical_id for each in changes.with_values] == ["A"]


def test_differences_of_values_that_are_not_known():
    (found,) = find_differences({"a": [1, "x"]}, {"a": [1, UNKNOWN]})
    assert (found.path, found.after) == (("a", 1), UNKNOWN)
    assert shown(UNKNOWN) == "{{changeSet:KNOWN_AFTER_APPLY}}"
    assert shown({"a": [True, 1]}) == '{"a":["true","1"]}'
