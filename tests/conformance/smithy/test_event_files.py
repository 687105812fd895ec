"""Validation says about the models of the corpora what the reference says, event by event."""

import pytest

from support.corpus import needs_fixtures
from support.smithy import case_id, smithy_cases
from support.smithy_events import judge

pytestmark = needs_fixtures
FILES = [*smithy_cases("model-loader-invalid", "errorfile"), *smithy_cases("traits-errorfiles", "errorfile")]


@pytest.mark.parametrize("case", FILES, ids=case_id)
def test_events(case):
    assert judge(case) == ([], [])
