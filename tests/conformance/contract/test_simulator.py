"""Inputs for every real schema, and the whole suite on a simulated back end of each: generation works, nobody is accused.

`make test` runs 40 schemas that cover every feature; `make conformance` all of them.
"""

import functools
import json
import time
from importlib.resources import files

import pytest

from formwork.contract import run_suite
from formwork.diagnostics import BadInputError
from formwork.documents import load_document
from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Behaviour, Simulator
from support.contract_subjects import subject_of
from support.corpus import corpus_projects, needs_fixtures

# What the schemas themselves get wrong: they say they are taggable, and have no such property.
OWN_FAULTS = {"tags.declared"}
SECONDS = 0.5  # of CPU for one type, and on average half of it; on a busy machine the best of three counts
FEATURES = (
    "oneOf", "anyOf", "allOf", "patternProperties", "uniqueItems", "insertionOrder", "pattern", "format", "enum",
    "const", "multipleOf", "minimum", "maxLength", "minItems", "dependencies", "default", "additionalIdentifiers",
    "writeOnlyProperties", "createOnlyProperties", "conditionalCreateOnlyProperties", "deprecatedProperties",
    "readOnlyProperties", "propertyTransform", "tagging", "nonPublicProperties", "minProperties", "handlerSchema",
)  # fmt: skip


@functools.cache
def schema_paths():
    cfn_lint = files("cfnlint") / "data" / "schemas" / "resources"
    packaged = sorted((each for each in cfn_lint.iterdir() if each.name.endswith(".json")), key=lambda each: each.name)
    ours = [each.schema_path for each in corpus_projects("RESOURCE") if each.schema_path.is_file()]
    return [*ours, *packaged]


@functools.cache
def sample():
    """40 small schemas: for every feature the first few that have it, then any."""
    chosen = []
    for path in schema_paths():
        text = path.read_text(encoding="utf-8")
        if len(text) > 12_000:
            continue
        new = [each for each in FEATURES if f'"{each}"' in text and sum(each in has for _, has in chosen) < 2]
        if new or (len(chosen) > 30 and len(chosen) < 40):
            chosen.append((path, new))
        if len(chosen) >= 40 and all(any(each in has for _, has in chosen) for each in FEATURES[:20]):
            break
    return [path for path, _ in chosen][:60]


def load(path):
    try:
        schema = build_resource_schema(load_document(path))
    except BadInputError:
        return None
    usable = schema.primary_identifier and {"create", "delete"} <= set(schema.handlers)
    return schema if usable else None


def accusations(schema, seed):
    simulator = Simulator(schema, Behaviour(page_size=2), seed=seed)
    result = run_suite(subject_of(simulator, schema, seed=seed, examples=3))
    return [
        f"{each.clause}: {each.message} {[one.pointer for one in each.differences]}"
        for each in result.findings
        if each.is_violation and each.clause not in OWN_FAULTS
    ]


def timed_accusations(schema):
    started = time.process_time()
    found = accusations(schema, 1)
    return found, time.process_time() - started


@needs_fixtures
def test_a_sample_of_real_types_is_proved_on_the_simulator():
    schemas = [(path.name, schema) for path in sample() if (schema := load(path)) is not None]
    assert len(schemas) >= 30
    accused = {name: found for name, schema in schemas if (found := accusations(schema, 1))}
    assert accused == {}


@pytest.mark.slow
@needs_fixtures
@pytest.mark.parametrize("part", range(8))
def test_every_real_type_is_proved_on_the_simulator(part):
    failed, seconds = {}, {}
    for path in schema_paths()[part::8]:
        schema = load(path)
        if schema is None:
            continue
        found, seconds[path.name] = timed_accusations(schema)
        for _ in range(2):
            if seconds[path.name] <= SECONDS:
                break
            seconds[path.name] = min(seconds[path.name], timed_accusations(load(path))[1])
        if found:
            failed[path.name] = found
    assert json.dumps(failed, indent=1) == "{}"
    assert sum(seconds.values()) / len(seconds) < SECONDS / 2
    assert {name: each for name, each in seconds.items() if each > SECONDS} == {}


@pytest.mark.slow
@needs_fixtures
def test_inputs_are_made_for_99_of_100_real_types():
    counted, failed = 0, {}
    for path in schema_paths():
        try:
            schema = build_resource_schema(load_document(path))
        except BadInputError:
            continue
        counted += 1
        try:
            generator = InstanceGenerator(schema, seed=2)
            models = [generator.minimal(), generator.maximal(), generator.random()]
            assert all(generator.is_valid(each) for each in models)
        except UnsatisfiableError as error:
            failed[path.name] = str(error)
    assert counted > 2000
    assert len(failed) <= counted / 100, failed
