"""Every real schema gives Python models that compile for 3.9, import, type-check and round-trip any model."""

import ast
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import cloudformation_cli_python_lib
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.scaffold import ScaffoldRequest
from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.schema.resource import build_resource_schema
from support.corpus import corpus_projects, needs_fixtures
from support.generated import models_of, models_text, module_of, write_package
from support.model_values import ModelValues, matches
from support.plans import plan_new_project

PROJECTS = [each for each in corpus_projects("RESOURCE") if each.schema_path.is_file()]
REGISTRY = sorted(
    (Path(str(metadata.distribution("cfn-lint").locate_file("cfnlint"))) / "data/schemas/resources").glob("*.json")
)
# Seed and how many of the properties are given: none, all, some.
SAMPLES = [(0, 0.0), (1, 1.0), (2, 1.0), (3, 0.5), (4, 0.2)]


def check_round_trip(path):
    """A schema's models read and write models of it, typed and as CloudFormation sends them."""
    document = json.loads(path.read_text(encoding="utf-8"))
    text = models_text(document)
    ast.parse(text, feature_version=(3, 9))
    model = module_of(text).ResourceModel
    for seed, filled in SAMPLES:
        value = ModelValues(document, seed).model(filled)
        typed = model._deserialize(value.typed)
        assert matches(typed._serialize(), value.typed)
        assert matches(model._deserialize(value.sent)._serialize(), value.expected)
        assert model._deserialize(typed._serialize()) == typed


@needs_fixtures
@pytest.mark.parametrize("project", PROJECTS, ids=lambda each: each.id)
def test_projects_round_trip(project):
    check_round_trip(project.schema_path)


@pytest.mark.parametrize("path", REGISTRY[::50], ids=lambda each: each.stem)
def test_some_of_the_registry_round_trips(path):
    check_round_trip(path)


@pytest.mark.slow
def test_all_of_the_registry_round_trips():
    assert len(REGISTRY) > 1000
    for path in REGISTRY:
        check_round_trip(path)


def type_check(folder, texts):
    """What mypy says of modules with these texts, in one run."""
    write_package(folder / "generated", {f"models{number}": text for number, text in enumerate(texts)})
    library = Path(cloudformation_cli_python_lib.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version=3.10", f"--cache-dir={folder}/cache", "generated"],
        cwd=folder,
        env={"MYPYPATH": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_type_checker_finds_what_is_wrong(tmp_path):
    assert "Incompatible types" in type_check(tmp_path, ['x: int = "a"\n']).stdout


@pytest.mark.acceptance
@needs_fixtures
def test_projects_type_check(tmp_path):
    texts = [models_text(json.loads(each.schema_path.read_text(encoding="utf-8"))) for each in PROJECTS]
    done = type_check(tmp_path, texts)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_registry_type_checks(tmp_path):
    texts = [models_text(json.loads(each.read_text(encoding="utf-8"))) for each in REGISTRY]
    done = type_check(tmp_path, texts)
    assert done.returncode == 0, done.stdout


def check_scaffold(project):
    """A project can be started over a schema that is there: every file of it is made."""
    document = load_document(project.schema_path)
    request = ScaffoldRequest(
        kind=ExtensionKind.RESOURCE, type_name=document.value["typeName"], language="python312", schema=document
    )
    plan = plan_new_project(request)
    assert [name for name in plan if name.endswith("/models.py")]
    for name, file in plan.items():
        if name.endswith(".py"):
            ast.parse(file.text, feature_version=(3, 9))


@needs_fixtures
@pytest.mark.parametrize("project", PROJECTS[::25], ids=lambda each: each.id)
def test_projects_can_start_over_their_schemas(project):
    check_scaffold(project)


@needs_fixtures
@pytest.mark.slow
def test_all_projects_can_start_over_their_schemas():
    for project in PROJECTS:
        check_scaffold(project)


def check_valid_instances(project):
    """Models of values that the schema allows, patterns and limits included, come back as they were."""
    document = load_document(project.schema_path)
    model = models_of(document.value).ResourceModel
    generator = InstanceGenerator(build_resource_schema(document), seed=1)
    for make in (generator.minimal, generator.maximal, generator.random):
        try:
            value = make()
        except UnsatisfiableError:
            continue  # recursion without end, a pattern that nothing matches: said by validate
        assert matches(model._deserialize(value)._serialize(), value)


@needs_fixtures
@pytest.mark.parametrize("project", PROJECTS[::7], ids=lambda each: each.id)
def test_valid_instances_round_trip(project):
    check_valid_instances(project)


@needs_fixtures
@pytest.mark.slow
def test_all_valid_instances_round_trip():
    for project in PROJECTS:
        check_valid_instances(project)
