from hypothesis import given
from hypothesis import strategies as st

from formwork.model import build_type_model, name_models, name_properties

OBJECT = {"type": "object", "properties": {"X": {"type": "string"}}}


def names_of(properties, reserved=(), **definitions):
    types = build_type_model({"properties": properties, "definitions": definitions}, reserved=reserved)
    return {each.path: each.name for each in types.models}


def test_the_nearest_meaningful_segment():
    found = names_of(
        {
            "foo": OBJECT,
            "Many": {"type": "array", "items": OBJECT},
            "Map": {"patternProperties": {"a/b": OBJECT}},
            "Ref": {"$ref": "#/definitions/Thing"},
        },
        Thing=OBJECT,
    )
    assert list(found.values()) == ["ResourceModel", "Foo", "Many", "Map", "Thing"]


def test_foo_and_Foo():
    assert list(names_of({"foo": OBJECT, "Foo": OBJECT}).values()) == ["ResourceModel", "Foo", "FooModel"]


def test_a_definition_keeps_its_name_against_an_inline_object():
    inner = {"type": "object", "properties": {"Rule": OBJECT}}
    found = names_of({"Policy": inner, "Other": {"$ref": "#/definitions/Rule"}}, Rule=OBJECT)
    assert found[("definitions", "Rule")] == "Rule"
    assert found[("properties", "Policy", "properties", "Rule")] == "PolicyRule"


def test_a_definition_called_like_the_root_or_a_reserved_word():
    found = names_of(
        {"A": {"$ref": "#/definitions/ResourceModel"}, "B": {"$ref": "#/definitions/Mapping"}, "C": {"$ref": "#/definitions/None"}},
        reserved={"Mapping", "None"},
        ResourceModel=OBJECT,
        Mapping=OBJECT,
        **{"None": OBJECT},
    )  # fmt: skip
    assert list(found.values()) == ["ResourceModel", "ResourceModel2", "MappingModel", "NoneModel"]


def test_properties():
    named = name_properties(
        ["None", "None_", "Class", "class", "2FA", "a-b", "a_b", "self"], reserved={"None", "class", "self"}
    )
    assert named == {
        "None": "None_2", "None_": "None_", "Class": "Class", "class": "class_",
        "2FA": "_2FA", "a-b": "a_b_", "a_b": "a_b", "self": "self_",
    }  # fmt: skip


WORDS = st.text("aAbB1_-é", max_size=3)


@given(st.lists(WORDS, unique=True), st.sets(WORDS))
def test_identifiers_are_unique_and_spell_what_can_be_spelled(names, reserved):
    named = name_properties(names, reserved=reserved)
    assert len(set(named.values())) == len(names)
    assert not reserved & set(named.values())
    assert all(each.isidentifier() for each in named.values())
    assert name_properties(names, reserved=reserved) == named


@given(st.lists(st.tuples(st.sampled_from(["definitions", "properties"]), WORDS), unique=True), st.sets(WORDS))
def test_model_names_are_unique(paths, reserved):
    named = name_models(paths, fixed={}, reserved=reserved)
    assert len(set(named.values())) == len(paths)
    assert not reserved & set(named.values())
    assert all(each.isidentifier() and each[0].isupper() for each in named.values())


def test_a_name_that_would_be_too_long_for_a_file_gets_a_number():
    long = "x" * 100
    paths = [("definitions", long), ("properties", long, "properties", long), ("properties", "a", "properties", long)]
    names = name_models(paths, fixed={}, reserved=())
    assert [*names.values()] == [f"X{long[1:]}", f"X{long[1:]}Model", f"AX{long[1:]}"]
    assert name_models([("definitions", "x" * 300)], fixed={}, reserved=()) == {
        ("definitions", "x" * 300): f"X{'x' * 114}"
    }


def test_names_without_a_letter_have_no_two_underscores_in_front_but_alone():
    names = ["日", "本", "名", "_"]
    assert name_properties(names, reserved=()) == {"日": "_", "本": "__", "名": "_2", "_": "_3"}
