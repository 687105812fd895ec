"""What hooks are called with: input files, overrides, models from schemas, and the origin that reports name."""

import json

import pytest

from formwork.contract.hook_inputs import HookInputs, stack_model
from formwork.contract.hook_targets import InvocationPoint, TargetUnderTest
from formwork.diagnostics import Location
from formwork.project.inputs import InputKind
from formwork.project.overrides import Override, Overrides
from support.hooks import BOX, target_schema

POINTS = {point.handler: point for point in InvocationPoint}
BOXES = TargetUnderTest(BOX, target_schema(BOX))
GOOD = {"resourceProperties": {"Name": "good"}}
BAD = {"resourceProperties": {"Name": "bad"}}
CHANGED = {**GOOD, "previousResourceProperties": {"Name": "before"}}
HANDLE = "AWS::CloudFormation::WaitConditionHandle"


def shown(cases):
    return [(each.model, each.known, each.origin) for each in cases]


@pytest.mark.parametrize(
    ("point", "kind"),
    [
        ("preCreate", InputKind.PRE_CREATE),
        ("preUpdate", InputKind.PRE_UPDATE),
        ("preDelete", InputKind.PRE_DELETE),
    ],
)
def test_a_file_says_what_passes_at_a_point(point, kind):
    inputs = HookInputs({kind: {BOX: CHANGED}})
    (case,) = inputs.compliant(POINTS[point], BOXES)
    assert shown([case]) == [(CHANGED, True, f"the {kind} input")]
    case.model["resourceProperties"] = None
    assert inputs.compliant(POINTS[point], BOXES)[0].model == CHANGED
    others = [each for each in POINTS.values() if each is not POINTS[point]]
    assert all(not each.known for other in others for each in inputs.compliant(other, BOXES))
    assert inputs.target_names == {BOX}


@pytest.mark.parametrize(
    ("point", "kind"),
    [
        ("preCreate", InputKind.INVALID_PRE_CREATE),
        ("preUpdate", InputKind.INVALID_PRE_UPDATE),
        ("preDelete", InputKind.INVALID_PRE_DELETE),
    ],
)
def test_a_file_says_what_a_point_refuses(point, kind):
    bad = {**BAD, "previousResourceProperties": {"Name": "x"}}
    both = HookInputs({kind: {BOX: bad}, InputKind.INVALID: {BOX: GOOD}})
    assert shown(both.non_compliant(POINTS[point], BOXES)) == [(bad, True, f"the {kind} input")]
    for_any = HookInputs({InputKind.INVALID: {BOX: bad}})
    assert shown(for_any.non_compliant(POINTS[point], BOXES)) == [(bad, True, f"the {InputKind.INVALID} input")]
    other = TargetUnderTest("Acme::Other::Thing", None)
    assert both.non_compliant(POINTS[point], other) == []


@pytest.mark.parametrize(
    ("files", "before"),
    [
        ({InputKind.PRE_UPDATE: {BOX: {"resourceProperties": {"Name": "updated"}}}}, {"Name": "updated"}),
        ({InputKind.PRE_CREATE: {BOX: GOOD}}, {"Name": "good"}),
        ({InputKind.PRE_CREATE: {"Acme::Other::Thing": GOOD}}, {"Name": "bad"}),
        ({InputKind.PRE_CREATE: "text"}, {"Name": "bad"}),
        ({}, {"Name": "bad"}),
    ],
)
def test_an_invalid_update_is_a_change_of_what_passes(files, before):
    inputs = HookInputs({InputKind.INVALID: {BOX: BAD}, **files})
    assert shown(inputs.non_compliant(POINTS["preUpdate"], BOXES)) == [
        (
            {**BAD, "previousResourceProperties": before},
            False,
            f"the {InputKind.INVALID} input, as a change of what should pass",
        )
    ]
    assert shown(inputs.non_compliant(POINTS["preDelete"], BOXES)) == [(BAD, True, f"the {InputKind.INVALID} input")]


def override(action, value, *, part="resourceProperties", target=BOX, name="Name"):
    return Override(action, (name,), value, Location("overrides.json"), target, part)


def test_generated_models_are_valid_and_of_each_size():
    inputs = HookInputs(seed=3)
    for point in POINTS.values():
        cases = inputs.compliant(point, BOXES, more=2)
        assert [(each.known, each.origin) for each in cases] == [(False, "generated from the target's schema")] * 4
        sizes = [len(each.model["resourceProperties"]) for each in cases]
        assert max(sizes) == sizes[0]
        assert min(sizes) == sizes[1]
        for each in cases:
            names = {"resourceProperties"} | ({"previousResourceProperties"} if point.handler == "preUpdate" else set())
            assert set(each.model) == names
            assert not BOXES.schema.validate_model(each.model["resourceProperties"])
        assert cases[0].model.get("previousResourceProperties") != cases[0].model["resourceProperties"]
        assert len(inputs.compliant(point, BOXES)) == 3
        assert inputs.compliant(point, BOXES, more=2) == cases
        assert HookInputs(seed=4).compliant(point, BOXES, more=2) != cases
        assert inputs.non_compliant(point, BOXES) == []
    assert inputs.target_names == frozenset()


def test_without_a_schema_nothing_is_generated():
    unknown = TargetUnderTest("Acme::Other::Thing", None)
    given = HookInputs(overrides=Overrides((override("CREATE_PRE_PROVISION", "x", target=unknown.name),), ()))
    for inputs in (HookInputs(), given):
        assert inputs.compliant(POINTS["preCreate"], unknown) == []
        assert inputs.non_compliant(POINTS["preCreate"], unknown) == []


def test_overrides_say_what_passes_and_what_does_not():
    values = (
        override("CREATE_PRE_PROVISION", "good"),
        override("UPDATE_PRE_PROVISION", "old", part="previousResourceProperties"),
        override("INVALID_CREATE_PRE_PROVISION", "bad"),
        override("DELETE_PRE_PROVISION", "other", target="Acme::Other::Thing"),
    )
    inputs = HookInputs(overrides=Overrides(values, ()), seed=3)
    said = "generated from the target's schema with the overrides"
    created = inputs.compliant(POINTS["preCreate"], BOXES)
    assert [(each.model["resourceProperties"]["Name"], each.known, each.origin) for each in created] == [
        ("good", True, said)
    ] * 3
    for each in inputs.compliant(POINTS["preUpdate"], BOXES):
        assert each.model["previousResourceProperties"]["Name"] == "old"
        assert each.known
    assert {each.known for each in inputs.compliant(POINTS["preDelete"], BOXES)} == {False}
    (refused,) = inputs.non_compliant(POINTS["preCreate"], BOXES)
    assert (refused.model["resourceProperties"]["Name"], refused.known) == ("bad", True)
    assert refused.origin == "the overrides for INVALID"
    assert len(refused.model["resourceProperties"]) == len(created[0].model["resourceProperties"])
    assert inputs.non_compliant(POINTS["preDelete"], BOXES) == []


@pytest.mark.parametrize("name", ["STACK", "CHANGE_SET"])
def test_what_a_hook_on_whole_stacks_is_given(name):
    target = TargetUnderTest(name)
    for point, changing in (("preCreate", False), ("preUpdate", True), ("preDelete", False)):
        assert shown(HookInputs().compliant(POINTS[point], target)) == [
            (stack_model(changing=changing), False, "a generated template")
        ]
        assert HookInputs().non_compliant(POINTS[point], target) == []


@pytest.mark.parametrize("changing", [False, True])
def test_the_model_of_a_stack(changing):
    def template(version):
        return {"Resources": {"Handle": {"Type": HANDLE, "Metadata": {"Version": version}}}}

    model = stack_model(changing=changing)
    wanted = template(2 if changing else 1)
    assert {name: json.loads(model.pop(name)) for name in list(model) if name.endswith("Template")} == {
        "Template": wanted,
        "ResolvedTemplate": wanted,
        **({"PreviousTemplate": template(1)} if changing else {}),
    }
    assert model == {
        "ChangedResources": [
            {
                "LogicalResourceId": "Handle",
                "ResourceType": HANDLE,
                "LineNumber": 1,
                "ResourceProperties": "{}",
                "Action": "UPDATE" if changing else "CREATE",
            }
        ]
    }
