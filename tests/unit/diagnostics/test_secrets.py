"""Masking by place, and of copies."""

import json

from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics.secrets import MASK, Secret, mask_at, mask_copies, mask_leaves, mask_text, secrets_at

CANARY = "canary-4711"


def test_masks_only_what_stands_at_the_paths():
    value = {"Name": "n", "Password": CANARY, "Users": [{"Key": CANARY, "Id": 1}, {"Id": 2}]}
    masked = mask_at(value, [("Password",), ("Users", "*", "Key"), ("Absent", "Deep")])
    assert masked == {"Name": "n", "Password": MASK, "Users": [{"Key": MASK, "Id": 1}, {"Id": 2}]}
    assert value["Password"] == CANARY, "the original stays"


def test_a_null_secret_stays_null_and_an_object_is_masked_whole():
    assert mask_at({"A": None, "B": {"C": CANARY}}, [("A",), ("B",)]) == {"A": None, "B": MASK}


def test_star_reaches_the_members_of_a_map():
    assert mask_at({"M": {"a": {"S": 1}, "b": {}}}, [("M", "*", "S")]) == {"M": {"a": {"S": MASK}, "b": {}}}


def test_a_secret_never_shows_itself():
    secret = Secret(CANARY)
    assert CANARY not in f"{secret} {secret!r} {secret!s} {[secret]} {secret:>20}"
    assert secret.reveal() == CANARY


def test_copies_are_found_again_in_text_and_values():
    secrets = secrets_at(
        {"Password": CANARY, "Pin": "12", "L": [{"K": "another-secret"}]}, [("Password",), ("Pin",), ("L",)]
    )
    assert secrets == {CANARY, "12", "another-secret"}
    assert mask_text(f"x={CANARY} y=12", secrets) == f"x={MASK} y=12"
    assert mask_copies({"context": [CANARY, 12, None]}, secrets) == {"context": [MASK, 12, None]}


def test_a_longer_secret_is_masked_before_one_that_it_contains():
    assert mask_text("abcdef-ghijkl", ["abcdef", "abcdef-ghijkl"]) == MASK


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
)


@given(JSON, st.lists(st.lists(st.text() | st.just("*"), max_size=4), max_size=4))
def test_any_paths_into_any_value(value, paths):
    mask_at(value, paths)
    secrets_at(value, paths)


@given(JSON)
def test_no_leaf_survives(value):
    def leaves(each):
        match each:
            case dict():
                return [leaf for item in each.values() for leaf in leaves(item)]
            case list():
                return [leaf for item in each for leaf in leaves(item)]
            case _:
                return [each]

    assert set(map(json.dumps, leaves(mask_leaves(value)))) <= {json.dumps(MASK), "null"}
