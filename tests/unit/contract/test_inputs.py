"""Models to test with: overrides, what of a create an update keeps, names that resources share."""

import pytest

from formwork.contract.inputs import (
    GeneratedInputs,
    GivenInputs,
    InvalidInput,
    apply_overrides,
    create_only_changes,
    identities_of,
    keep_create_only,
)
from formwork.instances import Extent
from support.shapes import composite, generated, named, shape


@pytest.mark.parametrize(
    ("model", "overrides", "expected"),
    [
        ({"Title": "a"}, {}, {"Title": "a"}),
        ({"Title": "a"}, {("Title",): "b"}, {"Title": "b"}),
        ({}, {("Title",): "b"}, {"Title": "b"}),
        ({"Title": "a"}, {("Unknown",): "b", ("Size",): 4}, {"Title": "a", "Size": 4}),
        ({"Unknown": "a"}, {("Unknown",): "b"}, {"Unknown": "b"}),
        ({"Title": "a"}, {(): "b"}, {"Title": "a"}),
        ({}, {("Settings", "Note"): "x"}, {"Settings": {"Note": "x"}}),
        ({"Settings": {"Mode": "fast"}}, {("Settings", "Note"): "x"}, {"Settings": {"Mode": "fast", "Note": "x"}}),
        ({"Settings": 5}, {("Settings", "Note"): "x"}, {"Settings": {"Note": "x"}}),
        ({}, {("Colors", "0"): "red"}, {"Colors": ["red"]}),
        ({"Colors": ["a", "b"]}, {("Colors", "1"): "red"}, {"Colors": ["a", "red"]}),
        ({"Colors": ["a", "b"]}, {("Colors", "2"): "red"}, {"Colors": ["a", "b", "red"]}),
        ({"Colors": ["a", "b"]}, {("Colors", "3"): "red"}, {"Colors": ["a", "b"]}),
        ({"Colors": ["a", "b"]}, {("Colors", "x"): "red"}, {"Colors": ["a", "b"]}),
        ({"Colors": ["a"]}, {("Colors", "-1"): "red"}, {"Colors": ["a"]}),
        ({}, {("Tags", "0", "Key"): "k"}, {"Tags": [{"Key": "k"}]}),
        ({"Tags": [{"Value": "v"}]}, {("Tags", "0", "Key"): "k"}, {"Tags": [{"Value": "v", "Key": "k"}]}),
        ({"Tags": [{"Key": "a"}]}, {("Tags", "1", "Key"): "k"}, {"Tags": [{"Key": "a"}, {"Key": "k"}]}),
        ({"Tags": ["text"]}, {("Tags", "0", "Key"): "k"}, {"Tags": ["text"]}),
        ({"Title": "a"}, {("Title", "Deep"): 1}, {"Title": {"Deep": 1}}),
        ({"Settings": {"A": {}}}, {("Settings", "A", "0", "B"): 1}, {"Settings": {"A": {"0": {"B": 1}}}}),
    ],
)
def test_overrides_are_put_in_their_places(model, overrides, expected):
    before = repr(model)
    assert apply_overrides(named(), model, overrides) == expected
    assert repr(model) == before


def test_a_value_of_an_override_is_copied():
    value = {"Mode": "fast"}
    found = apply_overrides(named(), {}, {("Settings",): value})
    found["Settings"]["Mode"] = "safe"
    assert value == {"Mode": "fast"}


def nested_names():
    """A type whose createOnly properties are inside of others, some in lists, one readOnly."""
    create_only = ("Name", "Tags/*/Key", "Settings/Mode", "Arn", "Kind")
    return shape(
        "Deep",
        {"Name": {"type": "string"}},
        primaryIdentifier=["/properties/Name"],
        createOnlyProperties=[f"/properties/{each}" for each in create_only],
        readOnlyProperties=["/properties/Arn"],
    )


@pytest.mark.parametrize(
    ("request_model", "update", "expected"),
    [
        ({"Name": "n", "Kind": "small"}, {"Title": "t"}, {"Title": "t", "Name": "n", "Kind": "small"}),
        ({"Name": "n", "Kind": "small"}, {"Kind": "huge"}, {"Kind": "huge", "Name": "n"}),
        ({"Name": "n", "Kind": "small"}, {"Name": ""}, {"Name": "n", "Kind": "small"}),
        ({"Arn": "a", "Kind": "small"}, {}, {"Kind": "small"}),
        ({"Tags": [{"Key": "k"}], "Kind": "small"}, {}, {"Kind": "small"}),
        ({"Settings": {"Mode": "fast", "Note": "x"}}, {}, {"Settings": {"Mode": "fast"}}),
        ({"Settings": {"Mode": "fast"}}, {"Settings": {"Note": "y"}}, {"Settings": {"Note": "y", "Mode": "fast"}}),
        ({}, {"Title": "t"}, {"Title": "t"}),
    ],
)
def test_an_update_keeps_what_only_a_create_can_set(request_model, update, expected):
    assert keep_create_only(nested_names(), request_model, update) == expected


def test_which_values_an_update_must_not_change():
    create = {"Name": "n", "Kind": "small", "Settings": {"Mode": "fast"}, "Tags": [{"Key": "a"}]}
    update = {"Name": "m", "Kind": "small", "Settings": {"Mode": "safe"}, "Tags": [{"Key": "b"}], "Arn": "x"}
    assert list(create_only_changes(nested_names(), create, update)) == [
        (("Name",), "n", "m"),
        (("Settings", "Mode"), "fast", "safe"),
    ]
    assert list(create_only_changes(nested_names(), update, {"Title": "x"})) == []


def test_the_identifiers_of_a_model():
    schema = composite()
    model = {"Parent": "p", "Name": "n", "Alias": "a"}
    assert identities_of(schema, model) == {(0, '["p", "n"]'), (2, '["a"]')}
    assert identities_of(schema, {"Parent": "p", "Arn": "x"}) == {(1, '["x"]')}
    assert identities_of(schema, {}) == set()


CREATE = {"Name": "somename", "Title": "One", "Size": "7"}
READ = {"Name": "somename", "Title": "One", "Size": 7}
OTHERS = ({"Name": "othername", "Title": "One"}, {"Name": "somename", "Title": "Two"}, {"Name": "thirdname"})


def given(schema=None, **options):
    return GivenInputs(schema or named(), **{"create": CREATE, "update": {"Title": "Two"}, "others": OTHERS, **options})


def test_given_models_are_copies_with_texts_read_as_the_schema_says():
    inputs = given()
    for _ in range(2):
        model = inputs.create(Extent.MAXIMAL)
        assert model == READ
        model["Title"] = "changed"
    assert (inputs.given, inputs.name, inputs.thinner(READ)) == (True, "inputs/ set 1", None)
    assert given(name="set 5").name == "set 5"


def test_names_that_given_models_claim():
    inputs = given()
    own = '0 ["somename"]'
    assert inputs.claims() == {own}
    assert inputs.claims(several=True) == {own, '0 ["othername"]', '0 ["thirdname"]'}
    texts = {inputs.likeness(each) for each in (READ, {"Title": "Two"})}
    assert inputs.likenesses() == texts
    assert inputs.likenesses(several=True) == texts | {inputs.likeness(each) for each in OTHERS}
    assert given(update=None).likenesses() == {inputs.likeness(READ)}
    assert inputs.likeness({"a": 1, "b": 2}) == inputs.likeness({"b": 2, "a": 1}) == '{"a": 1, "b": 2}'


def test_several_given_models_have_different_identifiers():
    assert [each["Name"] for each in given().several(5)] == ["somename", "othername", "thirdname"]
    assert [each["Name"] for each in given().several(2)] == ["somename", "othername"]
    models = given(generated(), create={"Title": "a"}, others=({"Title": "b"},)).several(5)
    assert [each["Title"] for each in models] == ["a", "b", "a", "b", "a"]


def test_an_update_goes_back_and_forth():
    inputs = given()
    assert inputs.update(READ) == {"Title": "Two", "Name": "somename"}
    assert inputs.update({"Title": "Two", "Name": "somename", "Kind": "small"}) == {**READ, "Kind": "small"}
    assert given(update=None).update(READ) is None


def test_an_invalid_model_is_left_as_it_is():
    (found,) = given(invalid={"Size": "99"}).invalid()
    assert found == InvalidInput({"Size": "99"}, "the invalid model of inputs/ set 1")
    assert given().invalid() == []


def test_generated_inputs_are_the_same_for_a_test_whatever_ran_before():
    inputs = GeneratedInputs(named(), seed=4)
    first = inputs.fork("one")
    made = [first.create(each) for each in Extent]
    inputs.create()
    assert [inputs.fork("one").create(each) for each in [Extent.MINIMAL]] != made
    again = inputs.fork("one")
    assert [again.create(each) for each in Extent] == made
    other = inputs.fork("two")
    assert [other.create(each) for each in Extent] != made
    assert [GeneratedInputs(named(), seed=5).fork("one").create(each) for each in Extent] != made
    assert not inputs.given


def test_generated_models_that_share_an_identifier_claim_it():
    assert GeneratedInputs(named()).claims() == frozenset()
    fixed = GeneratedInputs(named(), create_overrides={("Name",): "samename"})
    assert fixed.claims() == fixed.claims(several=True) == {"any"}
    assert len(fixed.several(3)) == 1
    assert len(GeneratedInputs(named()).several(3)) == 3


def test_generated_models_are_alike_where_overrides_hold_a_text():
    free = GeneratedInputs(named(), create_overrides={("Size",): 5})
    assert free.likenesses() == frozenset()
    assert free.likeness({"Size": 5}) == '{"Size": 5}'
    for value in ("x", {"a": ["x"]}, [1, "x"], {"a": {"b": "x"}}):
        fixed = GeneratedInputs(named(), create_overrides={("Settings", "Note"): value, ("Size",): 5})
        (text,) = fixed.likenesses(several=True)
        assert text.startswith('{"Settings/Note": ')
        assert fixed.likeness({"Size": 1}) == text
    for value in (5, [1], {"a": None}, {}, []):
        assert GeneratedInputs(named(), create_overrides={("Settings",): value}).likenesses() == frozenset()


def test_generated_updates_change_something_and_have_the_overrides():
    inputs = GeneratedInputs(named(), seed=2, update_overrides={("Title",): "fixed"})
    request = inputs.create(Extent.MAXIMAL)
    changed = inputs.update(request)
    assert changed["Title"] == "fixed"
    assert changed["Name"] == request["Name"]
    less = inputs.thinner(request)
    assert less["Title"] == "fixed"
    assert less != request


TAGGING = {"taggable": True, "tagOnCreate": True, "tagProperty": "/properties/Tags"}


@pytest.mark.parametrize("tags", [[{"Key": "a", "Value": "b"}, {"Key": "c", "Value": "d"}], None])
def test_tags_that_an_update_cannot_change_stay(tags):
    members = {
        "primaryIdentifier": ["/properties/Name"],
        "createOnlyProperties": ["/properties/Name"],
        "required": ["Name"],
        "readOnlyProperties": ["/properties/Arn"],
    }
    properties = {"Name": {"type": "string", "pattern": "^[a-z]{8}$"}}
    for updatable in (True, False):
        schema = shape("Tagged", properties, **members, tagging={**TAGGING, "tagUpdatable": updatable})
        inputs = GeneratedInputs(schema, seed=3)
        request = {**inputs.create(Extent.MAXIMAL), "Tags": tags}
        if tags is None:
            del request["Tags"]
        found = [inputs.update(request, Extent.MAXIMAL).get("Tags") for _ in range(3)]
        assert all(each == tags for each in found) is not updatable
        less = inputs.thinner(request)
        assert (less.get("Tags") == tags) is (not updatable or tags is None)


def test_generated_invalid_models_leave_identifiers_alone():
    found = GeneratedInputs(named(), seed=3).invalid()
    assert 3 < len(found) <= 12
    assert all(" at /" in each.why and not each.why.endswith("/Name)") for each in found)
    assert all("Name" in each.model for each in found if "required" not in each.why)
