"""A hook that is broken as a whole fails the run under the right clause, and nothing hollow is proved."""

import pytest

from formwork.contract.suite import run_suite
from support.broken_hooks import BROKEN_HOOKS

# Seconds as if one came after another; `cfn test` lets waits overlap, and slow invocations.
_MOST_ANSWERING, _MOST_WAITING = 100.0, 120.0


def test_there_are_enough():
    assert len(BROKEN_HOOKS) >= 60
    assert len({each.name for each in BROKEN_HOOKS}) == len(BROKEN_HOOKS)


@pytest.mark.parametrize("each", BROKEN_HOOKS, ids=lambda each: each.name)
def test_it_is_reported(each):
    subject = each.subject()
    result = run_suite(subject)
    assert each.clauses <= result.violated, [f"{one.clause}: {one.message}" for one in result.findings]
    assert each.unproved & result.proved == set()
    answering = sum(one.answer.seconds for test in result.tests for one in test.exchanges)
    assert answering <= _MOST_ANSWERING
    assert each.waits or subject.patience.clock() <= _MOST_WAITING
