"""Any schema, with names that some language has other plans for, gives TypeScript that compiles and round-trips.

tsc takes seconds to start, so that Hypothesis only chooses the schemas, and one program holds them all.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.any_schema import SCHEMAS
from support.model_values import ModelValues, matches
from support.toolchains import needs_node
from support.typescript import build, models_of, round_trip, write_models

COUNTS = [20, pytest.param(180, marks=pytest.mark.slow)]


@needs_node
@pytest.mark.parametrize("count", COUNTS)
def test_models_of_any_schema_compile_and_round_trip(tmp_path, count):
    chosen = []

    @settings(max_examples=count, database=None)
    @given(SCHEMAS, st.integers(0, 5))
    def choose(document, seed):
        chosen.append((document, ModelValues(document, seed).model(0.7)))

    choose()
    assert len(chosen) >= count
    write_models(tmp_path, {f"m{number}": models_of(document) for number, (document, _) in enumerate(chosen)})
    built = build(tmp_path)
    forms = [(f"m{n}", each) for n, (_, value) in enumerate(chosen) for each in (value.typed, value.sent)]
    answers = iter(round_trip(built, forms))
    for document, value in chosen:
        for expected in (value.typed, value.expected):
            answer = next(answers)
            assert "read" in answer, (document, answer)
            assert matches(answer["read"], expected), (document, answer, expected)
