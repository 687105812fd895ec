"""Every real schema gives Go models that compile, pass vet, are as gofmt has them, and round-trip any model."""

import json
from importlib import metadata
from pathlib import Path

import pytest

from formwork.documents import load_document
from formwork.generate.generated import plan_generated
from formwork.generate.plan import seed
from formwork.languages.catalogue import expect_generator
from formwork.languages.go.generate.generator import GoGenerator
from formwork.model import build_type_model
from formwork.project import load_project
from formwork.schema.resource import build_resource_schema
from support import golang
from support.corpus import corpus_projects, needs_fixtures
from support.cover import covering_sample
from support.golang_models import GoModels
from support.model_values import ModelValues
from support.toolchains import needs_go

REGISTRY = Path(str(metadata.distribution("cfn-lint").locate_file("cfnlint"))) / "data" / "schemas" / "resources"
# Seed and how many of the properties are given: none, all, some.
SAMPLES = [(0, 0.0), (1, 1.0), (2, 1.0), (3, 0.5), (4, 0.2)]


def schemas():
    """The resource schemas of the corpus by their projects' names."""
    return {
        each.id: json.loads(each.schema_path.read_text(encoding="utf-8"))
        for each in corpus_projects("RESOURCE")
        if each.schema_path.is_file()
    }


def check(folder, documents):
    models = GoModels(folder, documents)
    models.check()
    models.check_round_trips(
        documents, lambda document, _: [ModelValues(document, seed).model(filled) for seed, filled in SAMPLES]
    )


@needs_fixtures
@pytest.mark.parametrize(
    "project", [each for each in corpus_projects("RESOURCE") if each.language == "go"], ids=lambda each: each.id
)
def test_projects_of_the_incumbent_are_generated_as_they_are(project):
    loaded = load_project(project.root)
    schema = build_resource_schema(load_document(project.schema_path))
    plan = plan_generated(loaded, schema, expect_generator(loaded.language))
    assert {"cmd/main.go", "cmd/resource/model.go", "cmd/resource/config.go"} <= plan.keys()
    assert not [name for name in plan if name.startswith("internal/")], "AWS's runtime stays"
    path = loaded.settings.get("import_path", loaded.settings.get("importpath"))
    assert f'"{path}/cmd/resource"' in plan["cmd/main.go"].text


@pytest.mark.acceptance
@needs_fixtures
@needs_go
def test_schemas_that_cover_every_feature(tmp_path):
    known = schemas()
    check(tmp_path, [known[each] for each in covering_sample(known)])


@needs_fixtures
@needs_go
@pytest.mark.slow
def test_all_schemas(tmp_path):
    documents = [*schemas().values()]
    assert len(documents) > 250
    check(tmp_path, documents)


@needs_go
@pytest.mark.slow
def test_some_of_the_registry(tmp_path):
    paths = sorted(REGISTRY.glob("*.json"))[::8]
    assert len(paths) > 150
    check(tmp_path, [json.loads(path.read_text(encoding="utf-8")) for path in paths])


@needs_go
@pytest.mark.slow
def test_the_targets_of_a_hook_with_hundreds_of_targets(tmp_path):
    targets = {}
    for path in sorted(REGISTRY.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        targets.setdefault(document["typeName"], document)
    targets = dict(sorted(targets.items())[:860])
    assert len(targets) == 860
    types = build_type_model({"typeName": "Aa::Bb::Hook", "handlers": {"preCreate": {"targetNames": [*targets]}}})
    settings = {"import_path": "aa-bb-hook", "handler_library": "formwork"}
    plan = GoGenerator().plan_models(types, targets, settings)
    assert sum(name.startswith("internal/targets/") for name in plan) == 860
    plan = {**plan, "go.mod": seed("module aa-bb-hook\n\ngo 1.24\n")}
    for name, file in plan.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(file.text, encoding="utf-8")
    golang.go("vet", "./internal/...", folder=tmp_path)
    assert golang.unformatted(tmp_path) == []
