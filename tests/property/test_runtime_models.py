"""Models of any shape come back as they were, typed and with CloudFormation's stringified scalars."""

import json
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from cloudformation_cli_python_lib import exceptions
from cloudformation_cli_python_lib.model import BaseModel
from cloudformation_cli_python_lib.shapes import (
    anything,
    array_of,
    boolean,
    integer,
    map_of,
    model,
    number,
    set_of,
    string,
)
from cloudformation_cli_python_lib.values import ValueSet, canonical, to_json

NAMES = st.text("abcXYZ_", min_size=1, max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
SCALARS = [
    (string, st.text(max_size=8)),
    (integer, st.integers()),
    (number, st.floats(allow_nan=False, allow_infinity=False) | st.integers()),
    (boolean, st.booleans()),
]


def make_model(fields):
    """A model class with these attributes and shapes."""

    def initialize(self, **values):
        for name in fields:
            setattr(self, name, values.get(name))

    return type("Model", (BaseModel,), {"__init__": initialize, "_fields": classmethod(lambda _cls: fields)})


def unique(values):
    return list({canonical(value): value for value in values}.values())


SPECIFICATIONS = st.recursive(
    st.sampled_from(["string", "integer", "number", "boolean", "anything"]),
    lambda inner: (
        st.tuples(st.sampled_from(["array", "set", "map"]), inner)
        | st.tuples(st.just("model"), st.dictionaries(NAMES, inner, max_size=3))
    ),
    max_leaves=5,
)
LEAVES = {"string": SCALARS[0], "integer": SCALARS[1], "number": SCALARS[2], "boolean": SCALARS[3]}
LEAVES["anything"] = (anything, JSON)
CONTAINERS = {"array": array_of, "set": set_of, "map": map_of}


def shape_of(specification):
    if isinstance(specification, str):
        return LEAVES[specification][0]
    kind, inner = specification
    if kind == "model":
        return model(make_model({name: shape_of(each) for name, each in inner.items()}))
    return CONTAINERS[kind](shape_of(inner))


def draw_value(draw, specification):
    if isinstance(specification, str):
        return draw(LEAVES[specification][1])
    kind, inner = specification
    if kind == "model":
        drawn = {name: draw_value(draw, each) for name, each in inner.items() if draw(st.booleans())}
        return {name: value for name, value in drawn.items() if value is not None}
    items = [draw_value(draw, inner) for _ in range(draw(st.integers(0, 2)))]
    if kind == "map":
        return {f"key{index}": item for index, item in enumerate(items)}
    return unique(items) if kind == "set" else items


@st.composite
def shaped_values(draw):
    members = draw(st.dictionaries(NAMES, SPECIFICATIONS, max_size=4))
    cls = make_model({name: shape_of(each) for name, each in members.items()})
    return cls, draw_value(draw, ("model", members))


@settings(max_examples=60, deadline=None)
@given(shaped_values())
def test_round_trip(shaped):
    cls, value = shaped
    read = cls._deserialize(json.loads(json.dumps(value)))
    written = json.loads(json.dumps(read._serialize()))
    assert written == value
    again = cls._deserialize(json.loads(json.dumps(written)))
    assert again == read
    assert hash(again) == hash(read)
    assert again._serialize() == written


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SCALARS).flatmap(lambda pair: st.tuples(st.just(pair[0]), pair[1])))
def test_a_scalar_and_its_text_are_read_alike(case):
    shape, value = case
    text = json.dumps(value) if not isinstance(value, str) else value
    read, from_text = shape(value), shape(text)
    assert read == from_text
    assert type(read) is type(from_text)
    assert math.isclose(read, value, rel_tol=0) if isinstance(value, float) else read == value


@settings(max_examples=60, deadline=None)
@given(shaped_values(), JSON)
def test_any_value_is_read_or_refused_clearly(shaped, value):
    cls, _ = shaped
    for name in cls._fields():
        message = refusal(cls, {name: value})
        assert message is None or f"/{name}" in message


def refusal(cls, value):
    try:
        cls._deserialize(value)
    except exceptions.InvalidRequest as refused:
        return str(refused)
    return None


@settings(max_examples=60, deadline=None)
@given(st.lists(JSON, max_size=6))
def test_value_sets_hold_any_json_once(items):
    held = ValueSet(items)
    assert [canonical(item) for item in held] == list(dict.fromkeys(map(canonical, items)))
    assert all(item in held for item in items)
    assert held == ValueSet(reversed(items))
    assert to_json(held) == list(held)


@settings(max_examples=60, deadline=None)
@given(JSON, JSON)
def test_canonical_keys_are_equal_for_equal_json_alone(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    if same:
        assert canonical(one) == canonical(other)
    if canonical(one) == canonical(other):
        assert one == other
