"""Resources found by identifiers and by token: as looking at each of them one by one finds them."""

from hypothesis import given
from hypothesis import strategies as st

from formwork.simulate.resources import MISSING, Resources, SimulatedResource, at

NAME, BOTH = (("Name",),), (("Place", "Shelf"), ("Number",))
VALUES = st.sampled_from([1, 1.0, "1", [1], {"a": [1]}, {"a": [2]}])
MODELS = st.fixed_dictionaries(
    {"Name": VALUES}, optional={"Number": VALUES, "Place": st.fixed_dictionaries({"Shelf": VALUES})}
)
STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.tuples(MODELS, st.sampled_from("xy"))), max_size=12)


@given(STEPS, MODELS)
def test_what_is_found_has_the_values_and_nothing_that_has_them_is_missed(steps, wanted):
    resources = Resources((NAME, BOTH))
    for key, put in steps:
        if put is not None:
            resources[key] = SimulatedResource(key, *put)
        else:
            resources.pop(key, None)
    for paths in (NAME, BOTH):
        values = [at(wanted, path) for path in paths]
        same = [each for each in resources.values() if [at(each.model, path) for path in paths] == values]
        assert (resources.identified(paths, values) in same) if same else resources.identified(paths, values) is None
    for token in "xy":
        same = [each for each in resources.values() if each.token == token]
        assert (resources.with_token(token) in same) if same else resources.with_token(token) is None
    assert set(resources.touched) >= set(resources)


def test_one_that_is_put_in_again_keeps_its_place_and_is_touched():
    resources = Resources((NAME,))
    for each in ("a", "b"):
        resources[each] = SimulatedResource(each, {"Name": each}, f"token of {each}")
    resources.touched.clear()
    resources["a"] = SimulatedResource("a", {"Name": "c"}, "another")
    assert list(resources) == ["a", "b"]
    assert list(resources.touched) == ["a"]
    assert resources.identified(NAME, ["a"]) is resources.with_token("token of a") is None
    assert resources.identified(NAME, ["c"]) is resources.with_token("another") is resources["a"]
    del resources["a"]
    assert list(resources.touched) == ["a"]
    assert resources.identified(NAME, ["c"]) is None


def test_what_is_not_there_is_told_from_null():
    resources = Resources((BOTH,))
    resources["a"] = SimulatedResource("a", {"Place": {"Shelf": None}}, "")
    assert resources.identified(BOTH, [None, MISSING]) is resources["a"]
    assert resources.identified(BOTH, [MISSING, MISSING]) is None
