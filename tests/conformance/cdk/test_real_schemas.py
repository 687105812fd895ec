"""Constructs of every real schema: they compile as strictly as compilers can, and render what models of them are.

`-k part-3` runs one part of the campaign.
"""

import json
import os
import subprocess

import pytest

from formwork.cdk import plan_constructs, resource_construct
from formwork.cdk.names import snake_case
from formwork.generate.write import write_plan
from formwork.languages.python.generate.text import literal
from support.cdk import Props, compile_constructs, models, python_with_cdk, synthesized
from support.cdk_schemas import PARTS, aws_schemas, project_schemas
from support.corpus import needs_fixtures
from support.toolchains import needs_node

pytestmark = [needs_node, pytest.mark.slow]


def check_typescript(schemas, folder):
    constructs = [resource_construct(each) for each in schemas]
    assert compile_constructs(constructs, folder) == ""
    cases = [
        (construct, Props(construct), model)
        for schema, construct in zip(schemas, constructs, strict=True)
        for model in models(schema)
    ]
    answers = synthesized(folder, [(construct, props.of(model)) for construct, props, model in cases])
    assert len(answers) == len(cases) > len(schemas)
    wrong = {
        construct.type_name: answer.get("error", answer)
        for (construct, props, model), answer in zip(cases, answers, strict=True)
        if answer != {"properties": props.expected(model)}
    }
    assert wrong == {}, f"{len(wrong)} of {len(schemas)} types: {', '.join(wrong)}"


def check_python(schemas, folder):
    constructs = [resource_construct(each) for each in schemas]
    write_plan(plan_constructs(constructs, "python"), folder / "made")
    python = python_with_cdk()
    command = [python, "-m", "mypy", "--strict", "--cache-dir", str(folder.parent / "mypy"), "made"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr


@pytest.mark.parametrize("part", [pytest.param(number, id=f"part-{number}") for number in range(PARTS)])
def test_typescript_of_awss_types(part, tmp_path):
    check_typescript(aws_schemas(part), tmp_path)


@pytest.mark.parametrize("part", [pytest.param(number, id=f"part-{number}") for number in range(PARTS)])
def test_python_of_awss_types(part, tmp_path):
    check_python(aws_schemas(part), tmp_path)


@needs_fixtures
def test_typescript_of_the_fixtures(tmp_path):
    check_typescript(project_schemas(), tmp_path)


@needs_fixtures
def test_python_of_the_fixtures(tmp_path):
    check_python(project_schemas(), tmp_path)


def test_python_renders_models_with_the_real_cdk(tmp_path):
    """Through jsii: what Python gives is what the template has; one type in forty."""
    schemas = aws_schemas(0)[::7]
    constructs = [resource_construct(each) for each in schemas]
    write_plan(plan_constructs(constructs, "python"), tmp_path / "made")
    cases = [
        (each.type_name.replace("::", "_").lower(), each.class_name, Props(each, snake_case), model)
        for schema, each in zip(schemas, constructs, strict=True)
        for model in models(schema)
    ]
    given = [(module, name, props.of(model)) for module, name, props, model in cases]
    (tmp_path / "cases.json").write_text(json.dumps(given), encoding="utf-8")
    script = f"""
import importlib, json, sys
import aws_cdk
sys.path.insert(0, {literal(str(tmp_path))})
app = aws_cdk.App()
stack = aws_cdk.Stack(app, "S")
for at, (module, name, props) in enumerate(json.load(open({literal(str(tmp_path / "cases.json"))}))):
    getattr(importlib.import_module("made." + module), name)(stack, f"R{{at}}", **props)
print("resources", json.dumps(app.synth().get_stack_by_name("S").template["Resources"]))
"""
    ended = subprocess.run(
        [python_with_cdk(), "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "1"},
    )
    assert ended.returncode == 0, ended.stderr[-4000:]
    (line,) = (each for each in ended.stdout.splitlines() if each.startswith("resources "))
    resources = json.loads(line.removeprefix("resources "))
    for at, (*_, props, model) in enumerate(cases):
        assert resources[f"R{at}"].get("Properties", {}) == props.expected(model)
