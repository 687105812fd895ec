import functools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.documents import load_document, parse_document
from formwork.documents.load import DocumentFormat
from formwork.instances import Extent, InstanceGenerator, UnsatisfiableError
from formwork.schema.resource import build_resource_schema
from support.corpus import corpus_projects, needs_fixtures


def schema_of(**members):
    value = {"typeName": "Acme::Test::Thing", "description": "d", "additionalProperties": False, **members}
    return build_resource_schema(parse_document(json.dumps(value), name="thing.json", format=DocumentFormat.JSON))


def of_property(node, **members):
    return schema_of(properties={"P": node}, required=["P"], **members)


CASES = {
    "string": {"type": "string"},
    "length": {"type": "string", "minLength": 20, "maxLength": 21},
    "pattern": {"type": "string", "pattern": "^[a-z]{3}-[0-9]{2,4}$"},
    "java pattern": {"type": "string", "pattern": r"^[\p{L}\p{Z}\p{N}_.:/=+\-@]{2,9}$"},
    "pattern and length": {"type": "string", "pattern": "^[a-z]+$", "minLength": 40, "maxLength": 50},
    "look-ahead": {"type": "string", "pattern": "^(?!aws)(?=.{3,8}$)[a-z]+$"},
    "unanchored pattern": {"type": "string", "pattern": "x-ray", "minLength": 30},
    "uuid": {"type": "string", "format": "uuid"},
    "date-time": {"type": "string", "format": "date-time"},
    "unknown format": {"type": "string", "format": "AWS::S3::Bucket.Name"},
    "enum": {"type": "string", "enum": ["A", "B"]},
    "const": {"const": "A"},
    "integer": {"type": "integer", "minimum": 3, "maximum": 4},
    "exclusive": {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5},
    "multiple": {"type": "integer", "multipleOf": 7, "minimum": 50},
    "number multiple": {"type": "number", "multipleOf": 0.25, "minimum": 0.1, "maximum": 0.3},
    "negative": {"type": "integer", "maximum": -5},
    "boolean": {"type": "boolean"},
    "array": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    "set": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True, "minItems": 3},
    "contains": {"type": "array", "items": {"type": "integer"}, "contains": {"const": 5}},
    "map": {
        "type": "object",
        "patternProperties": {"^[a-z]{2}$": {"type": "integer"}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "open map": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
    "type list": {"type": ["null", "object", "string"], "minLength": 2},
    "required of two": {
        "type": "object",
        "properties": {"A": {"type": "string"}, "B": {"type": "string"}},
        "oneOf": [{"required": ["A"]}, {"required": ["B"]}],
    },
    "any of two": {
        "type": "object",
        "properties": {"A": {"type": "string"}, "B": {"type": "string"}},
        "anyOf": [{"required": ["A"]}, {"required": ["B"]}],
    },
    "all of": {"allOf": [{"type": "string", "minLength": 5}, {"maxLength": 6}, {"pattern": "^a"}]},
    "dependencies": {
        "type": "object",
        "properties": {"A": {"type": "string"}, "B": {"type": "string"}},
        "dependencies": {"A": ["B"]},
    },
    "max properties": {
        "type": "object",
        "properties": {name: {"type": "string"} for name in "ABCD"},
        "maxProperties": 2,
    },
    "alternatives of type": {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "integer"}]},
}


@pytest.mark.parametrize("node", CASES.values(), ids=CASES)
@pytest.mark.parametrize("extent", ["minimal", "maximal", "random"])
def test_values_keep_every_keyword(node, extent):
    schema = of_property(node)
    generator = InstanceGenerator(schema, seed=5)
    for _ in range(5):
        model = getattr(generator, extent)()
        assert "P" in model
        assert schema.validate_model(model) == []


def test_a_recursive_definition_ends():
    tree = {"type": "object", "properties": {"Left": {"$ref": "#/definitions/T"}, "Right": {"$ref": "#/definitions/T"}}}
    schema = schema_of(definitions={"T": tree}, properties={"P": {"$ref": "#/definitions/T"}})
    assert schema.validate_model(InstanceGenerator(schema, seed=1).maximal()) == []


def test_a_definition_that_requires_itself_has_no_value():
    endless = {"type": "object", "properties": {"Me": {"$ref": "#/definitions/T"}}, "required": ["Me"]}
    schema = schema_of(definitions={"T": endless}, properties={"P": {"$ref": "#/definitions/T"}}, required=["P"])
    with pytest.raises(UnsatisfiableError, match="/P"):
        InstanceGenerator(schema).minimal()


def test_required_recursion_through_an_alternative_takes_the_way_out():
    expression = {
        "type": "object",
        "oneOf": [
            {
                "properties": {"And": {"type": "array", "items": {"$ref": "#/definitions/E"}, "minItems": 2}},
                "required": ["And"],
            },
            {"properties": {"Leaf": {"type": "string"}}, "required": ["Leaf"]},
        ],
    }
    schema = schema_of(definitions={"E": expression}, properties={"P": {"$ref": "#/definitions/E"}}, required=["P"])
    for seed in range(10):
        assert schema.validate_model(InstanceGenerator(schema, seed=seed).random()) == []


def widget():
    return schema_of(
        properties={
            "Name": {"type": "string", "pattern": "^[a-z]{5,20}$"},
            "Size": {"type": "integer", "minimum": 1, "maximum": 9},
            "Zone": {"type": "string", "enum": ["a", "b", "c"]},
            "Arn": {"type": "string"},
            "Endpoint": {
                "type": "object",
                "properties": {"Port": {"type": "integer"}, "Address": {"type": "string"}},
                "required": ["Address"],
            },
        },
        required=["Name", "Arn"],
        primaryIdentifier=["/properties/Name"],
        readOnlyProperties=["/properties/Arn", "/properties/Endpoint/Address"],
        createOnlyProperties=["/properties/Name", "/properties/Zone"],
    )


def test_read_only_properties_are_never_generated():
    generator = InstanceGenerator(widget(), seed=3)
    for _ in range(10):
        model = generator.maximal()
        assert "Arn" not in model
        assert "Address" not in model["Endpoint"]


def test_an_update_keeps_identifiers_and_create_only_values():
    generator = InstanceGenerator(widget(), seed=3)
    model = generator.maximal()
    changed = generator.changed(model)
    assert changed != model
    assert (changed["Name"], changed["Zone"]) == (model["Name"], model["Zone"])


def test_what_may_change_is_changed_beside_much_that_may_not():
    """A model stops growing somewhere: what an update may set must not come last."""
    large = {"type": "object", "properties": {f"P{n}": {"type": "string"} for n in range(200)}}
    schema = schema_of(
        properties={"Large": large, "Note": {"type": "array", "items": {"type": "string"}}},
        createOnlyProperties=["/properties/Large"],
    )
    generator = InstanceGenerator(schema, seed=4)
    model = generator.maximal()
    changed = generator.changed(model, extent=Extent.MAXIMAL)
    assert changed["Large"] == model["Large"]
    assert changed.get("Note") != model.get("Note")


def test_where_nothing_may_change_the_model_stays():
    schema = schema_of(properties={"A": {"type": "string"}}, createOnlyProperties=["/properties/A"])
    generator = InstanceGenerator(schema, seed=4)
    model = generator.maximal()
    assert generator.changed(model) == model


def test_the_largest_model_lacks_only_what_contradicts_the_rest():
    """Each of the Of properties wants another Kind: no more than one of them can stand beside it."""
    kinds = ("a", "b", "c", "d")
    schema = of_property(
        {
            "type": "object",
            "properties": {
                "Kind": {"type": "string", "pattern": "^[a-d]:"},
                "Note": {"type": "string"},
                **{f"Of{each}": {"type": "string"} for each in kinds},
            },
            "required": ["Kind"],
            "dependencies": {f"Of{each}": {"properties": {"Kind": {"pattern": f"^{each}:"}}} for each in kinds},
        }
    )
    for seed in range(5):
        model = InstanceGenerator(schema, seed=seed).maximal()
        assert schema.validate_model(model) == []
        assert {"Kind", "Note"} <= set(model["P"])


def test_the_same_seed_gives_the_same_values():
    def sequence(seed):
        generator = InstanceGenerator(widget(), seed=seed)
        return [generator.minimal(), generator.random(), generator.maximal(), generator.random()]

    assert sequence(7) == sequence(7)
    assert sequence(7) != sequence(8)


def test_invalid_values_break_exactly_one_constraint_and_say_which():
    schema = of_property(
        {
            "type": "object",
            "properties": {
                "S": {"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$"},
                "N": {"type": "integer", "minimum": 3},
                "L": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 1},
            },
            "required": ["S"],
            "additionalProperties": False,
        }
    )
    invalid = InstanceGenerator(schema, seed=2).invalid()
    assert {each.keyword for each in invalid} >= {
        "type",
        "minLength",
        "maxLength",
        "minimum",
        "uniqueItems",
        "minItems",
        "required",
        "additionalProperties",
    }
    for each in invalid:
        assert len(schema.validate_model(each.value)) == 1, each


@functools.cache
def corpus_paths():
    return [each.schema_path for each in corpus_projects("RESOURCE") if each.schema_path.is_file()]


@needs_fixtures
def test_real_schemas_have_valid_values():
    """A sample of the corpus; the whole of it is in tests/conformance."""
    failed = []
    paths = corpus_paths()[3::9]
    for path in paths:
        schema = build_resource_schema(load_document(path))
        try:
            generator = InstanceGenerator(schema, seed=1)
            models = [generator.minimal(), generator.maximal(), generator.random()]
        except UnsatisfiableError as error:
            failed.append((path.name, str(error)))
            continue
        assert all(generator.is_valid(model) for model in models)
    assert len(paths) > 20
    assert failed == []


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.sampled_from(list(CASES.values())),
        lambda inner: st.one_of(
            st.builds(lambda node: {"type": "array", "items": node}, inner),
            st.builds(
                lambda one, two: {"type": "object", "properties": {"A": one, "B": two}, "required": ["A"]}, inner, inner
            ),
        ),
        max_leaves=6,
    ),
    st.integers(0, 1000),
)
def test_compositions_have_valid_values(node, seed):
    schema = of_property(node)
    try:
        model = InstanceGenerator(schema, seed=seed).random()
    except UnsatisfiableError:
        return
    assert schema.validate_model(model) == []


@pytest.mark.parametrize(
    "node",
    [
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1e-9},
        {"type": "number", "minimum": 0.1, "maximum": 0.1},
        {"type": "number", "minimum": 0.26, "maximum": 0.3},
    ],
)
def test_close_bounds_leave_numbers(node):
    schema = of_property(node)
    assert schema.validate_model(InstanceGenerator(schema, seed=1).maximal()) == []


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ({"type": "integer", "minimum": 5, "maximum": 4}, "minimum 5, maximum 4 leave no integer at /"),
        ({"type": "string", "pattern": "^[a-z]{3}$", "minLength": 5}, "of at least 5 characters for '^[a-z]{3}$' at /"),
        ({"type": "integer", "enum": ["a"]}, "no member of the enum has the type at /"),
        ({"type": "array", "uniqueItems": True, "items": {"type": "boolean"}, "minItems": 3}, "different items at /"),
    ],
)
def test_what_has_no_value_is_told_with_its_place(node, said):
    inner = {"type": "object", "properties": {"Deep": node}, "required": ["Deep"]}
    schema = of_property(inner)
    with pytest.raises(UnsatisfiableError) as caught:
        InstanceGenerator(schema, seed=1).minimal()
    assert f"{said}P/Deep" in str(caught.value)


def alternatives(*branches, **properties):
    node = {"type": "object", "properties": properties, "oneOf": list(branches)}
    schema = {"typeName": "A::B::C", "properties": {"Choice": node}, "required": ["Choice"]}
    return InstanceGenerator({**schema, "additionalProperties": False}, seed=3)


@pytest.mark.parametrize(
    "generator",
    [
        alternatives(
            {"type": "object", "properties": {"Eks": {"type": "string"}}, "additionalProperties": False},
            {"type": "object", "properties": {"Slurm": {"type": "string"}}, "additionalProperties": False},
        ),
        alternatives(
            {"required": ["Eq"]},
            {"anyOf": [{"required": ["Gte"]}, {"required": ["Lte"]}]},
            Eq={"type": "number"},
            Gte={"type": "number"},
            Lte={"type": "number"},
        ),
    ],
    ids=["closed-alternatives-that-ask-for-nothing", "an-alternative-with-alternatives"],
)
def test_the_first_model_made_satisfies_one_alternative_only(generator, monkeypatch):
    monkeypatch.setattr(InstanceGenerator, "_is_mended", lambda *_: pytest.fail("it had to be mended"))
    for make in (generator.minimal, generator.maximal, generator.random, generator.random, generator.random):
        assert generator.is_valid(make())
