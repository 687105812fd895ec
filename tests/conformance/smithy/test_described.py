"""Facts that the reference's own tests state about models in code, here case by case."""

import pytest

from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.load import load_paths, load_texts
from formwork.smithy.validate import validate
from support.corpus import needs_fixtures
from support.smithy import SMITHY, assert_same_ast, breaking, read_text, smithy_cases

pytestmark = needs_fixtures
FOLDER = SMITHY / "model-loader-valid"
CASES = {case.id: case for case in smithy_cases("model-loader-valid", "described")}


def texts(*names):
    return [(name, read_text(FOLDER / name)) for name in names]


def load(*names):
    return load_texts(texts(*names))


def judged(loaded):
    return validate(loaded.model, after=loaded.events)


def errors(loaded):
    return [event.message for event in loaded.events if event.severity == "ERROR"]


def test_recovery_at_a_trait():
    loaded = load("error-recovery/to-trait.smithy")
    shapes = loaded.model.shapes
    assert {"smithy.example#MyString", "smithy.example#MyInteger2"} <= shapes.keys()
    assert not {"smithy.example#MyFooIsBroken", "smithy.example#MyInteger"} & shapes.keys()
    expected = "Syntax error at line 9, column 9: Expected COLON(':') but found IDENTIFIER('MyInteger')"
    assert any(expected in each for each in errors(loaded))
    assert any("Unable to resolve trait" in each for each in errors(loaded))


def test_recovery_at_an_identifier():
    loaded = load("error-recovery/to-identifier.smithy")
    assert not loaded.model.shapes["smithy.example#MyString"].has_trait("externalDocumentation")
    assert any("Syntax error at line 6, column 28" in each for each in errors(loaded))


def test_recovery_at_a_control_statement():
    loaded = load("error-recovery/to-dollar.smithy")
    assert "smithy.example#MyInteger" in loaded.model.shapes
    assert any("Syntax error at line 1, column 5" in each for each in errors(loaded))


def test_recovery_in_metadata():
    loaded = load("error-recovery/in-metadata.smithy")
    assert loaded.model.metadata == dict.fromkeys(("valid1", "valid2", "valid3", "valid4"), "ok")
    assert sum("Syntax error" in each for each in errors(loaded)) == 4


def test_apply_and_use():
    loaded = load(*(f"assembler/apply-use-{number}.smithy" for number in (1, 2, 3)))
    traits = loaded.model.shapes["smithy.example#Foo"].traits
    assert {"smithy.example#bar", "smithy.example.b#baz"} <= traits.keys()


def test_names_of_two_namespaces():
    loaded = load("assembler/first-namespace.smithy", "assembler/second-namespace.smithy")
    assert breaking(judged(loaded)) == []


def test_unknown_types_leave_the_rest():
    loaded = load("assembler/invalid-shape-types.json")
    assert [event.message for event in loaded.events] == ["Invalid shape `type`: foobaz"]
    assert "example.namespace#String" in loaded.model.shapes


def test_conflicting_metadata():
    loaded = load("assembler/metadata-conflicts.json", "assembler/metadata-conflicts-2.json")
    assert sum("Metadata conflict for key `foo`" in event.message for event in loaded.events) == 1


def test_a_file_and_a_folder_make_one_model():
    nested = sorted(f"nested/{path.name}" for path in (FOLDER / "nested").glob("*.json"))
    loaded = load("assembler/main.json", *nested)
    shape = loaded.model.shapes["example.namespace#String"]
    assert {"smithy.api#sensitive", "smithy.api#documentation"} <= shape.traits.keys()
    metadata = loaded.model.metadata
    assert (metadata["foo"], metadata["bar"]) == ("baz", "qux")
    assert {"a", "b"} <= set(metadata["list"]) <= {"a", "b", "c"}
    assert (shape.place.position.line, shape.place.position.column) == (4, 37)
    foo = loaded.model.shapes["example.namespace#TaggedUnion"].members["foo"]
    assert (foo.place.position.line, foo.place.position.column) == (69, 24)


def test_mixins_override_in_order():
    loaded = load("mixins/mixins-can-override-traits.smithy")
    members = loaded.model.shapes["smithy.example#F"].members
    assert list(members) == ["a", "b", "c", "d", "e", "f"]
    assert members["a"].trait("documentation") == members["c"].trait("documentation") == "I've changed"
    assert members["c"].has_trait("internal")


def test_mixins_that_conflict():
    loaded = load("mixins/mixin-conflict-acceptable-1.smithy", "mixins/mixin-conflict-error.smithy")
    assert any("Conflicting shape definition for `smithy.example#A`" in each for each in errors(loaded))


def test_members_of_several_mixins():
    loaded = load("mixins/multiple-inheritance-with-introduction.smithy")
    member = loaded.model.shapes["com.example#FinalStructure"].members["member"]
    assert list(member.mixins) == ["com.example#MixinA$member", "com.example#MixinB$member"]
    assert member.traits.keys() == {"smithy.api#pattern", "smithy.api#required", "smithy.api#internal"}
    assert member.trait("pattern") == "baz"


def test_the_same_application_under_other_names():
    text = read_text(FOLDER / "mixins/apply-to-mixed-member.json")
    assert errors(load_texts([(f"{number}.json", text) for number in range(3)])) == []


def test_applications_from_another_namespace():
    first = texts("mixins/mixed-member.smithy")
    other = read_text(FOLDER / "mixins/member-apply-other-namespace.smithy")
    assert errors(load_texts([*first, ("a.smithy", other), ("b.smithy", other)])) == []


def test_errors_keep_their_order():
    loaded = load("assembler/forward-references-are-ordered.smithy")
    names = [each.partition("#")[2] for each in loaded.model.shapes["smithy.example#Example"].errors]
    assert names == [f"Error{number}" for number in range(1, 7)]


@pytest.mark.parametrize("name", ["needs-upgrade-document-node.json", "needs-downgrade-document-node.json"])
def test_defaults_of_both_versions(name):
    shapes = load(f"assembler/{name}").model.shapes
    named = {
        shape_id.partition("#")[2]: shape
        for shape_id, shape in shapes.items()
        if not shape_id.startswith("smithy.api#")
    }
    assert not named["BoxDouble"].has_trait("default")
    assert named["PrimitiveDouble"].has_trait("default")
    members = next(shape for shape in named.values() if shape.members and "boxed" in shape.members).members
    assert members["foo"].has_trait("default")
    assert not members["bar"].has_trait("default")
    assert members["boxed"].has_trait("default")
    assert members["boxed"].trait("default") is None


def test_boxing_doesnt_depend_on_the_order_of_files():
    first, second = texts("assembler/synthetic-boxing-1.smithy", "assembler/synthetic-boxing-2.smithy")
    models = [ast_of(load_texts(each).model) for each in ([first], [second], [first, second])]
    assert_same_ast(models[0], models[1])
    assert_same_ast(models[0], models[2])


def test_other_files_of_a_folder_are_left_alone():
    loaded = load_paths([FOLDER / "assembler-ignore-unrecognized-files"])
    assert "smithy.example#MyString" in loaded.model.shapes
    assert errors(loaded) == []


def test_empty_applications():
    assert errors(load("assembler/ast-empty-apply-1.json", "assembler/ast-empty-apply-2.json")) == []


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        (("private-resource.smithy", "cross-namespace-structure.smithy"), True),
        (("same-namespace-structure.smithy",), False),
        (("public-resource.smithy", "cross-namespace-public.smithy"), False),
    ],
)
def test_private_resources_lend_no_targets(names, refused):
    found = [
        each
        for each in judged(load(*(f"private-resource-elision/{name}" for name in names)))
        if each.id == "PrivateAccess"
    ]
    assert bool(found) == refused
    for event in found:
        assert event.severity == "DANGER"
        assert event.shape == "smithy.example#InvalidElidedStructure"
        assert "smithy.private#PrivateResource" in event.message


@pytest.mark.parametrize("kind", ["operation", "resource", "service", "structure", "collection"])
def test_mixins_of_every_type_in_the_ast(kind):
    loaded = load(f"mixins/{kind}-mixins.json")
    assert [str(event) for event in loaded.events if event.severity in ("WARNING", "ERROR")] == []


def test_events_are_suppressed():
    events = judged(load("assembler/core-events.smithy"))
    assert {event.severity for event in events} == {"SUPPRESSED"}
    assert sorted(event.id for event in events) == [
        "DeprecatedShape.smithy.example#MyOtherString",
        "DeprecatedShape.smithy.example#MyString",
    ]


def test_a_model_loaded_twice_is_the_same_model():
    once = load("assembler/dedupe-models.smithy")
    twice = load("assembler/dedupe-models.smithy", "assembler/dedupe-models.smithy")
    assert_same_ast(ast_of(twice.model), ast_of(once.model))


def test_validators_that_nobody_has():
    events = judged(load("assembler/loads-validators.smithy"))
    assert [(event.id, event.severity, event.message) for event in events if event.id.startswith("Unknown")] == [
        ("UnknownValidator_MyValidator", "WARNING", "Unable to locate a validator named `MyValidator`")
    ]


def test_defaults_of_version_1_outside_their_range():
    loaded = load("assembler/range-upgrade-1.0.smithy")
    events = judged(loaded)
    assert breaking(events) == []
    assert loaded.model.shapes["smithy.example#MyLong1"].trait("range")["min"] == 1
    (found,) = [
        each for each in events if each.id == "DefaultTrait.Target.InvalidRange" and each.shape.endswith("#MyLong1")
    ]
    assert "must be greater than or equal to 1" in found.message


def test_errors_of_an_operation_may_change_their_order():
    first = load("serialization/ast-serialization/out-of-order-errors.json")
    import json

    again = load_texts([("again.json", json.dumps(ast_of(first.model)))])
    assert_same_ast(ast_of(again.model), ast_of(first.model))


def test_a_bad_selector_of_a_validator_is_told():
    assert any("Syntax error" in event.message for event in judged(load("assembler/invalid-validation-selector.json")))
