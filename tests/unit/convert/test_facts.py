"""Facts of conversion that comparing random models with the reference brought up, one small model each."""

import pytest

from formwork.convert.converter import convert, convert_each
from formwork.convert.options import read_cfn_options
from formwork.convert.traits import cfn_library
from formwork.diagnostics import BadInputError
from formwork.smithy.load import load_texts

HEAD = """$version: "2.0"
namespace a
use aws.api#taggable
use aws.cloudformation#cfnResource
service S { version: "1", resources: [R] }
"""


def schema(text, **settings):
    loaded = load_texts([("m.smithy", HEAD + text)], base=cfn_library())
    assert [str(event) for event in loaded.events if event.severity == "ERROR"] == []
    (found,) = convert(loaded.model, read_cfn_options({"service": "a#S", "organizationName": "X", **settings})).values()
    return found


def created(members, rest="", **settings):
    """The schema of a resource whose create operation takes some members."""
    return schema(
        "@cfnResource resource R { identifiers: { id: String } create: C }\n"
        f"operation C {{ input := {{ {members} }} }}\n{rest}",
        **settings,
    )


def test_without_identifiers_there_is_no_primary_identifier():
    found = schema("@cfnResource resource R { create: C }\noperation C { input := { x: String } }")
    assert "primaryIdentifier" not in found


def test_enums_do_not_bring_the_unit_type_with_them():
    union = "union U { none: Unit }\nenum E { A }"
    assert created("e: E", union)["definitions"].keys() == {"E"}
    assert created("u: U", union)["definitions"].keys() == {"U", "Unit"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", "This shape is deprecated."),
        ('(since: "")', "This shape is deprecated since ."),
        ('(message: "")', "This shape is deprecated:"),
    ],
)
def test_empty_texts_of_deprecation_are_texts(value, text):
    assert created(f"@deprecated{value} x: String")["properties"]["X"]["description"] == text


def test_an_empty_title_is_a_title():
    assert created('@title("") x: String')["properties"]["X"]["title"] == ""


def test_a_description_beside_a_default_stands_with_the_reference():
    found = created('/// Which.\ne: E = "A"\n', "enum E { A }", addReferenceDescriptions=True)
    reference = {"$ref": "#/definitions/E", "description": "Which."}
    assert found["properties"]["E"] == {"allOf": [reference, {"default": "A"}]}


def test_an_enum_as_constants_has_its_documentation_as_it_is_and_no_constraints():
    enum = '@documentation(" Which. ")\n@title("Kind")\n@pattern("^A$")\nenum E { A }'
    constants = created("e: E", enum, enumStrategy="oneOf")["definitions"]["E"]
    assert constants == {"type": "string", "description": " Which. ", "oneOf": [{"const": "A"}]}


def test_tokens_in_additional_schemas_are_properties():
    found = schema(
        "@cfnResource(additionalSchemas: [More]) resource R { identifiers: { id: String } create: C }\n"
        "operation C { input := { @idempotencyToken token: String } }\n"
        "structure More { @idempotencyToken other: String }"
    )
    assert found["properties"].keys() == {"Id", "Other"}


@pytest.mark.parametrize(("nested", "on_create"), [(False, True), (True, False)])
def test_tags_in_nested_properties_are_not_seen_as_tags_on_create(nested, on_create):
    members = "@required @nestedProperties thing: Thing" if nested else "tags: Tags"
    found = schema(
        '@taggable(property: "tags") @cfnResource\n'
        "resource R { identifiers: { id: String } properties: { tags: Tags } create: C }\n"
        f"operation C {{ input := {{ {members} }} }}\n"
        "structure Thing { tags: Tags }\nmap Tags { key: String, value: String }"
    )
    assert found["tagging"]["tagOnCreate"] is on_create


def test_left_out_keywords_stay_inside_the_alternatives_of_a_float():
    double = '@title("Share")\ndouble D'
    found = created("x: D", double, supportNonNumericFloats=True, disableFeatures=["title"])["properties"]["X"]
    assert found["oneOf"][0] == {"type": "number", "title": "Share"}
    assert "title" not in found


def test_two_members_with_one_property_name_are_told_and_keep_no_other_type_from_being_converted():
    text = """
service Two { version: "1", resources: [R, Q] }
@cfnResource resource R { identifiers: { id: String } create: C }
operation C { input := { @aws.cloudformation#cfnName("Same") a: String, @aws.cloudformation#cfnName("Same") b: String } }
@cfnResource resource Q { identifiers: { id: String } create: D }
operation D { input := { n: N } }
structure N { c: String }
"""
    model = load_texts([("m.smithy", HEAD + text)], base=cfn_library()).model
    options = read_cfn_options({"service": "a#Two", "organizationName": "X"})
    conversion = convert_each(model, options)
    assert [each.type_name for each in conversion.types] == ["X::Two::Q"]
    (problem,) = conversion.problems["X::Two::R"]
    assert '"a" and "b" of a#R both become the property "Same"' in problem.message
    assert problem.location.file == "m.smithy"
    with pytest.raises(BadInputError, match="both become"):
        convert(model, options)


def test_members_of_a_nested_structure_do_not_share_a_property_either():
    text = "structure N { foo: String, Foo: String }\nstructure M { n: N }"
    with pytest.raises(BadInputError, match='"foo" and "Foo" of a#N both become the property "Foo"'):
        created("m: M", text)
