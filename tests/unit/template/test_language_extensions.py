"""AWS::LanguageExtensions: loops, and what can be told before anything exists."""

import pytest

from formwork.documents import parse_document
from formwork.template import read_template
from formwork.template.evaluation import Environment, EvaluationError
from formwork.template.evaluation.language_extensions import apply_language_extensions
from formwork.template.loops import LoopError, expand_loops


def apply(text, **parameters):
    found = read_template(parse_document(text, name="t.yaml", short_tags=True))
    return apply_language_extensions(found.template, Environment(parameters, {"AWS::StackName": "shop"}))


def test_a_loop_over_a_parameter():
    value = apply(
        """
        Transform: AWS::LanguageExtensions
        Parameters: {Names: {Type: CommaDelimitedList}}
        Resources:
          Fn::ForEach::Topics:
            - Name
            - !Ref Names
            - Topic&{Name}:
                Type: Acme::A::Topic
                DependsOn: [Other]
                Properties: {TopicName: !Join [".", [!Ref Name, fifo]], Of: !Sub "${Name} of ${AWS::StackName}"}
          Other: {Type: Acme::A::Topic}
        Outputs:
          Fn::ForEach::Arns:
            - Name
            - !Ref Names
            - Arn&{Name}: {Value: !GetAtt ["Topic&{Name}", Arn]}
        """,
        Names=["a-1", "b.2"],
    )
    assert value["Resources"] == {
        "Topica1": {
            "Type": "Acme::A::Topic",
            "DependsOn": "Other",
            "Properties": {"TopicName": "a-1.fifo", "Of": "a-1 of shop"},
        },
        "Topicb2": {
            "Type": "Acme::A::Topic",
            "DependsOn": "Other",
            "Properties": {"TopicName": "b.2.fifo", "Of": "b.2 of shop"},
        },
        "Other": {"Type": "Acme::A::Topic"},
    }
    assert value["Outputs"]["Arnb2"] == {"Value": {"Fn::GetAtt": ["Topicb2", "Arn"]}}
    assert "Transform" not in value


def test_loops_in_loops_and_in_properties():
    value = apply(
        """
        Transform: [AWS::LanguageExtensions, Other]
        Resources:
          Fn::ForEach::Outer:
            - X
            - [Foo, Bar]
            - My${X}: {Type: Acme::A::B}
              Fn::ForEach::Inner:
                - Y
                - [A, B]
                - My${X}${Y}:
                    Type: Acme::A::B
                    Properties:
                      Fn::ForEach::Rules: [Z, [p, q], {"Rule${Z}": !Sub "${X}/${Y}/${Z}"}]
        """
    )
    assert list(value["Resources"]) == ["MyFoo", "MyFooA", "MyFooB", "MyBar", "MyBarA", "MyBarB"]
    assert value["Resources"]["MyBarA"]["Properties"] == {"Rulep": "Bar/A/p", "Ruleq": "Bar/A/q"}
    assert value["Transform"] == "Other"


def test_what_resources_give_stays_and_the_rest_is_worked_out():
    value = apply(
        """
        Transform: AWS::LanguageExtensions
        Parameters: {Sizes: {Type: CommaDelimitedList}, Secret: {Type: String, NoEcho: true}}
        Conditions: {Never: !Equals [a, b]}
        Resources:
          A: {Type: Acme::A::B}
          B:
            Type: Acme::A::B
            DeletionPolicy: !If [Never, Retain, Delete]
            Properties:
              Count: {Fn::Length: !Ref Sizes}
              Text: {Fn::ToJsonString: {a: !Ref Sizes}}
              Of: !GetAtt A.Arn
              Joined: !Join ["/", [!Select [0, !Ref Sizes], !Ref A]]
              Password: !Sub "pw-${Secret}"
              Left: !If [Never, x, !Ref "AWS::NoValue"]
        """,
        Sizes=["1", "2"],
        Secret="hush",
    )
    b = value["Resources"]["B"]
    assert b["DeletionPolicy"] == "Delete"
    assert b["Properties"] == {
        "Count": 2,
        "Text": '{"a":["1","2"]}',
        "Of": {"Fn::GetAtt": ["A", "Arn"]},
        "Joined": {"Fn::Join": ["/", ["1", {"Ref": "A"}]]},
        "Password": {"Fn::Sub": "pw-${Secret}"},
    }
    assert "hush" not in str(value)


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        ('"nothing"', "a loop is a list"),
        ("[X, [a, a], {Same: {Type: Acme::A::B}}]", 'two members named "Same"'),
        ("[X, [{a: b}], {A: 1}]", "a list of texts"),
    ],
)
def test_a_loop_that_cannot_be_expanded(loop, message):
    with pytest.raises(EvaluationError, match=message):
        apply(f"Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L: {loop}\n")


def test_loops_have_a_greatest_depth():
    value = {"A": 1}
    for depth in range(6):
        value = {f"Fn::ForEach::L{depth}": [f"V{depth}", ["a"], value]}
    with pytest.raises(LoopError, match="at most 5 deep"):
        expand_loops(value, lambda *_: None)
