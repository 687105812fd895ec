"""Every real schema gives TypeScript that compiles, and models that round-trip, over our library and over AWS's form."""

import json
from importlib import metadata
from pathlib import Path

import pytest

from formwork.languages.typescript.generate.generator import TypeScriptGenerator
from formwork.model import build_type_model
from support.corpus import corpus_projects, needs_fixtures
from support.cover import covering_sample
from support.model_values import ModelValues, matches
from support.toolchains import needs_node
from support.typescript import SETTINGS, build, models_of, round_trip, write_models

pytestmark = needs_node

# Seed and how many of the properties are given: none, all, some.
SAMPLES = [(0, 0.0), (1, 1.0), (2, 1.0), (3, 0.5), (4, 0.2)]
REGISTRY = Path(str(metadata.distribution("cfn-lint").locate_file("cfnlint"))) / "data/schemas/resources"


def projects():
    paths = {each.id: each.schema_path for each in corpus_projects("RESOURCE") if each.schema_path.is_file()}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items()}


def check(documents, root):
    """All of these in one program: it compiles as strictly as tsc can, and each model comes back as it was."""
    modules = {name: f"m{number}" for number, name in enumerate(documents)}
    write_models(root, {module: models_of(documents[name]) for name, module in modules.items()})
    built = build(root)
    cases = [
        (name, sent, expected)
        for name, document in documents.items()
        for value in (ModelValues(document, seed).model(filled) for seed, filled in SAMPLES)
        for sent, expected in ((value.typed, value.typed), (value.sent, value.expected))
    ]
    answers = round_trip(built, [(modules[name], sent) for name, sent, _ in cases])
    assert len(answers) == len(cases)
    for (name, sent, expected), answer in zip(cases, answers, strict=True):
        assert "read" in answer, (name, answer, sent)
        assert matches(answer["read"], expected), (name, sent, answer["read"])


@needs_fixtures
def test_projects_that_cover_every_feature(tmp_path):
    documents = projects()
    check({name: documents[name] for name in covering_sample(documents)}, tmp_path)


@needs_fixtures
@pytest.mark.slow
def test_all_projects(tmp_path):
    documents = projects()
    assert len(documents) > 250
    check(documents, tmp_path)


@pytest.mark.slow
def test_some_of_the_registry(tmp_path):
    paths = sorted(REGISTRY.glob("*.json"))[::8]
    assert len(paths) > 150
    check({path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}, tmp_path)


@pytest.mark.slow
def test_the_targets_of_a_hook_with_hundreds_of_targets(tmp_path):
    targets = {}
    for path in sorted(REGISTRY.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        targets.setdefault(document["typeName"], document)
    targets = dict(sorted(targets.items())[:860])
    assert len(targets) == 860
    types = build_type_model({"typeName": "Aa::Bb::Hook", "handlers": {"preCreate": {"targetNames": [*targets]}}})
    plan = TypeScriptGenerator().plan_models(types, targets, SETTINGS)
    assert sum(name.startswith("src/target-models/") for name in plan) == 860
    for name, file in plan.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(file.text, encoding="utf-8")
    build(tmp_path)
