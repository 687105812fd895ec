"""The names of workflows and of their steps are in every database, so none changes unnoticed."""

import ast
import json
from pathlib import Path

import formwork

_WORK = {"work", "_work"}


def calls_of_work():
    """(method, its first argument as Python) of every call of durable work in the source."""
    for tree in trees():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=method)):
                    if name in _WORK and method in {"register", "start", "step"}:
                        yield method, node.args[0]


def trees():
    for path in sorted(Path(formwork.__file__).parent.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "WORKFLOW" in text or ".step(" in text:
            yield ast.parse(text)


def test_names(golden):
    workflows = sorted(
        ast.literal_eval(node.value)
        for tree in trees()
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WORKFLOW"
    )
    steps = sorted({ast.literal_eval(name) for method, name in calls_of_work() if method == "step"})
    golden("durable/names.json", json.dumps({"workflows": workflows, "steps": steps}, indent=2) + "\n")


def test_workflows_are_named_by_constants():
    """`WORKFLOW` of a module, whatever it is imported as: the golden file has them all."""
    named = {ast.unparse(name) for method, name in calls_of_work() if method != "step"}
    assert {each.rpartition(".")[2].removeprefix("SETTLING_") for each in named} == {"WORKFLOW"}
