"""The contract tests under pytest: which run, with which marks and names, what becomes of their results."""

import itertools
from types import SimpleNamespace

import pytest

from formwork.contract import run as run_module
from formwork.contract.patience import Patience
from formwork.contract.plugin import MARKERS
from formwork.contract.requirements import REQUIREMENTS
from formwork.contract.run import why_hopeless
from formwork.contract.scheduling import TurnScheduler
from formwork.contract_results.run_events import (
    FindingReported,
    HandlerInvoked,
    RunFinished,
    RunStarted,
    TestFinished,
    TestStarted,
)
from formwork.diagnostics import EnvironmentProblemError
from formwork.invoke import Answer
from formwork.invoke.answer import UNHANDLED
from formwork.simulate import Behaviour, Simulator
from support.broken import BROKEN
from support.broken import subject_of as broken_subject
from support.contract_pytest import run_contract
from support.contract_subjects import subject_behind, subject_of
from support.hooks import conforming, hook_subject
from support.shapes import generated, named, nested

ONE = "contract_create_read and not additional and not readonly"
READS = ("contract_create_read", "contract_read_without_create", "contract_read_read")


def sound(make=named, **options):
    schema = make()
    return subject_of(Simulator(schema, Behaviour(page_size=2), seed=1), schema, seed=1, **options)


def broken(name):
    each = next(each for each in BROKEN if each.name == name)
    return broken_subject(each, named())[0]


def test_sound_handlers_pass_and_each_step_is_published(monkeypatch):
    clock = itertools.count(3.0, 5.0)  # read when the run is made, when its tests are known, and at its end
    monkeypatch.setattr(run_module, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    done = run_contract([("generated", sound())], "-k", f"({ONE}) or contract_read_read")
    assert (done.code, done.names) == (0, ["contract_create_read", "contract_read_read"])
    assert "2 passed" in done.text
    steps = [type(each).__name__ for each in done.events if not isinstance(each, HandlerInvoked)]
    assert steps == ["RunStarted", *["TestStarted", "TestFinished", "TestJudged"] * 2, "RunFinished"]
    (started,), (finished,) = done.of(RunStarted), done.of(RunFinished)
    assert (started.type_name, started.seed, started.inputs, started.tests) == (
        "Acme::Shapes::Named",
        1,
        ("generated",),
        2,
    )
    assert [each.test for each in done.of(TestStarted)] == done.names == [each.test for each in done.of(TestFinished)]
    assert (finished.interrupted, finished.complete) == (False, False)
    assert finished.seconds == 5.0
    assert done.run.result.started == started
    assert done.run.result.finished == finished
    assert (done.fatal, done.run.stopped, done.run.interrupted) == (None, None, False)


def test_a_run_of_all_tests_is_complete():
    done = run_contract([("generated", hook_subject(conforming))])
    assert done.code == 0, done.text
    assert done.run.result.finished.complete
    assert len(done.names) == len(set(done.names)) > 8


def test_a_violation_fails_its_test_under_its_clause():
    done = run_contract([("generated", broken("read_always_NotFound"))], "-k", f"({ONE}) or create_create")
    assert done.code == 1
    assert "1 failed, 1 passed" in done.text
    found = [each for each in done.of(FindingReported) if each.test == "contract_create_read"]
    lines = [f"{each.finding.clause}: {each.finding.message}" for each in found if each.finding.is_violation]
    assert lines
    assert f"ContractViolationError: {lines[0]}" in done.text
    assert all(line in done.text for line in lines)
    assert done.run.result.findings


def test_a_test_that_cannot_show_anything_is_skipped_with_the_reason():
    done = run_contract([("generated", sound(generated))], "-rs", "-k", "update_additional")
    assert done.code == 0
    assert "1 skipped" in done.text
    assert "the schema has no additionalIdentifiers" in done.text


def test_each_input_set_has_tests_of_its_own():
    subjects = [("inputs_1", sound()), ("inputs_2", broken("read_always_NotFound"))]
    done = run_contract(subjects, "-v", "-k", ONE)
    assert done.names == ["contract_create_read[inputs_1]", "contract_create_read[inputs_2]"]
    assert all(name in done.text for name in done.names)
    assert [bool(each.violations) for each in done.run.result.tests] == [False, True]
    assert {each.test for each in done.of(FindingReported)} == {"contract_create_read[inputs_2]"}
    assert done.of(RunStarted)[0].inputs == ("inputs_1", "inputs_2")


def test_tests_of_handlers_that_the_schema_lacks_are_left_out():
    handlers = {name: {"permissions": []} for name in ("create", "read", "delete", "list")}
    subject = sound(lambda: nested(handlers=handlers))
    done = run_contract([("generated", subject)], "--collect-only", "-q")
    wanted = [name for name, each in REQUIREMENTS.items() if all(subject.has(one) for one in each.handlers)]
    collected = [line.partition("::")[2] for line in done.text.splitlines() if "::" in line]
    assert sorted(collected) == sorted(wanted)
    assert "contract_create_read" in collected
    assert "contract_update_read" not in collected
    assert f"{len(REQUIREMENTS) - len(wanted)} deselected" in done.text
    assert done.of(RunStarted)[0].tests == len(wanted)


def test_the_caller_decides_which_tests_run_with_which_inputs():
    def includes(requirement, inputs):
        return (requirement.name, inputs) == ("contract_create_read", "b")

    done = run_contract([("a", sound()), ("b", sound())], "-k", ONE, includes=includes)
    assert done.names == ["contract_create_read[b]"]
    assert "1 deselected" not in done.text.partition("1 passed")[0]
    done = run_contract([("a", sound())], includes=lambda requirement, _inputs: requirement.name in READS)
    assert sorted(done.names) == sorted(READS)


def test_tests_are_marked_with_the_handlers_that_they_need():
    done = run_contract([("generated", sound())], "--markers")
    assert [line for line in done.text.splitlines() if "handler" in line] == [
        f"@pytest.mark.{each}: needs the {each} handler" for each in MARKERS
    ]
    chosen = run_contract([("generated", sound())], "--collect-only", "-q", "-m", "list and not create")
    wanted = [name for name, each in REQUIREMENTS.items() if "list" in each.handlers and "create" not in each.handlers]
    assert [line.partition("::")[2] for line in chosen.text.splitlines() if "::" in line] == wanted
    hook = run_contract([("generated", hook_subject(conforming))], "-m", "delete_pre_provision")
    assert hook.names == [
        "contract_pre_delete_success",
        "contract_pre_delete_failed",
        "contract_pre_delete_failed_unsupported_target",
    ]


def interrupted(after, **options):
    """A run whose user stops it in the call of that number; what the service then has, and the times it was told."""
    schema, told, calls = named(), [], []
    simulator = Simulator(schema, Behaviour(page_size=2), seed=1)

    def function(event, context=None):
        calls.append(event["action"])
        if len(calls) == after:
            raise KeyboardInterrupt
        return simulator(event, context)

    done = run_contract(
        [("generated", subject_of(function, schema, seed=1))],
        *("-k", f"({ONE}) or create_list or read_read"),
        on_interrupt=lambda: told.append(len(calls)),
        **options,
    )
    return done, simulator.store.resources, told, calls


def test_an_interrupted_run_deletes_what_it_made_and_keeps_its_results():
    done, left, told, calls = interrupted(after=2)
    assert done.code == pytest.ExitCode.INTERRUPTED
    assert done.run.interrupted
    assert done.run.result.finished.interrupted
    assert (left, told, calls[-1]) == ({}, [2], "DELETE")
    assert done.names == ["contract_create_read"]
    assert done.run.result.tests[0].skipped == "the run was stopped"
    assert "Interrupt" not in done.text  # pytest's banner: the caller says it


def test_an_interrupted_run_without_a_caller_who_says_so_has_pytests_banner():
    schema = named()

    def function(_event, _context=None):
        raise KeyboardInterrupt

    done = run_contract([("generated", subject_of(function, schema))], "-k", ONE)
    assert done.code == pytest.ExitCode.INTERRUPTED
    assert done.run.result.finished.interrupted
    assert "KeyboardInterrupt" in done.text


def concurrent(function, schema):
    turns = TurnScheduler()
    patience = Patience(20, sleep=turns.sleep)
    return turns, subject_of(function, schema, seed=1, patience=patience)


def test_concurrent_tests_come_to_what_they_find_one_after_another():
    schema = named()
    turns, subject = concurrent(Simulator(schema, Behaviour(stabilization=1, page_size=2), seed=1), schema)
    words = ("-k", f"({ONE}) or create_list or read_read or delete_read")
    done = run_contract([("generated", subject)], *words, scheduler=turns, at_a_time=3)
    alone = run_contract([("generated", sound())], *words)
    assert (done.code, done.names) == (0, alone.names)
    assert len(done.of(TestStarted)) == len(done.names)
    assert [each.violations for each in done.run.result.tests] == [()] * len(done.names)


def test_an_interrupt_of_concurrent_tests_keeps_those_that_had_ended():
    schema = named()
    simulator = Simulator(schema, Behaviour(stabilization=1, page_size=2), seed=1)
    deletes = []

    def function(event, context=None):
        answer = simulator(event, context)
        if event["action"] == "DELETE" and answer["status"] == "SUCCESS":
            deletes.append(event)
            if len(deletes) == 2:
                raise KeyboardInterrupt
        return answer

    turns, subject = concurrent(function, schema)
    words = ("-k", f"create_create or ({ONE}) or create_list or read_read or delete_read")
    done = run_contract([("generated", subject)], *words, scheduler=turns, at_a_time=5)
    assert done.code == pytest.ExitCode.INTERRUPTED
    assert done.run.result.finished.interrupted
    assert simulator.store.resources == {}
    assert len(done.names) == len(set(done.names)) >= 2
    assert any(each.skipped is None for each in done.run.result.tests)


def test_an_error_of_the_environment_ends_the_run():
    problem = EnvironmentProblemError("the sandbox is gone")

    class Gone:
        def invoke(self, _payload, *, timeout=None):
            raise problem

    done = run_contract([("generated", subject_behind(Gone(), named()))], "-k", f"({ONE}) or read_read")
    assert (done.code, done.fatal, done.names) == (1, problem, [])
    assert "the sandbox is gone" in done.text
    assert not done.run.interrupted


def failing(kind, message="No module named acme"):
    body = f'{{"errorType": "{kind}", "errorMessage": "{message}"}}'.encode()
    return lambda _event, _context=None: Answer(body, UNHANDLED, 0.01)


def test_a_run_of_handlers_that_do_not_load_stops_after_the_first_test():
    schema = named()
    subject = subject_of(failing("Runtime.ImportModuleError"), schema)
    done = run_contract([("generated", subject)])
    assert len(done.names) == 1
    assert done.run.stopped.startswith("every call ends the same way: ")
    assert "No module named acme" in done.run.stopped
    assert done.run.result.finished.complete is False


def exchanges(function, words=()):
    return [
        each
        for test in run_contract([("generated", subject_of(function, named()))], *words).run.result.tests
        for each in test.exchanges
    ]


def test_when_no_further_test_can_tell_more():
    assert why_hopeless([]) is None
    for kind in ("ImportModuleError", "UserCodeSyntaxError", "HandlerNotFound", "MalformedHandlerName"):
        assert why_hopeless(exchanges(failing(f"Runtime.{kind}"), ("-k", "create_create"))[:1])
    same = exchanges(failing("ValueError", "boom"))
    actions = [each.request["action"] for each in same]
    assert len(same) >= 5
    assert len(set(actions)) > 1
    assert why_hopeless(same) == f"every call ends the same way: {same[0].problem.message}"
    assert why_hopeless(same[:4]) is None
    assert why_hopeless([same[0]] * 6) is None  # one action alone
    other = exchanges(failing("ValueError", "bang"), ("-k", "create_create"))
    assert why_hopeless([*same, *other]) is None
    worked = exchanges(Simulator(named(), seed=1), ("-k", "create_create"))
    assert why_hopeless([*same, *worked]) is None
    assert why_hopeless(worked) is None


def test_tests_of_the_author_beside_the_contract_tests_run_as_ever(tmp_path):
    (tmp_path / "handler_own.py").write_text("def contract_create_read():\n    assert 'own' == 'other'\n")
    done = run_contract([("generated", sound())], "-k", ONE, str(tmp_path))
    assert "1 failed, 1 passed" in done.text
    assert done.names == ["contract_create_read"]
    assert "AssertionError" in done.text
