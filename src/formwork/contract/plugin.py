"""The suite as pytest tests, under the user guide's names.

`cfn test` is what most people run. In an author's own test run, with the handlers called in process:

    pytest -p formwork.contract.plugin --contract-project . --contract-handler acme_thing.handlers:resource
           --pyargs formwork.contract.requirements

Tests are collected from `formwork/contract/requirements/handler_*.py`; markers are the handlers they need. Nothing here
is an entry point: the plugin is there only where it is named.
"""

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from formwork.contract.requirement import REQUIREMENTS, Requirement
from formwork.contract.run import ContractRun
from formwork.contract.subject import AnySubject
from formwork.contract_results.test_result import TestResult
from formwork.diagnostics import BadInputError, FormworkError
from formwork.invoke import HandlerTransport

MARKERS = (
    *("create", "read", "update", "delete", "list"),
    *("create_pre_provision", "update_pre_provision", "delete_pre_provision"),
)
_RUN = pytest.StashKey["ContractRun"]()


class ContractViolationError(AssertionError):
    """A test that found a MUST violated; the text says which."""


class ContractPlugin:
    """Lets pytest decide which tests of a run are run, in which order, and how their results are shown.

    `fatal` is the error that ended the run before its time.
    """

    def __init__(self, run: ContractRun) -> None:
        """What the run says at an interrupt, if it says anything, replaces pytest's own banner."""
        self.run = run
        self.fatal: FormworkError | None = None
        self._plugins: pytest.PytestPluginManager | None = None
        self._places: dict[str, int] = {}  # of node ids in the run's plan

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the markers, which `--strict-markers` demands."""
        for each in MARKERS:
            config.addinivalue_line("markers", f"{each}: needs the {each} handler")
        config.stash[_RUN] = self.run
        self._plugins = config.pluginmanager

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Add one test per input set, if there are several."""
        if metafunc.function.__name__ in REQUIREMENTS and len(self.run.subjects) > 1:
            names = [name for name, _ in self.run.subjects]
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
        return requirement is None or self.run.wants(requirement, _subject_of(item))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Plan the selected tests."""
        tests: list[tuple[Requirement, int]] = []
        for item in session.items:
            requirement = _requirement_of(item)
            if requirement is not None:
                self._places[item.nodeid] = len(tests)
                tests.append((requirement, _subject_of(item)))
        self.run.plan(tests)

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note that the user stopped the run, wherever pytest was."""
        if not isinstance(excinfo.value, pytest.exit.Exception | pytest.Session.Interrupted):  # of the suite's own
            self.run.interrupt()
            self._leave_out_banner()

    def pytest_sessionfinish(self) -> None:
        """End the run."""
        self.run.finish()

    def _leave_out_banner(self) -> None:
        assert self._plugins is not None
        if self.run.tells_interrupts and self._plugins.has_plugin("terminalreporter"):
            self._plugins.unregister(name="terminalreporter")  # it takes half a second for its banner

    @pytest.fixture
    def test(self, request: pytest.FixtureRequest) -> int:
        """Return the number of the subject; the test case itself is made when the test runs."""
        return int(getattr(request, "param", 0))

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run a requirement with a test case of its own."""
        if _requirement_of(pyfuncitem) is None:
            return None
        try:
            result = self.run.judge(self._places[pyfuncitem.nodeid])
        except KeyboardInterrupt:
            self._leave_out_banner()
            raise
        except FormworkError as error:
            self.fatal = error
            pytest.exit(str(error), returncode=1)
        if self.run.stopped is not None:
            pyfuncitem.session.shouldstop = self.run.stopped
        _conclude(result)
        return True


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
    config.pluginmanager.register(ContractPlugin(ContractRun(subjects)), "formwork-contract-run")


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
