"""The tutorial's model in every form that comes out of it; and what --strict-spec changes."""

import json

from formwork.convert.converter import convert
from formwork.convert.json_schema.document import json_schema_of
from formwork.convert.options import read_cfn_options, read_json_schema_options
from formwork.convert.traits import cfn_library
from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.printing import print_idl
from formwork.smithy.load import load_paths, load_texts
from support.corpus import REPOSITORY

SETTINGS = {"service": "smithy.example#FooService", "organizationName": "Acme", "serviceName": "Example"}


def tutorial():
    return load_paths([REPOSITORY / "docs" / "tutorial" / "smithy-model"], base=cfn_library()).model


def as_text(value):
    return json.dumps(value, indent=4) + "\n"


def test_resource_schema(golden):
    (schema,) = convert(tutorial(), read_cfn_options(SETTINGS)).values()
    golden("smithy/foo/schema.json", as_text(schema))


def test_plain_json_schema(golden):
    schema = json_schema_of(tutorial(), read_json_schema_options({}), root="smithy.example#CreateFooRequest")
    golden("smithy/foo/json-schema.json", as_text(schema))


def test_ast_and_printed_idl(golden):
    model = tutorial()
    shapes = {key: each for key, each in ast_of(model)["shapes"].items() if key.startswith("smithy.example#")}
    golden("smithy/foo/ast.json", as_text(shapes))
    others = frozenset(shape.namespace for shape in cfn_library().shapes.values())
    golden("smithy/foo/printed.smithy", print_idl(model, exclude=others)["smithy.example.smithy"])


RENAMED = """$version: "2.0"
namespace ex.tags
use aws.api#tagEnabled
use aws.api#taggable
use aws.cloudformation#cfnName
use aws.cloudformation#cfnResource
@tagEnabled
service S { version: "1" resources: [R] }
@cfnResource
@taggable(property: "tagList")
resource R { identifiers: { id: String } properties: { tagList: Tags size: Integer } create: Create read: Read }
operation Create { input := { @cfnName("Labels") tagList: Tags @property(name: "size") @required big: Integer } }
@readonly
operation Read {
    input := { @required id: String }
    output := { @required id: String @cfnName("Labels") tagList: Tags @property(name: "size") big: Integer }
}
map Tags { key: String value: String }
"""


def test_strict_spec_mends_what_is_plainly_wrong():
    model = load_texts([("m.smithy", RENAMED)], base=cfn_library()).model
    settings = {"service": "ex.tags#S", "organizationName": "Acme"}
    (loose,) = convert(model, read_cfn_options(settings)).values()
    (strict,) = convert(model, read_cfn_options(settings, strict_spec=True)).values()
    assert loose["tagging"]["tagProperty"] == "/properties/TagList"
    assert strict["tagging"]["tagProperty"] == "/properties/Labels"
    assert sorted(loose["properties"]) == ["Id", "Labels", "size"]
    assert sorted(strict["properties"]) == ["Id", "Labels", "Size"]
