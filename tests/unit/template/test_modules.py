import pytest

from formwork.documents import parse_document
from formwork.template import read_template
from formwork.template.expansion import expand_modules
from formwork.template.fragment import check_fragment


def template(text, name="t.yaml"):
    read = read_template(parse_document(text, name=name, short_tags=True))
    assert read.template is not None
    return read.template


def expand(text, **modules):
    fragments = {f"My::Own::{name}::MODULE": template(fragment, f"{name}.yaml") for name, fragment in modules.items()}
    return expand_modules(template(text), fragments.get)


BUCKET = """
Parameters:
  Name: {Type: String}
  Status: {Type: String, Default: Enabled}
Mappings: {M: {a: {b: c}}}
Conditions:
  IsOn: !Equals [!Ref Status, Enabled]
Resources:
  Bucket:
    Type: AWS::S3::Bucket
    Condition: IsOn
    Properties:
      BucketName: !Ref Name
      Text: !Sub "${Name}-${Bucket2.Arn}-${AWS::Region}-${!kept}"
      Mapped: !FindInMap [M, a, b]
      Chosen: !If [IsOn, !Ref Bucket2, !GetAtt Bucket2.Arn]
  Bucket2:
    Type: AWS::S3::Bucket
    DeletionPolicy: Delete
Outputs:
  Arn: {Value: !GetAtt Bucket.Arn, Condition: IsOn}
"""


def test_one_module():
    result = expand(
        """
Parameters: {P: {Type: String}}
Resources:
  Mod:
    Type: My::Own::B::MODULE
    DeletionPolicy: Retain
    Metadata: {not: passed on}
    Properties: {Name: !Ref P}
  Queue:
    Type: AWS::SQS::Queue
    DependsOn: Mod
    Properties:
      A: !Ref Mod.Bucket
      B: !Ref ModBucket
      C: !GetAtt Mod.Bucket.Arn
      D: !GetAtt [Mod, Bucket.Arn]
      E: !GetAtt ModBucket2.Arn
      F: !Sub "${Mod.Bucket}/${ModBucket.Arn}"
""",
        B=BUCKET,
    )
    assert result.diagnostics == ()
    assert result.value == {
        "Parameters": {"P": {"Type": "String"}},
        "Mappings": {"ModM": {"a": {"b": "c"}}},
        "Conditions": {"ModIsOn": {"Fn::Equals": ["Enabled", "Enabled"]}},
        "Resources": {
            "ModBucket": {
                "Type": "AWS::S3::Bucket",
                "Condition": "ModIsOn",
                "DeletionPolicy": "Retain",
                "Properties": {
                    "BucketName": {"Ref": "P"},
                    "Text": {"Fn::Sub": "${P}-${ModBucket2.Arn}-${AWS::Region}-${!kept}"},
                    "Mapped": {"Fn::FindInMap": ["ModM", "a", "b"]},
                    "Chosen": {"Fn::If": ["ModIsOn", {"Ref": "ModBucket2"}, {"Fn::GetAtt": ["ModBucket2", "Arn"]}]},
                },
            },
            "ModBucket2": {"Type": "AWS::S3::Bucket", "DeletionPolicy": "Delete"},
            "Queue": {
                "Type": "AWS::SQS::Queue",
                "DependsOn": ["ModBucket", "ModBucket2"],
                "Properties": {
                    "A": {"Ref": "ModBucket"},
                    "B": {"Ref": "ModBucket"},
                    "C": {"Fn::GetAtt": ["ModBucket", "Arn"]},
                    "D": {"Fn::GetAtt": ["ModBucket", "Arn"]},
                    "E": {"Fn::GetAtt": ["ModBucket2", "Arn"]},
                    "F": {"Fn::Sub": "${ModBucket}/${ModBucket.Arn}"},
                },
            },
        },
        "Outputs": {"ModArn": {"Value": {"Fn::GetAtt": ["ModBucket", "Arn"]}, "Condition": "ModIsOn"}},
    }
    assert result.modules["ModBucket"].type_hierarchy == "My::Own::B::MODULE"
    assert result.modules["ModBucket"].logical_id_hierarchy == "Mod"
    assert "Queue" not in result.modules


def test_nested_modules_and_values_that_are_no_text():
    inner = """
Parameters: {V: {Type: String}}
Resources: {R: {Type: X, Properties: {Text: !Sub "a${V}b", Same: !Ref V}}}
"""
    outer = """
Parameters: {W: {Type: String}}
Resources:
  Child: {Type: My::Own::Inner::MODULE, Properties: {V: !Join ["-", [!Ref W, x]]}}
  User: {Type: X, DependsOn: Child, Properties: {P: !GetAtt Child.R.Arn}}
"""
    result = expand("Resources: {Top: {Type: My::Own::Outer::MODULE, Properties: {W: w}}}", Inner=inner, Outer=outer)
    joined = {"Fn::Join": ["-", ["w", "x"]]}
    assert result.diagnostics == ()
    assert result.value["Resources"] == {
        "TopChildR": {"Type": "X", "Properties": {"Text": {"Fn::Sub": ["a${V}b", {"V": joined}]}, "Same": joined}},
        "TopUser": {"Type": "X", "DependsOn": ["TopChildR"], "Properties": {"P": {"Fn::GetAtt": ["TopChildR", "Arn"]}}},
    }
    info = result.modules["TopChildR"]
    assert info.type_hierarchy == "My::Own::Inner::MODULE/My::Own::Outer::MODULE"
    assert info.logical_id_hierarchy == "Child/Top"


def test_condition_on_a_module_joins_those_inside():
    result = expand(
        """
Conditions: {C: !Equals [a, b]}
Resources: {Mod: {Type: My::Own::B::MODULE, Condition: C, Properties: {Name: n}}}
""",
        B=BUCKET,
    )
    assert result.value["Resources"]["ModBucket2"]["Condition"] == "C"
    assert result.value["Resources"]["ModBucket"]["Condition"] == "ModBucketCondition"
    assert result.value["Conditions"]["ModBucketCondition"] == {
        "Fn::And": [{"Condition": "C"}, {"Condition": "ModIsOn"}]
    }


ONE = "Resources: {R: {Type: X}}"
LOOP = "Resources: {M: {Type: My::Own::Loop::MODULE}}"


@pytest.mark.parametrize(
    ("text", "modules", "code", "pointer"),
    [
        ("Resources: {M: {Type: My::Own::Gone::MODULE}}", {}, "module.unknown", "/Resources/M/Type"),
        ("Resources: {M: {Type: My::Own::B::MODULE}}", {"B": BUCKET}, "module.missing-parameter", "/Resources/M"),
        (
            "Resources: {M: {Type: My::Own::One::MODULE, Properties: {Tags: []}}}",
            {"One": ONE},
            "module.unknown-parameter",
            "/Resources/M/Properties/Tags",
        ),
        (
            "Resources: {M: {Type: My::Own::One::MODULE, CreationPolicy: {A: 1}}}",
            {"One": ONE},
            "module.attribute",
            "/Resources/M/CreationPolicy",
        ),
        (
            "Resources: {M: {Type: My::Own::One::MODULE, UpdateReplacePolicy: Snapshot}}",
            {"One": ONE},
            "module.attribute",
            "/Resources/M/UpdateReplacePolicy",
        ),
        ("Resources: {M: {Type: My::Own::Loop::MODULE}}", {"Loop": LOOP}, "module.circular", "/Resources/M/Type"),
        (
            "Resources: {A: {Type: My::Own::L1::MODULE}}",
            {
                "L1": "Resources: {B: {Type: My::Own::L2::MODULE}}",
                "L2": "Resources: {C: {Type: My::Own::L3::MODULE}}",
                "L3": "Resources: {D: {Type: My::Own::L4::MODULE}}",
                "L4": ONE,
            },
            "module.nesting",
            "/Resources/D/Type",
        ),
        (
            "Resources: {M: {Type: My::Own::One::MODULE}, MR: {Type: X}}",
            {"One": ONE},
            "module.name-conflict",
            "/Resources/MR",
        ),
    ],
)
def test_what_expansion_refuses(text, modules, code, pointer):
    found = expand(text, **modules).diagnostics
    assert [(each.code, each.location.pointer) for each in found] == [(code, pointer)]


def test_three_levels_are_allowed():
    result = expand(
        "Resources: {A: {Type: My::Own::L1::MODULE}}",
        L1="Resources: {B: {Type: My::Own::L2::MODULE}}",
        L2="Resources: {C: {Type: My::Own::L3::MODULE}}",
        L3=ONE,
    )
    assert result.diagnostics == ()
    assert list(result.value["Resources"]) == ["ABCR"]


FINE = "Resources: {R: {Type: AWS::SNS::Topic}}"


@pytest.mark.parametrize(
    ("text", "code", "pointer"),
    [
        (FINE, None, None),
        ("Transform: AWS::Serverless-2016-10-31\n" + FINE, "module.transform", "/Transform"),
        (FINE + "\nOutputs: {O: {Value: 1, Export: {Name: x}}}", "module.export", "/Outputs/O/Export"),
        ("Resources: {R: {Type: AWS::CloudFormation::Stack}}", "module.forbidden-type", "/Resources/R/Type"),
        ("Resources: {R: {Type: AWS::CloudFormation::StackSet}}", "module.forbidden-type", "/Resources/R/Type"),
        (
            "Resources: {R: {Type: X, Properties: {P: !ImportValue x}}}",
            "module.import-value",
            "/Resources/R/Properties/P",
        ),
        (
            "Resources: {R: {Type: X, Properties: {P: {Fn::Transform: {Name: AWS::Include}}}}}",
            "module.transform",
            "/Resources/R/Properties/P",
        ),
        (
            "Parameters: {P: {Type: String, AllowedValues: [a]}}\n" + FINE,
            "module.unenforced-constraint",
            "/Parameters/P/AllowedValues",
        ),
        (
            "Resources: {R: {Type: A::B::C::MODULE, UpdatePolicy: {A: 1}}}",
            "module.attribute",
            "/Resources/R/UpdatePolicy",
        ),
        (
            "Resources: {R: {Type: A::B::C::MODULE, CreationPolicy: {ResourceSignal: {Count: 1}}}}",
            "module.attribute",
            "/Resources/R/CreationPolicy",
        ),
        (
            "Resources: {R: {Type: A::B::C::MODULE, UpdateReplacePolicy: Snapshot}}",
            "module.attribute",
            "/Resources/R/UpdateReplacePolicy",
        ),
        ("Resources: {R: {Type: A::B::C::MODULE, UpdateReplacePolicy: Retain, DeletionPolicy: Delete}}", None, None),
        ("Resources: {R: {Type: AWS::RDS::DBInstance, UpdateReplacePolicy: Snapshot}}", None, None),
        ("Resources: {R: {Type: AWS::CloudFormation::Macro}}", "module.forbidden-type", "/Resources/R/Type"),
        ("# !ImportValue in a comment is fine\n" + FINE, None, None),
    ],
)
def test_fragments(text, code, pointer):
    found = [(each.code, each.location.pointer) for each in check_fragment(template(text))]
    assert found == ([(code, pointer)] if code else [])


def test_public_modules():
    text = "Resources: {A: {Type: Custom::Thing}, B: {Type: Mongo::DB::Table, Metadata: {PublisherId: x}}, C: {Type: AWS::X::Y}}"
    assert check_fragment(template(text)) == []
    found = check_fragment(template(text), public=True)
    assert [each.code for each in found] == ["module.public-custom-resource", "module.publisher-metadata"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Resources: {R: {Type: A::B::C::MODULE, Tags: [{Key: a, Value: b}]}}", "template.resource-attribute"),
        ("Resources: {" + ", ".join(f"R{n}: {{Type: AWS::SNS::Topic}}" for n in range(501)) + "}", "template.limit"),
        (FINE + "\nOutputs: {" + ", ".join(f"O{n}: {{Value: 1}}" for n in range(201)) + "}", "template.limit"),
        (FINE + "\nMappings: {" + ", ".join(f"M{n}: {{A: {{B: c}}}}" for n in range(201)) + "}", "template.limit"),
        ("Outputs: {O: {Value: 1}}", "template.no-resources"),
    ],
    ids=["tags", "resources", "outputs", "mappings", "no resources"],
)
def test_what_reading_a_fragment_refuses(text, code):
    read = read_template(parse_document(text, name="fragment.yaml", short_tags=True))
    assert code in {each.code for each in read.diagnostics}
