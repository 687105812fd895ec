"""Inputs for every real schema, and the whole suite on a simulated back end of each: generation works, nobody is accused.

`make test` runs 40 schemas that cover every feature; `make conformance` all of them; `python -m bench simulator` times them.
"""

import functools
import json

import pytest

from formwork.diagnostics import BadInputError
from formwork.documents import load_document
from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.schema.resource import build_resource_schema
from support.corpus import needs_fixtures
from support.real_types import accusations, load_type, schema_paths

FEATURES = (
    "oneOf", "anyOf", "allOf", "patternProperties", "uniqueItems", "insertionOrder", "pattern", "format", "enum",
    "const", "multipleOf", "minimum", "maxLength", "minItems", "dependencies", "default", "additionalIdentifiers",
    "writeOnlyProperties", "createOnlyProperties", "conditionalCreateOnlyProperties", "deprecatedProperties",
    "readOnlyProperties", "propertyTransform", "tagging", "nonPublicProperties", "minProperties", "handlerSchema",
)  # fmt: skip


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


@needs_fixtures
def test_a_sample_of_real_types_is_proved_on_the_simulator():
    schemas = [(path.name, schema) for path in sample() if (schema := load_type(path)) is not None]
    assert len(schemas) >= 30
    accused = {name: found for name, schema in schemas if (found := accusations(schema, 1))}
    assert accused == {}


@pytest.mark.slow
@needs_fixtures
@pytest.mark.parametrize("part", range(8))
def test_every_real_type_is_proved_on_the_simulator(part):
    failed = {}
    for path in schema_paths()[part::8]:
        schema = load_type(path)
        if schema is not None and (found := accusations(schema, 1)):
            failed[path.name] = found
    assert json.dumps(failed, indent=1) == "{}"


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
