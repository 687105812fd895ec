"""Every real schema gives Go models that compile, pass vet, are as gofmt has them, and round-trip any model."""

import json
from importlib import metadata
from pathlib import Path

import pytest

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
@needs_go
def test_schemas_that_cover_every_feature(tmp_path):
    known = schemas()
    check(tmp_path, [known[each] for each in covering_sample(known, 40)])


@needs_fixtures
@needs_go
@pytest.mark.slow
def test_all_schemas(tmp_path):
    documents = [*schemas().values()]
    assert len(documents) > 250
    check(tmp_path, documents)


@needs_go
@pytest.mark.slow
def test_the_registry(tmp_path):
    documents = [json.loads(each.read_text(encoding="utf-8")) for each in sorted(REGISTRY.glob("*.json"))]
    assert len(documents) > 1000
    check(tmp_path, documents)
