"""Evaluating templates: a golden for the functions, and what has no value."""

import json
from pathlib import Path

import pytest

from formwork.aws.scope import Scope
from formwork.documents import load_document, parse_document
from formwork.preparation.pseudo_parameters import pseudo_parameters
from formwork.template import read_template
from formwork.template.evaluation import (
    UNKNOWN,
    Environment,
    EvaluationError,
    Evaluator,
    StackOutput,
    has_unknown,
    replace_unknown,
)

CASES = Path(__file__).parents[2] / "golden" / "template" / "evaluation"
STAND_IN = "(known after apply)"


class Made:
    """One resource that exists, `Made`; others are known later."""

    attributes = {"Arn": "arn:made", "Endpoint.Port": 5432}  # noqa: RUF012 - never changed

    def reference(self, logical_id):
        return "made-1" if logical_id == "Made" else UNKNOWN

    def attribute(self, logical_id, name):
        return self.attributes[name] if logical_id == "Made" else UNKNOWN


class OneStack:
    """A stack `net`, whose output `Vpc` is exported as `shared`."""

    def export(self, name):
        return {"shared": "vpc-1"}[name]

    def output(self, wanted):
        return {StackOutput("net", "Vpc"): "vpc-1", StackOutput("net", "Vpc", "us-east-1"): "vpc-2"}[wanted]


def environment(template, **changes):
    values = {
        name: [each.strip() for each in each.default.split(",")] if "List" in each.type else str(each.default)
        for name, each in template.parameters.items()
        if each.has_default
    }
    pseudo = pseudo_parameters(Scope("111122223333", "eu-west-1"), stack_name="shop", stack_id="arn:shop")
    return Environment(**{"parameters": values, "pseudo": pseudo, "resources": Made(), "stacks": OneStack()} | changes)


def read(text):
    found = read_template(parse_document(text, name="t.yaml", short_tags=True))
    assert found.template is not None, found.diagnostics
    return found.template


def outcome(evaluator, expression):
    try:
        return replace_unknown(evaluator.value(expression), STAND_IN)
    except EvaluationError as error:
        return {"error": error.message, "path": "/" + "/".join(map(str, error.path))}


@pytest.mark.parametrize("case", sorted(each.stem for each in CASES.glob("*.yaml")))
def test_golden(case, golden):
    template = read_template(load_document(CASES / f"{case}.yaml", short_tags=True)).template
    evaluator = Evaluator(template, environment(template))
    values = {name: outcome(evaluator, each.value) for name, each in template.outputs.items()}
    golden(f"template/evaluation/{case}.json", json.dumps(values, indent=2) + "\n")


def test_every_function_has_a_value_in_the_goldens_or_a_test_here():
    from formwork.template.evaluation.functions import FUNCTIONS
    from formwork.template.functions import FUNCTION_TABLE

    assert set(FUNCTIONS) == set(FUNCTION_TABLE)


def test_no_value_leaves_a_property_out():
    template = read(
        """
        Conditions: {Never: !Equals [a, b]}
        Resources:
          A:
            Type: Acme::A::B
            Properties: {Kept: 1, Left: !If [Never, x, !Ref "AWS::NoValue"], List: [1, !Ref "AWS::NoValue"]}
        """
    )
    assert Evaluator(template, Environment()).properties(template.resources["A"]) == {"Kept": 1, "List": [1]}


def test_a_resource_whose_condition_does_not_hold_cannot_be_referred_to():
    template = read(
        """
        Conditions: {Never: !Equals [a, b]}
        Resources:
          A: {Type: Acme::A::B, Condition: Never}
          B: {Type: Acme::A::B, Properties: {Of: !Ref A}}
        """
    )
    evaluator = Evaluator(template, Environment())
    assert not evaluator.exists(template.resources["A"])
    with pytest.raises(EvaluationError, match=r"Unresolved resource dependencies \[A\] in the Resources block"):
        evaluator.properties(template.resources["B"])


def test_conditions_that_need_each_other():
    template = read(
        """
        Conditions: {A: !Not [!Condition B], B: !Not [!Condition A]}
        Resources: {X: {Type: Acme::A::B}}
        """
    )
    with pytest.raises(EvaluationError, match="Circular"):
        Evaluator(template, Environment()).condition("A")


def test_rules():
    template = read(
        """
        Parameters: {Size: {Type: String}, Env: {Type: String}, Zones: {Type: "List<String>"}}
        Rules:
          Production:
            RuleCondition: !Equals [!Ref Env, prod]
            Assertions:
              - Assert: {"Fn::Contains": [[large, huge], !Ref Size]}
                AssertDescription: production is large
              - Assert: {"Fn::EachMemberIn": [!Ref Zones, [a, b]]}
                AssertDescription: zones a and b only
              - Assert: {"Fn::EachMemberEquals": [!Ref Zones, a]}
        Resources: {X: {Type: Acme::A::B}}
        """
    )

    def failed(**parameters):
        return Evaluator(template, Environment(parameters=parameters)).failed_assertions(template.rules["Production"])

    assert failed(Size="small", Env="test", Zones=["z"]) == ()
    assert failed(Size="large", Env="prod", Zones=["a"]) == ()
    assert failed(Size="small", Env="prod", Zones=["a", "z"]) == (
        "production is large",
        "zones a and b only",
        "Rule Production is violated",
    )


def test_what_language_extensions_add():
    template = read(
        """
        Transform: AWS::LanguageExtensions
        Mappings: {M: {a: {b: found}}}
        Resources: {X: {Type: Acme::A::B}}
        Outputs:
          Length: {Value: {"Fn::Length": [1, 2]}}
          Text: {Value: {"Fn::ToJsonString": {a: [1, true]}}}
          Default: {Value: {"Fn::FindInMap": [M, z, b, {DefaultValue: none}]}}
        """
    )
    evaluator = Evaluator(template, Environment())
    assert [evaluator.value(each.value) for each in template.outputs.values()] == [2, '{"a":[1,true]}', "none"]


def test_unknown_inside_values():
    value = {"a": [UNKNOWN, 1], "b": "x"}
    assert has_unknown(value)
    assert not has_unknown({"a": [1]})
    assert replace_unknown(value, "?") == {"a": ["?", 1], "b": "x"}
