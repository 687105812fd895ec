"""The loop of `cfn dev`, with work, files and keys that tests command."""

import io
from types import SimpleNamespace

import pytest

from formwork.cli.development.screen import Screen
from formwork.cli.development.session import Session
from formwork.command_context.output import CommandOutput
from formwork.contract.requirement import REQUIREMENTS
from formwork.contract_runs.focus import FailedTests, FocusedTests, expect_focus
from formwork.contract_runs.touched_tests import Touched
from formwork.diagnostics import UsageError
from formwork.extensions import ExtensionKind

SOURCE = "@resource.handler(Action.CREATE)\ndef create(): return {}\n\n@resource.handler(Action.READ)\ndef read(): return 1\n"


def result(*failed, interrupted=False):
    """The result of a run in which the named tests violated update.applied."""
    tests = [SimpleNamespace(name=name, violations=name in failed) for name in ("contract_a", "contract_b")]
    violated = frozenset({"update.applied"} if failed else ())
    return SimpleNamespace(
        started=SimpleNamespace(inputs=("inputs_1",)),
        finished=SimpleNamespace(interrupted=interrupted, given_up=()),
        tests=tests,
        violated=violated,
        warned=frozenset(),
        proved=frozenset({"create.applied"}),
    )


class FakeWork:
    """Notes what is asked for; answers from `results`, then that nothing fails."""

    def __init__(self, *results, kind=ExtensionKind.RESOURCE):
        self.results = list(results)
        self.kinds = []
        self.kind = kind
        self.done = []
        self.selected = []
        self.sources = {"src/handlers.py": SOURCE}
        self.works = {"generate": True, "expand": True, "register": True, "deploy": True}

    def validate(self):
        self.done.append("validate")
        return self.kinds.pop(0) if self.kinds else self.kind

    def prove(self, selected):
        self.done.append("prove")
        self.selected.append(selected)
        return self.results.pop(0) if self.results else result()

    def read_sources(self):
        return dict(self.sources)

    def __getattr__(self, name):
        def do():
            self.done.append(name)
            return self.works[name]

        return do


class Script:
    """Keys and saves in turn: a text of one letter is a key, a set the files of a save; then the user quits."""

    def __init__(self, *steps, answers=()):
        self.steps = list(steps)
        self.answers = list(answers)
        self.forgotten = 0

    def read(self, seconds):
        assert seconds < 1
        if not self.steps:
            return "q"
        return self.steps.pop(0) if isinstance(self.steps[0], str) else ""

    def ask(self, question):
        assert "handler or a clause" in question
        return self.answers.pop(0)

    def changed(self):
        step = self.steps.pop(0)
        if callable(step):
            return step()
        return frozenset(step)

    def forget(self):
        self.forgotten += 1


class Doors:
    """What the keys c and d ask for."""

    def __init__(self):
        self.opened = 0

    def open_console(self):
        self.opened += 1

    def debugging(self, test):
        return f"cfn test -k {test}"


def play(work, *steps, answers=(), whole=False, **more):
    """Play the steps; return what was shown."""
    shown = io.StringIO()
    output = CommandOutput(io.StringIO(), shown, colour=False, interactive=whole, terminal=whole)
    script = Script(*steps, answers=answers)
    doors = Doors()
    Session(work, script, script, Screen(output, "cfn dev", whole=whole), doors, **more).run()
    return SimpleNamespace(text=shown.getvalue(), script=script, doors=doors)


def test_the_start_does_everything_and_a_saved_handler_only_what_it_touches():
    work = FakeWork()

    def save():
        work.sources["src/handlers.py"] = SOURCE.replace("return 1", "return 2")
        return frozenset({"src/handlers.py"})

    shown = play(work, save)
    assert work.done == ["validate", "generate", "prove", "validate", "prove"]
    assert work.selected == [None, Touched("inputs_1", frozenset({"read"}))]
    assert "src/handlers.py changed\nthe tests of read with inputs_1" in shown.text
    assert shown.text.count("ok: no violation in 2 tests, 1 clauses proved") == 2
    assert shown.script.forgotten == 1  # what was generated at the start


def test_a_saved_schema_is_generated_from_and_all_is_tested():
    work = FakeWork()
    play(work, {"acme-thing.json"})
    assert work.done == ["validate", "generate", "prove"] * 2
    assert work.selected == [None, None]


def test_a_violation_is_named_and_its_test_runs_until_it_passes():
    work = FakeWork(result("contract_b"))
    shown = play(work, {"src/notes.py"}, {"src/notes.py"})
    assert "FAILED: violated: update.applied" in shown.text
    assert [each.failed for each in work.selected[1:]] == [{"contract_b"}, set()]


def test_what_is_not_valid_is_not_tested_and_nothing_of_it_is_lost():
    work = FakeWork()
    work.kinds = [ExtensionKind.RESOURCE, None]
    shown = play(work, {"src/handlers.py"}, {"src/handlers.py"})
    assert work.done == ["validate", "generate", "prove", "validate", "validate", "prove"]
    assert "FAILED: not valid" in shown.text
    assert work.selected == [None, None]  # the save that was not tested may have touched anything


def test_generation_that_fails_ends_the_run():
    work = FakeWork()
    work.works["generate"] = False
    assert "FAILED: nothing generated" in play(work).text
    assert work.selected == []


def test_tests_that_cannot_run_are_no_verdict():
    work = FakeWork(None)
    assert "FAILED: not tested" in play(work).text


def test_an_interrupted_run_ends_the_session():
    with pytest.raises(KeyboardInterrupt):
        play(FakeWork(result(interrupted=True)))


def test_a_stack_is_deployed_when_nothing_fails():
    work = FakeWork(result(), result("contract_a"))
    shown = play(work, {"src/a.py"}, {"stack.yaml"}, {"src/a.py"}, {"stack.yaml"}, stack_template="stack.yaml")
    assert work.done == [
        *("validate", "generate", "prove", "register", "deploy"),
        *("validate", "prove"),  # fails
        *(),  # the template alone, while a test fails: nothing
        *("validate", "prove", "register", "deploy"),
        "deploy",  # the template alone
    ]
    assert "not deployed: other tests fail or have not run" in shown.text
    assert shown.text.count("the stack is deployed") == 3


def test_what_cannot_be_registered_or_deployed_is_said():
    work = FakeWork()
    work.works["register"] = False
    assert "FAILED: no violation in 2 tests, 1 clauses proved; not registered" in play(work, stack_template="s").text
    work = FakeWork()
    work.works["deploy"] = False
    assert "; the stack is not deployed" in play(work, stack_template="s").text


def test_modules_are_expanded_instead_of_tested():
    work = FakeWork(kind=ExtensionKind.MODULE)
    shown = play(work, {"fragments/a.json"})
    assert work.done == ["validate", "generate", "expand"] * 2
    assert "ok: the module is valid" in shown.text
    work.works["expand"] = False
    assert "FAILED: the template can't be expanded" in play(work).text


def test_keys():
    work = FakeWork(result("contract_b"))
    shown = play(work, "x", "d", "r", "r", "c", "a", whole=True)
    assert work.selected == [None, FailedTests(frozenset({"contract_b"})), None]
    assert "debug: cfn test -k contract_b" in shown.text
    assert "no test has failed" in shown.text  # what was replayed passed
    assert shown.doors.opened == 1
    assert shown.text.count("q quit") == 4  # three runs, and a key that means nothing
    assert shown.text.count("\x1b[H\x1b[2J") == 3


def test_focus():
    work = FakeWork()
    shown = play(work, "f", {"src/a.py"}, "f", "f", answers=["update", "updat", ""])
    assert work.selected == [None, FocusedTests(frozenset({"update"})), FocusedTests(frozenset({"update"})), None]
    assert 'did you mean "update"?' in shown.text
    assert "cfn dev   focus: update\n" in shown.text


def test_what_only_the_tests_in_focus_saw_is_not_deployed_and_tested_without_focus():
    work = FakeWork()
    shown = play(work, "f", {"src/a.py"}, "f", answers=["update", ""], stack_template="stack.yaml")
    assert work.selected == [None, FocusedTests(frozenset({"update"})), FocusedTests(frozenset({"update"})), None]
    assert work.done.count("deploy") == 3  # not after the save
    assert "not deployed: other tests fail or have not run" in shown.text


def test_modules_that_were_not_valid_are_deployed_once_they_are():
    work = FakeWork(kind=ExtensionKind.MODULE)
    work.kinds = [None]
    play(work, {"fragments/a.json"}, stack_template="stack.yaml")
    assert work.done == ["validate", "validate", "generate", "expand", "register", "deploy"]


@pytest.mark.parametrize("word", ["update", "update.applied"])
def test_a_focus_has_the_tests_of_a_handler_or_a_clause(word):
    focus = expect_focus([word])
    chosen = {name for name, each in REQUIREMENTS.items() if focus.includes(each, "inputs_2")}
    named = {name for name, each in REQUIREMENTS.items() if word in (*each.handlers, *each.clauses)}
    hooks = {f"contract_pre_{each}_success" for each in ("create", "update", "delete")}
    assert chosen == named | {"contract_create_delete", *hooks}  # without them nothing is proved
    assert 0 < len(chosen) < len(REQUIREMENTS)


def test_a_focus_on_several():
    focus = expect_focus(["update.applied", "list"])
    assert str(focus) == "list, update.applied"
    assert focus.includes(REQUIREMENTS["contract_update_read"], "inputs_1")
    assert not focus.includes(REQUIREMENTS["contract_delete_delete"], "inputs_1")
    with pytest.raises(UsageError, match=r'"event\.null" has no test of its own'):
        expect_focus(["update.applied", "event.null"])


def test_a_focus_on_what_does_not_exist():
    with pytest.raises(UsageError, match='unknown clause or handler "grow"'):
        expect_focus(["grow"])


def test_failed_tests_are_those_of_their_inputs():
    requirement = SimpleNamespace(name="contract_a")
    assert FailedTests(frozenset({"contract_a[inputs_2]"})).includes(requirement, "inputs_2")
    assert not FailedTests(frozenset({"contract_a[inputs_2]"})).includes(requirement, "inputs_1")
