"""The handlers of `support.awkward` in every language's runtime, through `cfn test`: no false alarm.

In every run one of them in Python and TypeScript; all of them in every language in `make conformance`, each on one of
its shapes. A language at a time: `pytest -m slow tests/conformance/test_awkward_runtimes.py -k go`.
"""

import os

import pytest

from support import golang
from support.awkward import AWKWARD, handlers_of
from support.awkward_projects import LANGUAGES, awkward_service, make_project
from support.proving import Prover
from support.shapes import SHAPES
from support.toolchains import needs_go, needs_java, needs_node
from support.typescript import CACHE, NPM

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
    """The projects of all languages, made where they are needed, and the service that their handlers ask."""

    def __init__(self, service, prover, make_folder):
        self._service = service
        self._prover = prover
        self._make_folder = make_folder
        self._projects = {}

    def expect_quiet(self, language, each, shape):
        """`cfn test` has nothing to say of the awkward handlers `each`, written in `language`."""
        root = self._project(language, shape)
        self._service.handlers, simulator = handlers_of(each, SHAPES[shape]())
        # As the tests of the simulated handlers have it: waiting is counted, not waited for, and whole lives are few.
        verdict = self._prover.test(root, "--patience", "0", "--examples", "2")
        assert verdict.is_quiet, verdict.report
        assert simulator.store.resources == {}, "left behind"

    def _project(self, language, shape):
        if (language, shape) not in self._projects:
            root = self._make_folder(f"{language}-{shape}") / "project"
            make_project(LANGUAGES[language], SHAPES[shape](), root, self._service, self._prover.expect)
            self._projects[language, shape] = root
        return self._projects[language, shape]


@pytest.fixture(scope="module")
def runtimes(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    caches = {**golang.caches(), "GOPROXY": "off", "FORMWORK_CACHE": str(CACHE)}
    with awkward_service() as service:
        yield Runtimes(service, Prover({**os.environ, **NPM, **caches, "HOME": str(home)}), tmp_path_factory.mktemp)


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
