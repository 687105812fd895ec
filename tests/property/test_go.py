"""Any schema, with names that some language has other plans for, gives Go that compiles and round-trips.

Hypothesis only chooses the schemas, and one program holds them all: Go compiles sixty packages in the time of ten runs.
"""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.languages.go.generate.models import render_models
from formwork.languages.go.generate.naming import RESERVED_MODEL_NAMES, field_names
from formwork.languages.go.generate.text import comment, literal
from formwork.model import build_type_model
from support.any_schema import SCHEMAS
from support.golang_models import GoModels
from support.model_values import ModelValues
from support.toolchains import needs_go

COUNTS = [20, pytest.param(180, marks=pytest.mark.slow)]


@needs_go
@pytest.mark.parametrize("count", COUNTS)
def test_models_of_any_schema_compile_and_round_trip(tmp_path, count):
    chosen = []

    @settings(max_examples=count, database=None)
    @given(SCHEMAS, st.integers(0, 5))
    def choose(document, seed):
        chosen.append((document, ModelValues(document, seed).model(0.7)))

    choose()
    assert len(chosen) >= count
    documents = [document for document, _ in chosen]
    models = GoModels(tmp_path, documents)
    models.check()
    models.check_round_trips(documents, lambda _, number: [chosen[number][1]])


@given(SCHEMAS)
def test_every_type_and_field_is_defined_once(document):
    types = build_type_model(document, reserved=RESERVED_MODEL_NAMES)
    text = render_models(types, types.models, package="resource", library="x/cfn")
    assert render_models(types, types.models, package="resource", library="x/cfn") == text
    names = re.findall(r"^type (\w+) struct", text, re.MULTILINE)
    assert len(names) == len(set(names)) == len(types.models)
    for struct in re.findall(r"^type \w+ struct \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        fields = re.findall(r"^\t([A-Z]\w*) ", struct, re.MULTILINE)
        assert len(fields) == len(set(fields))


@given(st.lists(st.text(), unique=True))
def test_fields_are_go_identifiers_and_all_different(names):
    fields = field_names(names)
    assert list(fields) == names
    assert len(set(fields.values())) == len(names)
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9_]*", each) for each in fields.values())


@given(st.text())
def test_texts_stay_where_they_are_put(text):
    written = literal(text)
    assert re.fullmatch(r'"([ !#-\[\]-~]|\\["\\]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8})*"', written)
    for line in comment(text):
        assert line.startswith("//")
        assert line.isprintable()
