"""The handlers of `support.awkward` in every language's runtime, on the local Lambda service: no false alarm.

In every run one of them in Python and TypeScript; all of them in every language in `make conformance`, each on one of
its shapes. A language at a time: `pytest -m slow tests/conformance/test_awkward_runtimes.py -k go`.
"""

import contextlib
import os

import pytest

from formwork.contract.suite import run_suite
from formwork.invoke.local import LocalLambdaTransport
from formwork.invoke.project_host.host import open_project_host
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.languages.projects import ProjectRuntimes
from formwork.project import load_project
from support import golang
from support.awkward import AWKWARD, handlers_of, schema_of
from support.awkward_projects import LANGUAGES, awkward_service, make_project
from support.contract_subjects import subject_behind
from support.proving import Prover
from support.toolchains import needs_go, needs_java, needs_node
from support.typescript import CACHE, NPM

_PROVED = 40  # clauses, of the 50 to 60 that are proved of the same handlers in process
_MARKS = {"python": [], "typescript": [needs_node], "go": [needs_go], "java": [needs_java]}
# Each language begins with another shape, so that all of them together see most handlers on every shape.
CASES = [
    pytest.param(
        name, each, each.shapes[(place + turn) % len(each.shapes)], id=f"{name}-{each.name}", marks=_MARKS[name]
    )
    for turn, name in enumerate(LANGUAGES)
    for place, each in enumerate(AWKWARD)
]


class Runtimes:
    """The projects of all languages, made where they are needed, and the service that their handlers ask.

    Handlers are started once per project, and stay up for all that are awkward in its shape: a JVM is slow at first.
    """

    def __init__(self, service, home, make_folder, hosts):
        self._service = service
        self._environment = {**os.environ, **NPM, **golang.caches(), "GOPROXY": "off", "HOME": str(home)}
        self._home = home
        self._make_folder = make_folder
        self._hosts = hosts
        self._started = {}

    def expect_quiet(self, language, each, shape):
        """The suite has nothing to say of the awkward handlers `each`, written in `language`."""
        host, schema = self._host(language, shape), schema_of(shape)
        self._service.handlers, simulator = handlers_of(each, schema)
        result = run_suite(subject_behind(LocalLambdaTransport(host, "TypeFunction"), schema))
        assert each.false_alarms(result) == []
        assert len(result.proved) > _PROVED
        assert simulator.store.resources == {}
        assert result.leftovers == []

    def _host(self, language, shape):
        if (language, shape) not in self._started:
            root = self._make_folder(f"{language}-{shape}") / "project"
            prover = Prover({**self._environment, "FORMWORK_CACHE": str(CACHE)})
            make_project(LANGUAGES[language], schema_of(shape), root, self._service, prover.expect)
            settings = ProjectHostSettings(cache=CACHE, home=self._home, user_environment=self._environment)
            self._started[language, shape] = self._hosts.enter_context(
                open_project_host(load_project(root), settings, ProjectRuntimes)
            )
        return self._started[language, shape]


@pytest.fixture(scope="module")
def runtimes(tmp_path_factory):
    with awkward_service() as service, contextlib.ExitStack() as hosts:
        yield Runtimes(service, tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp, hosts)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "each", "shape"), CASES)
def test_no_awkward_handler_raises_an_alarm_in_a_runtime(language, each, shape, runtimes):
    runtimes.expect_quiet(language, each, shape)


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("python", "callback 2 of each CREATE is ServiceInternalError once"),
        pytest.param("typescript", "lists one by one", marks=needs_node),
    ],
)
def test_some_awkward_handlers_raise_no_alarm_in_a_runtime(language, name, runtimes):
    (each,) = [each for each in AWKWARD if each.name == name]
    runtimes.expect_quiet(language, each, each.shapes[0])
