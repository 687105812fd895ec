"""The suite as pytest tests, under the user guide's names.

`cfn test` is what most people run. In an author's own test run, with the handlers called in process:

    pytest -p formwork.contract.plugin --contract-project . --contract-handler acme_thing.handlers:resource
           --pyargs formwork.contract.requirements

Tests are collected from `formwork/contract/requirements/handler_*.py`; markers are the handlers they need. Nothing here
is an entry point: the plugin is there only where it is named.
"""

import contextlib
import importlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from formwork.contract.recording import StopTestError
from formwork.contract.requirement import REQUIREMENTS, Body, Requirement
from formwork.contract.run_order import PlannedTest, RunOrder
from formwork.contract.scheduling import TurnScheduler
from formwork.contract.subject import AnySubject
from formwork.contract.suite import (
    applies,
    publish_judged,
    publish_permissions,
    run_finished,
    run_requirement,
    run_started,
)
from formwork.contract_results.run_events import Publish, RunEvent, TestFinished, TestStarted, publish_nothing
from formwork.contract_results.suite_result import SuiteResult
from formwork.contract_results.test_result import TestResult
from formwork.diagnostics import BadInputError, FormworkError
from formwork.invoke import Exchange, HandlerTransport, ProblemKind

MARKERS = (
    *("create", "read", "update", "delete", "list"),
    *("create_pre_provision", "update_pre_provision", "delete_pre_provision"),
)
# What AWS Lambda calls it when a function's code cannot be loaded.
_DOES_NOT_LOAD = frozenset(
    {
        "Runtime.ImportModuleError",
        "Runtime.UserCodeSyntaxError",
        "Runtime.HandlerNotFound",
        "Runtime.MalformedHandlerName",
    }
)
_ENOUGH = 5
_RUN = pytest.StashKey["ContractRun"]()


class ContractViolationError(AssertionError):
    """A test that found a MUST violated; the text says which."""


class ContractRun:
    """A pytest plugin that runs the suite over subjects (one an input set) and keeps the results.

    `fatal` is the error that ended the run before its time, `stopped` why no further test was worth running.
    """

    def __init__(  # noqa: PLR0913 - what a run consists of
        self,
        subjects: Sequence[tuple[str, AnySubject]],
        *,
        scheduler: TurnScheduler | None = None,
        at_a_time: int = 1,
        overlap: bool = False,
        publish: Publish = publish_nothing,
        on_interrupt: Callable[[], None] | None = None,
        includes: Callable[[Requirement, str], bool] = lambda _requirement, _inputs: True,
    ) -> None:
        """`at_a_time` tests are in progress at once; with `scheduler`, what the subjects' sessions wait by.

        `overlap`: their invocations overlap as well. `publish` receives the events of the run. `on_interrupt` is called
        once when the user stops the run (KeyboardInterrupt), before what the tests created is deleted; it replaces
        pytest's own banner. `includes` decides from a test and the name of an input set whether to run it.
        """
        self.subjects = list(subjects)
        self.result = SuiteResult()
        self.interrupted = False
        self._scheduler = scheduler
        self._at_a_time = at_a_time
        self._overlap = overlap
        self._publish_outside = publish
        self._on_interrupt = on_interrupt
        self._includes = includes
        self._plugins: pytest.PytestPluginManager | None = None
        self._order: RunOrder | None = None
        self._reported: set[str] = set()  # node ids of the tests whose results are in `result`
        self._places: dict[str, int] = {}
        self._started = time.perf_counter()
        self.fatal: FormworkError | None = None
        self.stopped: str | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the markers, which `--strict-markers` demands."""
        for each in MARKERS:
            config.addinivalue_line("markers", f"{each}: needs the {each} handler")
        config.stash[_RUN] = self
        self._plugins = config.pluginmanager

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Add one test per input set, if there are several."""
        if metafunc.function.__name__ in REQUIREMENTS and len(self.subjects) > 1:
            names = [name for name, _ in self.subjects]
            metafunc.parametrize("test", range(len(names)), ids=names, indirect=True)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Mark each test with the handlers it needs."""
        requirement = _requirement_of(item)
        for handler in requirement.handlers if requirement else ():
            item.add_marker(handler)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect tests whose handlers the schema does not have."""
        kept = [each for each in items if self._is_wanted(each)]
        dropped = [each for each in items if each not in kept]
        if dropped:
            config.hook.pytest_deselected(items=dropped)
            items[:] = kept

    def _is_wanted(self, item: pytest.Item) -> bool:
        requirement = _requirement_of(item)
        if requirement is None:
            return True
        name, subject = self.subjects[_subject_of(item)]
        return applies(requirement, subject) and self._includes(requirement, name)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Plan the selected tests, concurrently if several may be in progress, and publish the start."""
        work: list[PlannedTest] = []
        for item in session.items:
            requirement = _requirement_of(item)
            if requirement is not None:
                self._places[item.nodeid] = len(work)
                work.append(PlannedTest(requirement, self.subjects[_subject_of(item)][1]))
        inputs = tuple(name for name, _ in self.subjects)
        self._publish(run_started(self.subjects[0][1], inputs=inputs, tests=len(work)))
        self._started = time.perf_counter()
        if self._scheduler is not None and self._at_a_time > 1:
            self._order = RunOrder(
                work, self._scheduler, at_a_time=self._at_a_time, overlap=self._overlap, run=self._run
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note that the user stopped the run, wherever pytest was."""
        if not isinstance(excinfo.value, pytest.exit.Exception | pytest.Session.Interrupted):  # of the suite's own
            self._interrupt()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Stop the tests in progress, which delete their resources, and publish the end of the run."""
        if self._order is not None:
            self._order.stop()
            if self.interrupted:
                self._keep_finished(session.items)
        seconds = time.perf_counter() - self._started
        subject = self.subjects[0][1]
        publish_permissions(subject, self.result.tests, self._publish)
        self._publish(run_finished(subject, self.result.tests, seconds=seconds, interrupted=self.interrupted))

    def _publish(self, event: RunEvent) -> None:
        self.result.receive(event)
        self._publish_outside(event)

    def _interrupt(self) -> None:
        if self.interrupted:
            return
        self.interrupted = True
        if self._on_interrupt is not None:
            self._on_interrupt()
            assert self._plugins is not None
            self._plugins.unregister(name="terminalreporter")  # it takes half a second for a banner

    def _keep_finished(self, items: Sequence[pytest.Item]) -> None:
        """Keep the results of tests that ended before the interrupt, and that pytest had not asked for yet."""
        assert self._order is not None
        for item in items:
            place = self._places.get(item.nodeid)
            if place is not None and item.nodeid not in self._reported:
                found = self._order.finished(place)
                if found is not None:
                    self._keep(item, found)

    def _keep(self, item: pytest.Item, found: TestResult) -> TestResult:
        """Add the result to the run's, under the name of its input set where there are several."""
        if len(self.subjects) > 1:
            name, _ = self.subjects[_subject_of(item)]
            found = replace(found, name=f"{found.name}[{name}]")
        self._reported.add(item.nodeid)
        publish_judged(found, self._publish)
        return found

    def _run(self, requirement: Requirement, subject: AnySubject) -> TestResult:
        self._publish_outside(TestStarted(requirement.name))
        stoppable = replace(requirement, body=self._stoppable(requirement.body))
        try:
            return run_requirement(stoppable, subject, publish=self._publish_outside)
        finally:
            self._publish_outside(TestFinished(requirement.name))

    def _stoppable(self, body: Body) -> Body:
        """Return `body` made stoppable: on Ctrl-C its resources are deleted and its findings kept."""

        def run(test: Any) -> None:
            try:
                with self._scheduler.stoppable() if self._scheduler is not None else contextlib.nullcontext():
                    body(test)
            except KeyboardInterrupt:
                self._interrupt()
                raise StopTestError("the run was stopped") from None

        return run

    @pytest.fixture
    def test(self, request: pytest.FixtureRequest) -> int:
        """Return the number of the subject; the test case itself is made when the test runs."""
        return int(getattr(request, "param", 0))

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run a requirement with a test case of its own."""
        requirement = _requirement_of(pyfuncitem)
        if requirement is None:
            return None
        subject = self.subjects[int(str(pyfuncitem.funcargs["test"]))][1]
        try:
            if self._order is None:
                result = self._run(requirement, subject)
            else:
                result = self._order.result(self._places[pyfuncitem.nodeid])
        except KeyboardInterrupt:
            self._interrupt()
            raise
        except FormworkError as error:
            self.fatal = error
            pytest.exit(str(error), returncode=1)
        result = self._keep(pyfuncitem, result)
        if self.interrupted:
            raise KeyboardInterrupt
        if reason := why_hopeless([each for test in self.result.tests for each in test.exchanges]):
            self.stopped = pyfuncitem.session.shouldstop = reason
        _conclude(result)
        return True


def why_hopeless(exchanges: Sequence[Exchange]) -> str | None:
    """Return why further tests are useless: the handlers fail to load, or fail equally on every call; else None."""
    if not exchanges or any(each.event is not None for each in exchanges):
        return None
    failures = {each.problem for each in exchanges}
    (failure, *others) = failures
    if others or failure is None or failure.kind is not ProblemKind.FUNCTION_ERROR:
        return None
    actions = {each.request.get("action") or each.request.get("actionInvocationPoint") for each in exchanges}
    if failure.error_type in _DOES_NOT_LOAD or (len(exchanges) >= _ENOUGH and len(actions) > 1):
        return f"every call ends the same way: {failure.message}"
    return None


def _subject_of(item: pytest.Item) -> int:
    """Return the index of the subject that a test belongs to."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return int(parameters.get("test", 0))


def _requirement_of(item: pytest.Item) -> Requirement | None:
    name = getattr(item, "originalname", None) or item.name
    requirement = REQUIREMENTS.get(name)
    if requirement is None or getattr(item, "function", None) is not requirement.body:
        return None
    return requirement


def _conclude(result: TestResult) -> None:
    """Fail, skip or pass the pytest test."""
    if result.violations:
        lines = [f"{each.clause}: {each.message}" for each in result.violations]
        raise ContractViolationError("\n".join(lines))
    if result.skipped is not None:
        pytest.skip(result.skipped)


# ── Named with -p in an author's own run ─────────────────────────────────────────────────────────────────────────────


def pytest_addoption(parser: pytest.Parser) -> None:
    """The project and its handlers, for `pytest -p formwork.contract.plugin`."""
    group = parser.getgroup("formwork", "handler contract")
    group.addoption("--contract-project", metavar="FOLDER", help="the project whose contract is tested")
    group.addoption("--contract-handler", metavar="MODULE:NAME", help="the handlers' entry point, called in process")
    group.addoption("--contract-seed", metavar="N", type=int, default=0, help="the seed of generated inputs")
    parser.addini("contract_project", "as --contract-project")
    parser.addini("contract_handler", "as --contract-handler")


def pytest_configure(config: pytest.Config) -> None:
    """Make the run from the options, where they name a project."""
    if config.stash.get(_RUN, None) is not None:
        return
    project = config.getoption("--contract-project", None) or config.getini("contract_project")
    handler = config.getoption("--contract-handler", None) or config.getini("contract_handler")
    if not project or not handler:
        return
    from formwork.invoke import InProcessTransport  # noqa: PLC0415 - only where a project is named

    folder = Path(config.rootpath, project)
    transport = InProcessTransport(_find_handler(folder, handler))
    try:
        subjects = _load(folder, transport, config.getoption("--contract-seed", 0))
    except FormworkError as error:
        raise pytest.UsageError(str(error)) from None
    run = ContractRun(subjects)
    config.pluginmanager.register(run, "formwork-contract-run")


def _load(folder: Path, transport: HandlerTransport, seed: int) -> Sequence[tuple[str, AnySubject]]:
    """Return the subjects of the project in `folder`, of either kind."""
    from formwork.contract.project_subjects import expect_schema, load_subjects  # noqa: PLC0415 - only for a project
    from formwork.extensions import ExtensionKind  # noqa: PLC0415 - likewise
    from formwork.invoke import HandlerSession  # noqa: PLC0415 - likewise
    from formwork.project import load_project  # noqa: PLC0415 - likewise
    from formwork.project.schema_document import schema_references  # noqa: PLC0415 - likewise
    from formwork.schema import load_hook_schema  # noqa: PLC0415 - likewise

    project = load_project(folder)
    if project.kind is ExtensionKind.HOOK:
        loaded = load_hook_schema(project.schema_path, references=schema_references(project))
        if loaded.schema is None:
            raise BadInputError(loaded.diagnostics)
        session = HandlerSession(transport, loaded.schema.type_name, type_configuration=loaded.schema.defaults)
        return load_subjects(project, loaded.schema, session, seed=seed).subjects
    schema = expect_schema(project)
    return load_subjects(project, schema, HandlerSession(transport, schema.type_name), seed=seed).subjects


def _find_handler(folder: Path, named: str) -> Any:
    module, _, attribute = named.partition(":")
    source = str(folder / "src")
    if source not in sys.path:
        sys.path.insert(0, source)
    try:
        return getattr(importlib.import_module(module), attribute or "resource")
    except (ImportError, AttributeError) as error:
        raise pytest.UsageError(f"--contract-handler {named}: {error}") from error


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The clause report at the end of an author's own run."""
    run = config.stash.get(_RUN, None)
    if run is None or not config.getoption("--contract-project", None):
        return
    from formwork.contract_results.report.text import render_text  # noqa: PLC0415 - at the end of a run only

    for line in render_text(run.result, replay="pytest").splitlines():
        terminalreporter.write_line(line)
