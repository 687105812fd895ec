"""A handler that is broken as a whole fails the run under the right clause, soon, and nothing hollow is proved."""

import pytest

from formwork.contract.suite import run_suite
from support.broken import BROKEN, subject_of
from support.shapes import SHAPES

# Seconds as if one call came after another; `cfn test` lets late answers and waits overlap, so that it takes less than
# three minutes by the clock. Late answers of a minute are waited for twice.
_MOST_ANSWERING = 170.0
_MOST_WAITING = 200.0
# In every run a few of each kind; all of them in `make conformance`.
SAMPLE = {
    *("read_always_NotFound", "list_always_InternalFailure", "update_crashes", "delete_kills_its_process"),
    *("second_page_fails", "create_is_late_at_its_callback", "delete_never_ends", "create_makes_two"),
    *("deleted_is_still_listed", "every_second_update_fails"),
}


def check(each):
    subject, slept = subject_of(each, SHAPES[each.shape]())
    result = run_suite(subject)
    assert each.clauses <= result.violated, sorted(result.violated)
    assert each.hollow(result.proved) == set()
    answering = sum(one.answer.seconds for test in result.tests for one in test.exchanges)
    assert answering <= _MOST_ANSWERING
    assert sum(slept) <= _MOST_WAITING


def test_there_are_enough():
    assert len(BROKEN) >= 60
    assert len({each.name for each in BROKEN}) == len(BROKEN)
    assert {each.name for each in BROKEN} >= SAMPLE


@pytest.mark.parametrize("each", [each for each in BROKEN if each.name in SAMPLE], ids=lambda each: each.name)
def test_it_is_reported(each):
    check(each)


@pytest.mark.slow
@pytest.mark.parametrize("each", [each for each in BROKEN if each.name not in SAMPLE], ids=lambda each: each.name)
def test_every_one_is_reported(each):
    check(each)
