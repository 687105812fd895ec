"""JSON Patches of any form: applied, or refused in the service's words."""

import json

from hypothesis import given
from hypothesis import strategies as st

from formwork.cloud_control.models import apply_patch, model_faults, parse_object
from formwork.stacks.errors import StackError
from support.engines import thing_schema

SCHEMA = thing_schema()
POINTERS = st.sampled_from(
    ["", "/", "/Color", "/Tags", "/Tags/0", "/Tags/-", "/Tags/x", "/Arn", "/Name", "/No/Where", "x"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda each: st.lists(each, max_size=2) | st.dictionaries(st.text(max_size=2), each, max_size=2),
    max_leaves=4,
)
OPERATIONS = st.dictionaries(st.sampled_from(["op", "path", "from", "value", "x"]), POINTERS | VALUES, max_size=4) | (
    st.fixed_dictionaries(
        {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]), "path": POINTERS},
        optional={"value": VALUES, "from": POINTERS},
    )
)
MODEL = {"Id": "thing-00000000", "Arn": "arn:thing:000000", "Name": "n", "Color": "red", "Tags": [{}]}


KEPT = ("Id", "Arn", "Name")


def attempt(function, *arguments):
    """What a function gives, and the code of its refusal."""
    try:
        return function(*arguments), None
    except StackError as error:
        return None, error.code


@given(st.lists(OPERATIONS | VALUES, max_size=4) | VALUES)
def test_a_patch_is_applied_or_refused(patch):
    patched, code = attempt(apply_patch, SCHEMA, MODEL, json.dumps(patch))
    assert code in {None, "InvalidRequestException", "NotUpdatableException"}
    assert code or {name: patched[name] for name in KEPT} == {name: MODEL[name] for name in KEPT}
    assert MODEL["Tags"] == [{}]


@given(VALUES)
def test_models_are_judged_whatever_they_are(value):
    model, code = attempt(parse_object, json.dumps({"Tags": value, "Color": value, "Size": value}), "DesiredState")
    assert code in {None, "InvalidRequestException"}
    told = None if code else model_faults(SCHEMA, model, creating=True)
    assert told is None or told.startswith("Model validation failed (#")


@given(st.text(max_size=20))
def test_texts_are_read_or_refused(text):
    found, code = attempt(parse_object, text, "DesiredState")
    assert isinstance(found, dict) or code == "InvalidRequestException"
