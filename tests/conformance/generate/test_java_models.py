"""Every real schema gives Java that compiles without a warning, and whose models AWS's serializer reads and writes."""

import json
import shutil

import pytest

from formwork.documents import parse_document
from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.schema.resource import build_resource_schema
from support.corpus import corpus_projects, needs_fixtures
from support.cover import covering_sample
from support.java import SUPPORT, canonical, compile_java, generate_all, round_trips
from support.toolchains import needs_java

pytestmark = [needs_java, needs_fixtures]
SEEDS = (1, 2, 3)


def documents():
    found = [each for each in corpus_projects("RESOURCE") if each.schema_path.is_file()]
    return {each.id: json.loads(each.schema_path.read_text(encoding="utf-8")) for each in found}


def models_of(document):
    """Some valid models of a schema: a full one, the least, and others."""
    schema = build_resource_schema(parse_document(json.dumps(document), name="schema.json"))
    for seed in SEEDS:
        generator = InstanceGenerator(schema, seed=seed)
        try:
            yield generator.maximal() if seed == 1 else generator.minimal() if seed == 2 else generator.random()
        except UnsatisfiableError:
            continue


def check(chosen, folder, *, style):
    sources, classes = folder / "sources", folder / "classes"
    generated = generate_all(chosen, sources, style=style)
    shutil.copytree(SUPPORT, sources, dirs_exist_ok=True)
    compile_java(sources, classes)
    asked = [
        (name, f"{generated.packages[name]}.ResourceModel", model)
        for name, document in sorted(chosen.items())
        for model in models_of(document)
    ]
    answers = round_trips([each[1:] for each in asked], [classes])
    assert len(answers) == len(asked) >= len(chosen)
    wrong = {}
    for (name, _, sent), got in zip(asked, answers, strict=True):
        if canonical(got) != canonical(sent):
            wrong[name] = (sent, got)
    assert not wrong, f"{sorted(wrong)}: {json.dumps(wrong[min(wrong)], indent=1)[:3000]}"


@pytest.mark.acceptance
def test_a_sample_that_covers_every_feature_compiles_and_round_trips(tmp_path):
    known = documents()
    check({name: known[name] for name in covering_sample(known)}, tmp_path, style="default")


@pytest.mark.slow
@pytest.mark.parametrize("style", ["default", "guided_aws"])
def test_every_schema_compiles_and_round_trips(tmp_path, style):
    known = documents()
    assert len(known) > 250
    check(known, tmp_path, style=style)
