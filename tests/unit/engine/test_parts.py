"""Small parts of the engine: types of values, meanings of answers, orders, drift."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.documents import parse_document
from formwork.engine.changes.graph import build_graph, restrict, reverse_graph, sort_topologically
from formwork.engine.deployed.drift_comparison import DifferenceType, ResourceDriftStatus, compare_drift
from formwork.invoke import AnswerProblem, ProblemKind
from formwork.provisioning.outcomes import Failed, Succeeded, Waiting, read_outcome, retry_delay
from formwork.schema import load_resource_schema
from formwork.schema.coercion import coerce_properties
from formwork.template import read_template
from formwork.template.evaluation import Environment, Evaluator

SCHEMA = """
typeName: Acme::Web::Thing
description: A thing.
additionalProperties: false
properties:
  Id: {type: string}
  Name: {type: string}
  Count: {type: integer}
  Rate: {type: number}
  On: {type: boolean}
  Either: {type: [integer, string]}
  Policy: {type: [object, string]}
  Text: {type: string}
  Secret: {type: string}
  Sizes: {type: array, items: {type: integer}, insertionOrder: false}
  Net:
    type: object
    additionalProperties: false
    properties: {Port: {type: integer}, Host: {type: string}}
  Labels: {type: object, additionalProperties: false, patternProperties: {".*": {type: integer}}}
primaryIdentifier: [/properties/Id]
readOnlyProperties: [/properties/Id]
writeOnlyProperties: [/properties/Secret]
propertyTransform: {/properties/Name: $lowercase(Name)}
handlers: {create: {permissions: [a:C]}, read: {permissions: [a:R]}, delete: {permissions: [a:D]}}
"""


@pytest.fixture(scope="module")
def schema():
    return load_resource_schema(parse_document(SCHEMA, name="thing.yaml")).schema


@pytest.mark.parametrize(
    ("name", "written", "typed"),
    [
        ("Count", "5", 5),
        ("Count", "many", "many"),
        ("Count", 5, 5),
        ("Rate", "0.5", 0.5),
        ("Rate", 1, 1),
        ("On", "true", True),
        ("On", False, False),
        ("Name", 5, "5"),
        ("Name", True, "true"),
        ("Either", "x", "x"),
        ("Either", "5", "5"),
        ("Policy", {"a": 1}, {"a": 1}),
        ("Sizes", ["1", 2], [1, 2]),
        ("Net", {"Port": "80", "Host": 1}, {"Port": 80, "Host": "1"}),
        ("Labels", {"a": "1"}, {"a": 1}),
        ("Unknown", "5", "5"),
    ],
)
def test_values_get_the_types_of_the_schema(schema, name, written, typed):
    assert coerce_properties(schema, {name: written}) == {name: typed}


def test_outcomes():
    assert read_outcome("CREATE", {"status": "SUCCESS", "resourceModel": {"a": 1}}, None) == Succeeded({"a": 1})
    listed = {"status": "SUCCESS", "resourceModels": [{"a": 1}], "nextToken": "t"}
    assert read_outcome("LIST", listed, None) == Succeeded(None, ({"a": 1},), "t")
    waiting = {
        "status": "IN_PROGRESS",
        "callbackDelaySeconds": 3,
        "callbackContext": {"n": 1},
        "resourceModel": {"a": 1},
    }
    assert read_outcome("CREATE", waiting, None) == Waiting(3, {"a": 1}, {"n": 1})
    assert read_outcome("READ", waiting, None).code == "InternalFailure"
    assert read_outcome("CREATE", {"status": "IN_PROGRESS", "callbackDelaySeconds": -1}, None).code == "NotStabilized"
    failed = read_outcome("CREATE", {"status": "FAILED", "errorCode": "Throttling", "message": "slow"}, None)
    assert failed == Failed("Throttling", "slow")
    assert failed.retriable
    assert not read_outcome("CREATE", {"status": "FAILED"}, None).retriable
    assert read_outcome("CREATE", {"status": "DONE"}, None).code == "InternalFailure"
    crash = AnswerProblem(ProblemKind.FUNCTION_ERROR, "boom", "Runtime.ExitError")
    assert read_outcome("CREATE", None, crash) == Failed("InternalFailure", "boom")
    late = AnswerProblem(ProblemKind.FUNCTION_ERROR, "Task timed out after 3.00 seconds", "Sandbox.Timedout")
    assert read_outcome("CREATE", None, late) == Failed("ServiceTimeout", "Resource handler timed out.", plain=True)


def test_retries_back_off_and_end():
    assert [retry_delay(each) for each in range(1, 6)] == [1, 2, 4, 8, None]


def test_orders():
    template = read_template(
        parse_document(
            """
            Conditions: {Never: !Equals [a, b]}
            Resources:
              C: {Type: Acme::A::B, DependsOn: [B, Gone]}
              A: {Type: Acme::A::B}
              B: {Type: Acme::A::B, Properties: {X: !GetAtt A.Arn}}
              Gone: {Type: Acme::A::B, Condition: Never}
            """,
            name="t.yaml",
            short_tags=True,
        )
    ).template
    graph = build_graph(template, Evaluator(template, Environment()))
    assert graph == {"A": (), "B": ("A",), "C": ("B",)}
    assert list(graph) == ["A", "B", "C"]
    assert reverse_graph(graph) == {"C": (), "B": ("C",), "A": ("B",)}
    assert restrict(graph, ["A", "C"]) == {"A": (), "C": ("A",)}


@given(st.dictionaries(st.integers(0, 30), st.sets(st.integers(0, 30)), max_size=30))
def test_every_order_keeps_every_edge(drawn):
    edges = {str(name): tuple(str(each) for each in sorted(to) if each < name) for name, to in drawn.items()}
    place = {name: n for n, name in enumerate(sort_topologically(edges))}
    assert place.keys() == edges.keys()
    assert all(place[each] < place[name] for name, to in edges.items() for each in to if each in edges)


def test_drift(schema):
    properties = {"Name": "ABC", "Count": "5", "Secret": "hush", "Sizes": [1, 2], "Net": {"Port": "80"}}
    model = {"Id": "1", "Name": "abc", "Count": 5, "Sizes": [2, 1], "Net": {"Port": 80, "Host": "h"}, "Text": "default"}
    same = compare_drift(schema, properties, model)
    assert (same.status, same.differences) == (ResourceDriftStatus.IN_SYNC, ())
    assert "hush" not in str(same)
    assert same.actual == {"Name": "abc", "Count": 5, "Sizes": [2, 1], "Net": {"Port": 80}}
    changed = compare_drift(schema, properties, {**model, "Count": 6, "Sizes": [1], "Net": {"Host": "h"}})
    assert changed.status is ResourceDriftStatus.MODIFIED
    assert {(each.path, each.kind, each.expected, each.actual) for each in changed.differences} == {
        ("/Count", DifferenceType.NOT_EQUAL, "5", "6"),
        ("/Sizes", DifferenceType.NOT_EQUAL, '["1","2"]', '["1"]'),
        ("/Net/Port", DifferenceType.REMOVE, "80", "null"),
    }
    assert compare_drift(schema, properties, None).status is ResourceDriftStatus.DELETED
