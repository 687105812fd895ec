"""The loop of `cfn dev`: a save or a key, work, a verdict.

The reasons are in docs/decisions/1360.
"""

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from formwork.cli.development.keyboard import KeySource
from formwork.cli.development.screen import Screen
from formwork.cli.development.verdicts import SessionVerdict, judge
from formwork.cli.development.work import SessionWork
from formwork.cli.long_lived import keep_memory_flat
from formwork.cli.saved_files import INTERVAL
from formwork.cli.watching import is_source, told, touched_by
from formwork.contract_results.test_result import WHOLE_RUN
from formwork.contract_runs.focus import FailedTests, FocusedTests, expect_focus
from formwork.contract_runs.touched_tests import SelectedTests, Touched
from formwork.diagnostics import FormworkError
from formwork.extensions import ExtensionKind

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult


class ChangedFiles(Protocol):
    """Which files were saved: `SavedFiles`, or those of a test."""

    def changed(self) -> frozenset[str]:
        """See `SavedFiles.changed`."""

    def forget(self) -> None:
        """See `SavedFiles.forget`."""


class Commands(Protocol):
    """What keys do besides running tests."""

    def open_console(self) -> None:
        """Open the console of the server that runs."""

    def debugging(self, test: str | None) -> str:
        """Return the command that stops at the breakpoints of the test's handlers; of all tests if None."""


class Session:
    """One session; `stack_template` is the file whose save only deploys, None without a stack."""

    def __init__(  # noqa: PLR0913 - its dependencies
        self,
        work: SessionWork,
        files: ChangedFiles,
        keys: KeySource,
        screen: Screen,
        commands: Commands,
        *,
        stack_template: str | None = None,
    ) -> None:
        self._work = work
        self._files = files
        self._keys = keys
        self._screen = screen
        self._commands = commands
        self._stack_template = stack_template
        self._focus: FocusedTests | None = None
        self._failing: dict[str, None] = {}  # names of tests, in the order of their failures
        self._result: SuiteResult | None = None
        self._sources: dict[str, str] = {}
        self._untested: frozenset[str] = frozenset()  # saved since tests ran
        self._registered = False

    def run(self) -> None:
        """Work until the user quits.

        Raises:
            KeyboardInterrupt: Ctrl-C.
        """
        self._show("start", "", partial(self._work_on, None))
        gc.collect()
        keep_memory_flat()  # modules stay to the end: looking at them again is a tenth of each run
        while True:
            if pressed := self._keys.read(INTERVAL):
                if pressed == "q":
                    return
                self._press(pressed)
            elif changed := self._files.changed():
                why = f"{', '.join(sorted(changed))} changed"
                self._show(why, " after the save", partial(self._work_on, changed))

    def _show(self, why: str, since: str, work: Callable[[], SessionVerdict]) -> None:
        started = time.monotonic()
        self._screen.begin(why, None if self._focus is None else str(self._focus))
        verdict = work()
        self._screen.end(verdict, f" ({time.monotonic() - started:.2f} s{since})")

    def _press(self, key: str) -> None:
        match key:
            case "a":
                self._show("all tests", "", partial(self._work_on, None))
            case "r" if self._failing:
                names = frozenset(self._failing)
                self._show("what failed", "", partial(self._prove, FailedTests(names)))
            case "r":
                self._screen.say("no test has failed")
            case "f":
                self._ask_focus()
            case "c":
                self._commands.open_console()
            case "d":
                self._screen.say(f"debug: {self._commands.debugging(next(iter(self._failing), None))}")
            case _:
                self._screen.say_keys()

    def _ask_focus(self) -> None:
        word = self._keys.ask("focus on a handler or a clause, such as update or update.applied (empty: on none)")
        try:
            self._focus = expect_focus([word]) if word else None
        except FormworkError as error:
            self._screen.show(error)
            return
        self._show("the tests in focus" if self._focus else "all tests", "", partial(self._work_on, None))

    def _work_on(self, changed: frozenset[str] | None) -> SessionVerdict:
        """Do what a save asks for; None asks for everything."""
        if changed is not None and changed == {self._stack_template} and not self._untested:
            return self._deploy(SessionVerdict(good=True, text="only the stack's template was saved"))
        self._registered = False
        kind = self._work.validate()
        if kind is None:
            self._untested |= changed or frozenset()
            return SessionVerdict(good=False, text="not valid")
        if (changed is None or any(not is_source(each) for each in changed)) and not self._generate():
            self._untested |= changed or frozenset()
            return SessionVerdict(good=False, text="nothing generated")
        if kind is ExtensionKind.MODULE:
            if not self._work.expand():
                return SessionVerdict(good=False, text="the template can't be expanded")
            self._untested = frozenset()
            return self._deploy(SessionVerdict(good=True, text="the module is valid"))
        return self._deploy(self._prove(self._choose(changed)))

    def _generate(self) -> bool:
        done = self._work.generate()
        self._files.forget()  # what was written follows from what was saved, and is tested now
        return done

    def _choose(self, changed: frozenset[str] | None) -> SelectedTests | None:
        before, self._sources = self._sources, self._work.read_sources()
        if self._focus is not None:
            self._untested |= changed or frozenset()  # by the tests that are not in focus
            return self._focus
        if changed is None or self._untested:
            return None
        touched = touched_by(changed, before, self._sources, self._result)
        if touched is not None:
            touched = replace(touched, failed=frozenset(self._failing))
        self._screen.say(told(touched))
        return touched

    def _prove(self, selected: SelectedTests | None) -> SessionVerdict:
        result = self._work.prove(selected)
        if result is None:
            self._untested |= {"unknown"}
            return judge(None)
        if result.finished.interrupted:
            raise KeyboardInterrupt
        if selected is None or isinstance(selected, Touched):
            self._untested = frozenset()
            self._result = result
        if selected is None:
            self._failing.clear()  # a test that failed may not apply any more
        for test in result.tests:
            self._failing.pop(test.name, None)
            if test.violations and test.name != WHOLE_RUN:
                self._failing[test.name] = None
        return judge(result)

    def _deploy(self, verdict: SessionVerdict) -> SessionVerdict:
        """Register the project and deploy the stack, if there is one and nothing is known to fail."""
        if self._stack_template is None or not verdict.good:
            return verdict
        if self._failing or self._untested:
            return verdict._replace(text=f"{verdict.text}; not deployed: other tests fail or have not run")
        self._screen.say(f"{verdict.text}; deploying")  # registration takes longer than tests
        if not self._registered and not self._work.register():
            return SessionVerdict(good=False, text=f"{verdict.text}; not registered")
        self._registered = True
        deployed = self._work.deploy()
        return SessionVerdict(
            good=deployed, text=f"{verdict.text}; the stack is {'deployed' if deployed else 'not deployed'}"
        )
