"""What the incumbent's generated models fail at (spec: round-trip failures by cause, traps for implementers)."""

import subprocess
import sys
from pathlib import Path

import pytest

from cloudformation_cli_python_lib.exceptions import InvalidRequest
from formwork.extensions import ExtensionKind
from formwork.generate.docs import plan_docs
from formwork.generate.generated import plan_generated
from formwork.languages.catalogue import expect_generator
from formwork.model import Scalar, ScalarType, build_type_model
from formwork.project import Project, ProjectConfig
from support.generated import models_of, models_text, write_package

TAG = {
    "type": "object",
    "properties": {"Key": {"type": "string"}, "Weight": {"type": "integer"}},
    "additionalProperties": False,
}
STRING = {"type": "string"}


def schema(definitions=None, **properties):
    return {
        "typeName": "Acme::Store::Thing",
        "properties": properties,
        "definitions": {"Tag": TAG, **(definitions or {})},
        "additionalProperties": False,
    }


def round_trip(document, value):
    return models_of(document).ResourceModel._deserialize(value)._serialize()


def set_of(items):
    return {"type": "array", "items": items, "uniqueItems": True, "insertionOrder": False}


def test_set_of_objects():
    value = {"Tags": [{"Key": "a", "Weight": 1}, {"Key": "b"}]}
    assert round_trip(schema(Tags=set_of({"$ref": "#/definitions/Tag"})), value) == value


def test_set_of_primitives():
    assert round_trip(schema(Names=set_of(STRING)), {"Names": ["b", "a"]}) == {"Names": ["b", "a"]}


def test_set_of_lists():
    document = schema(Pairs=set_of({"type": "array", "items": {"type": "integer"}}))
    assert round_trip(document, {"Pairs": [["1", "2"], ["3"]]}) == {"Pairs": [[1, 2], [3]]}


def test_list_of_maps():
    document = schema(L={"type": "array", "items": {"patternProperties": {".*": {"type": "integer"}}}})
    assert round_trip(document, {"L": [{"a": "5"}, {}]}) == {"L": [{"a": 5}, {}]}


def test_map_of_lists():
    document = schema(M={"patternProperties": {".*": {"type": "array", "items": {"type": "boolean"}}}})
    assert round_trip(document, {"M": {"a": ["true"], "b": []}}) == {"M": {"a": [True], "b": []}}


def test_map_of_models():
    document = schema(M={"patternProperties": {".*": {"$ref": "#/definitions/Tag"}}})
    model = models_of(document).ResourceModel._deserialize({"M": {"a": {"Weight": "2"}}})
    assert model.M["a"].Weight == 2
    assert model._serialize() == {"M": {"a": {"Weight": 2}}}


def test_property_called_none():
    document = schema(Override={"type": "object", "properties": {"None": {"type": "object"}, "Count": STRING}})
    assert round_trip(document, {"Override": {"None": {}}}) == {"Override": {"None": {}}}


def test_list_of_lists_of_models():
    document = schema(Grid={"type": "array", "items": {"type": "array", "items": {"$ref": "#/definitions/Tag"}}})
    module = models_of(document)
    assert module.ResourceModel._deserialize({"Grid": [[{"Weight": "1"}]]}).Grid == [[module.Tag(Weight=1)]]


@pytest.mark.parametrize(
    "name", ["Mapping", "Optional", "Sequence", "BaseModel", "Any", "None", "ResourceModel", "shapes"]
)
def test_definition_called_like_an_import(name):
    document = schema({name: TAG}, One={"$ref": f"#/definitions/{name}"}, Two={"type": "array", "items": STRING})
    assert round_trip(document, {"One": {"Weight": "3"}, "Two": []}) == {"One": {"Weight": 3}, "Two": []}


def test_names_that_differ_in_case_only():
    document = schema(foo=TAG, Foo={**TAG, "properties": {"Other": STRING}})
    value = {"foo": {"Key": "a"}, "Foo": {"Other": "b"}}
    assert round_trip(document, value) == value


def test_multiple_types():
    document = schema(P={"type": ["object", "string"], "properties": {"Size": {"type": "integer"}}})
    assert round_trip(document, {"P": "text"}) == {"P": "text"}
    assert round_trip(document, {"P": {"Size": 5}}) == {"P": {"Size": 5}}


def test_alternatives_that_type_a_property_differently():
    alternatives = [
        {"type": "object", "properties": {"X": STRING}},
        {"type": "object", "properties": {"X": {"type": "array"}}},
    ]
    for value in ({"P": {"X": "a"}}, {"P": {"X": []}}):
        assert round_trip(schema(P={"oneOf": alternatives}), value) == value


def test_a_loop_of_references():
    document = schema({"Loop": {"$ref": "#/definitions/Loop"}}, P={"$ref": "#/definitions/Loop"})
    assert round_trip(document, {"P": [1]}) == {"P": [1]}


def test_empty_is_not_absent():
    document = schema(
        S=STRING,
        I={"type": "integer"},
        B={"type": "boolean"},
        L={"type": "array", "items": STRING},
        U=set_of(STRING),
        M={"type": "object"},
        T={"$ref": "#/definitions/Tag"},
    )
    value = {"S": "", "I": 0, "B": False, "L": [], "U": [], "M": {}, "T": {}}
    assert round_trip(document, value) == value
    assert round_trip(document, {}) == {}


def test_t3_an_empty_request_is_an_empty_model():
    model = models_of(schema(A=STRING)).ResourceModel
    assert model._deserialize({}) == model()
    assert model._deserialize(None) is None


def test_t5_scalars_come_as_strings_and_typed():
    document = schema(B={"type": "boolean"}, I={"type": "integer"}, N={"type": "number"}, S=STRING)
    typed = {"B": False, "I": -5, "N": 0.5, "S": "true"}
    assert round_trip(document, typed) == typed
    assert round_trip(document, {"B": "false", "I": "-5", "N": "0.5", "S": "true"}) == typed


def test_t5_strings_inside_anything_stay_strings():
    value = {"Free": {"a": "true", "b": ["5", None]}, "Any": "5"}
    assert round_trip(schema(Free={"type": "object"}, Any={}), value) == value


def test_t7_constructors_have_defaults_and_the_schemas_order():
    module = models_of(schema(A=STRING, B={"type": "integer"}, C=STRING))
    assert module.ResourceModel("a", 1) == module.ResourceModel(B=1, A="a")
    assert vars(module.ResourceModel()) == {"A": None, "B": None, "C": None}


def test_t8_the_private_names_that_handlers_use():
    module = models_of(schema(Tags=set_of({"$ref": "#/definitions/Tag"})))
    assert module._ResourceModel is module.ResourceModel
    assert module._Tag is module.Tag
    assert module._TypeConfigurationModel._deserialize({})._serialize() == {}
    assert module.ResourceModel(Tags={module.Tag(Key="a")})._serialize() == {"Tags": [{"Key": "a"}]}
    assert issubclass(module.ResourceHandlerRequest, object)


def test_unions_of_scalars():
    document = schema(P={"type": ["integer", "boolean", "number"]}, Q={"type": ["integer", "string"]})
    assert round_trip(document, {"P": "true", "Q": "5"}) == {"P": True, "Q": "5"}
    assert round_trip(document, {"P": "5", "Q": 5}) == {"P": 5, "Q": 5}
    assert round_trip(document, {"P": "0.5"}) == {"P": 0.5}
    with pytest.raises(InvalidRequest, match="declared types at /P"):
        round_trip(document, {"P": "red"})


def test_what_is_write_only_is_not_shown():
    document = schema(Login={"type": "object", "properties": {"User": STRING, "class": STRING, "Pin": STRING}})
    document["writeOnlyProperties"] = ["/properties/Login/class", "/properties/Login/Pin"]
    login = models_of(document).Login._deserialize({"User": "me", "class": "canary-1", "Pin": "canary-2"})
    assert repr(login) == "Login(User='me', class_=********, Pin=********)"
    assert login._serialize() == {"User": "me", "class": "canary-1", "Pin": "canary-2"}


def test_null_is_absent():
    assert round_trip(schema(A=STRING, T={"$ref": "#/definitions/Tag"}), {"A": None, "T": {"Key": None}}) == {"T": {}}


def test_an_unknown_property_is_named():
    with pytest.raises(InvalidRequest, match="unknown property at /T/Colour"):
        models_of(schema(T={"$ref": "#/definitions/Tag"})).ResourceModel._deserialize({"T": {"Colour": "red"}})


def test_an_open_object_keeps_what_the_schema_does_not_name():
    document = schema(T={"type": "object", "properties": {"Weight": {"type": "integer"}}})
    value = {"T": {"Weight": 1, "Colour": {"r": "1"}}}
    assert round_trip(document, value) == value


def test_t14_hundreds_of_targets():
    targets = {
        f"AWS::Some::Type{n}": {"typeName": f"AWS::Some::Type{n}", "properties": {"A": STRING}} for n in range(860)
    }
    from formwork.documents import parse_document
    from formwork.schema.hook import build_hook_schema

    text = '{"typeName": "Acme::Guard::Hook", "typeConfiguration": {"properties": {}}, "handlers": {"preCreate": {}}}'
    project = Project(
        Path("no project"), ProjectConfig(ExtensionKind.HOOK, "Acme::Guard::Hook", language="python312"), None
    )
    plan = plan_generated(
        project,
        build_hook_schema(parse_document(text, name="hook.json")),
        expect_generator(project.language),
        targets=targets,
    )
    assert len([each for each in plan if "/target_models/aws_some_type" in each]) == 860


def test_t16_references_of_a_list_handler_lead_to_the_schema_itself():
    document = schema(A=STRING)
    document["handlers"] = {
        "list": {
            "permissions": [],
            "handlerSchema": {"properties": {"A": {"$ref": "resource-schema.json#/properties/A"}}},
        }
    }
    document["properties"]["B"] = {"$ref": "resource-schema.json#/properties/A"}
    assert build_type_model(document).root.get_property("B").type == ScalarType(Scalar.STRING)


def test_t17_a_format_that_is_a_pattern():
    types = build_type_model(schema(A={"type": "string", "format": "(^arn:[a-z\\d-]+:.*)"}))
    assert "_Format_: <code>(^arn:&#91;a-z&#92;d-&#93;+:.&#42;)</code>" in plan_docs(types)["docs/README.md"].text


def test_importing_models_imports_no_dataclasses(tmp_path):
    write_package(tmp_path / "thing", {"models": models_text(schema(A=STRING))})
    code = "import sys; sys.path.insert(0, sys.argv[1]); import thing.models; assert 'dataclasses' not in sys.modules"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
