import pytest

from formwork.documents import parse_document
from formwork.template import read_template


def read(text, name="t.yaml"):
    return read_template(parse_document(text, name=name, short_tags=True))


def problems(text):
    return [(each.code, each.location.pointer, each.location.start.line) for each in read(text).diagnostics]


RESOURCES = "Resources:\n  A:\n    Type: AWS::SNS::Topic\n"


def test_sections_are_typed():
    template = read(
        """
AWSTemplateFormatVersion: 2010-09-09
Description: all of it
Metadata: {Any: thing}
Parameters:
  Name: {Type: String, Default: x, AllowedPattern: "[a-z]+", NoEcho: true, MinLength: "1"}
Rules:
  R:
    RuleCondition: !Equals [!Ref Name, x]
    Assertions: [{Assert: !Not [!Equals [!Ref Name, y]], AssertDescription: no y}]
Mappings: {M: {a: {b: c}}}
Conditions:
  C: !And [!Condition D, !Equals [!Ref AWS::Region, eu-west-1]]
  D: !Equals [a, b]
Resources:
  A:
    Type: AWS::SNS::Topic
    Condition: C
    DependsOn: B
    DeletionPolicy: Retain
    Properties: {TopicName: !Sub "${Name}-${B.Arn}"}
  B:
    Type: My::Own::Thing::MODULE
Outputs:
  O: {Value: !GetAtt A.TopicArn, Export: {Name: !Sub "${AWS::StackName}-o"}, Condition: D}
"""
    )
    assert template.diagnostics == ()
    value = template.template
    assert value.description == "all of it"
    name = value.parameters["Name"]
    assert (name.type, name.default, name.no_echo, name.min_length) == ("String", "x", True, 1)
    assert value.resources["A"].depends_on == ("B",)
    assert value.resources["A"].condition == "C"
    assert value.resources["B"].is_module
    assert value.outputs["O"].condition == "D"
    assert value.outputs["O"].export is not None
    assert value.rules["R"].assertions[0][1] == "no y"
    assert value.locate(value.resources["A"].path).start.line == 17


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Resources: {}", ("template.no-resources", "/Resources", 1)),
        ("Description: x", ("template.no-resources", "", 1)),
        ("- a", ("template.format", "", 1)),
        (RESOURCES + "Nope: 1", ("template.unknown-section", "/Nope", 4)),
        (
            "AWSTemplateFormatVersion: 2011-01-01\n" + RESOURCES,
            ("template.format-version", "/AWSTemplateFormatVersion", 1),
        ),
        ("Resources:\n  a-b:\n    Type: X", ("template.name", "/Resources/a-b", 2)),
        ("Resources:\n  A: x", ("template.resource", "/Resources/A", 2)),
        ("Resources:\n  A: {}", ("template.resource", "/Resources/A", 2)),
        (RESOURCES + "    Nope: 1", ("template.resource-attribute", "/Resources/A/Nope", 4)),
        (RESOURCES + "    Properties: [1]", ("template.resource", "/Resources/A/Properties", 4)),
        (RESOURCES + "    DependsOn: 1", ("template.depends-on", "/Resources/A/DependsOn", 4)),
        (RESOURCES + "    DependsOn: [Z]", ("template.unresolved-reference", "/Resources/A/DependsOn", 4)),
        (RESOURCES + "    Condition: Z", ("template.unresolved-condition", "/Resources/A/Condition", 4)),
        (RESOURCES + "    DeletionPolicy: Keep", ("template.policy", "/Resources/A/DeletionPolicy", 4)),
        (
            RESOURCES + "    DeletionPolicy: !Ref AWS::Region",
            ("template.computed-policy", "/Resources/A/DeletionPolicy", 4),
        ),
        (
            RESOURCES + "    Properties:\n      P: !Ref Z",
            ("template.unresolved-reference", "/Resources/A/Properties/P/Ref", 5),
        ),
        (RESOURCES + "    Properties:\n      P: ~", ("template.null", "/Resources/A/Properties/P", 5)),
        (
            RESOURCES + "    Properties:\n      P: !Select [x, []]",
            ("template.function-argument", "/Resources/A/Properties/P", 5),
        ),
        (
            RESOURCES + "    Properties:\n      P: !FindInMap [M, a, b]",
            ("template.unresolved-mapping", "/Resources/A/Properties/P/Fn::FindInMap/0", 5),
        ),
        (
            RESOURCES + "Conditions:\n  C: !Equals [!GetAtt A.X, 1]",
            ("template.function-place", "/Conditions/C/Fn::Equals/0", 5),
        ),
        (
            RESOURCES + "Conditions:\n  C: !Equals [!Ref A, 1]",
            ("template.unresolved-reference", "/Conditions/C/Fn::Equals/0/Ref", 5),
        ),
        (RESOURCES + "Outputs:\n  O: {}", ("template.output", "/Outputs/O", 5)),
        (RESOURCES + "Outputs:\n  O: {Value: 1, Export: x}", ("template.output", "/Outputs/O/Export", 5)),
        (RESOURCES + "Mappings:\n  M: {a: b}", ("template.mapping", "/Mappings/M/a", 5)),
        (RESOURCES + "Parameters:\n  P: {}", ("template.parameter", "/Parameters/P", 5)),
        (RESOURCES + "Parameters:\n  P: {Type: Text}", ("template.parameter-type", "/Parameters/P/Type", 5)),
        (
            RESOURCES + "Parameters:\n  P: {Type: Number, Default: x}",
            ("template.parameter-default", "/Parameters/P/Default", 5),
        ),
        (RESOURCES + "Parameters:\n  P: {Type: String, Nope: x}", ("template.parameter", "/Parameters/P/Nope", 5)),
        (RESOURCES + "Rules:\n  R: {}", ("template.rule", "/Rules/R", 5)),
    ],
)
def test_problems_have_places(text, expected):
    assert problems(text) == [expected]


def test_circular_dependency():
    found = read("Resources:\n  A: {Type: X, DependsOn: B}\n  B: {Type: X, Properties: {P: !Ref A}}").diagnostics
    assert [(each.message, each.hint) for each in found] == [
        ("Circular dependency between resources: [A, B]", "A → B → A")
    ]


def test_deep_chain_has_no_recursion():
    chain = "".join(f"  R{i}: {{Type: X, DependsOn: R{i + 1}}}\n" for i in range(499))
    assert read("Resources:\n" + chain + "  R499: {Type: X}\n").diagnostics == ()


def test_a_macro_may_add_what_is_missing():
    text = "Transform: My::Macro\nResources:\n  A: {Type: X, Nope: 1, Properties: {P: !Ref Made}}"
    assert read(text).diagnostics == ()


def test_loops_of_language_extensions_are_kept():
    text = """
Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Topics: [Name, [a, b], {"Topic${Name}": {Type: AWS::SNS::Topic}}]
  B: {Type: X, Properties: {P: !Ref Topica}}
"""
    read_back = read(text)
    assert read_back.diagnostics == ()
    assert list(read_back.template.loops["Resources"]) == ["Fn::ForEach::Topics"]


def test_condition_is_a_reference_only_in_conditions():
    text = RESOURCES + "    Properties: {Policy: {Statement: {Condition: {StringEquals: {a: b}}}}}"
    assert read(text).diagnostics == ()
