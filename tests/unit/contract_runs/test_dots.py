"""What `cfn test` writes while its tests run into a log, a file or a pipe."""

import io

import pytest

from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import Finding
from formwork.contract_results.run_events import RunFinished, RunStarted, TestJudged
from formwork.contract_results.test_result import TestResult
from formwork.contract_runs.dots import TestDots
from formwork.invoke.masking import Masker


def judged(name, *findings, skipped=None):
    return TestJudged(TestResult(name, findings, (), (), 0.1, skipped))


def written(*events):
    stream = io.StringIO()
    dots = TestDots(stream)
    for each in (RunStarted("A::B::C", 0, Masker, tests=3), *events):
        dots.receive(each)
    return stream.getvalue()


PASSED = judged("contract_create_create")
VIOLATED = judged("contract_create_read[inputs_1]", Finding("create.read", Level.MUST, "no"))
WARNED = judged("contract_create_read[inputs_2]", Finding("create.read", Level.SHOULD, "rather not"))
SKIPPED = judged("contract_create_list", skipped="no list handler")


def test_each_test_is_a_letter_and_the_end_counts_them():
    shown = written(PASSED, VIOLATED, SKIPPED, WARNED, RunFinished((), 1.234))
    assert shown == ".Fs.\n1 failed, 2 passed, 1 skipped in 1.23 s\n"
    assert written(PASSED) == "."
    assert written(RunFinished((), 0.0)) == "\nno test ended in 0.00 s\n"


def test_what_is_judged_of_the_run_as_a_whole_is_no_test():
    assert written(PASSED, judged("permissions"), RunFinished((), 0.0)) == ".\n1 passed in 0.00 s\n"


@pytest.mark.parametrize("events", [(PASSED,), ()], ids=["begun", "nothing"])
def test_an_interrupted_run_is_not_summed_up(events):
    assert written(*events, RunFinished((), 1.0, interrupted=True)) == "." * len(events)
