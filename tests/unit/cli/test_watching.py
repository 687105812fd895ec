"""Which tests a save touches, by the files that were saved."""

from types import SimpleNamespace

import pytest

from formwork.cli.watching import is_source, told, touched_by
from formwork.contract_runs.touched_tests import Touched

SOURCE = "@resource.handler(Action.READ)\ndef read(session, request, context):\n    return %d\n"


def result(*inputs, failed=()):
    tests = [SimpleNamespace(name=each, violations=True) for each in failed]
    return SimpleNamespace(started=SimpleNamespace(inputs=inputs), tests=tests)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("src/handlers.py", True),
        ("src\\handlers.py", True),
        ("cmd/resource/resource.go", True),
        ("acme-store-thing.json", False),
        ("inputs/inputs_1_create.json", False),
        ("go.mod", False),
    ],
)
def test_files_of_handlers(name, source):
    assert is_source(name) is source


def test_a_python_handler_touches_the_tests_of_its_action():
    changed = frozenset({"src/handlers.py"})
    before, after = ({"src/handlers.py": SOURCE % number} for number in (1, 2))
    touched = touched_by(changed, before, after, result("inputs_1", failed=["contract_a"]))
    assert touched == Touched("inputs_1", frozenset({"read"}), failed=frozenset({"contract_a"}))
    assert told(touched) == "the tests of read with inputs_1, and what failed; `cfn test` tries all inputs"


def test_a_handler_in_another_language_touches_all_tests_with_one_input_set():
    touched = touched_by(frozenset({"cmd/resource/resource.go"}), {}, {}, result("inputs_1", "inputs_2"))
    assert touched == Touched("inputs_1", None)
    assert told(touched) == "all tests with inputs_1; `cfn test` tries all inputs"


def test_anything_else_touches_everything():
    for changed in ({"acme.json"}, {"src/handlers.py", "acme.json"}):
        assert touched_by(frozenset(changed), {}, {}, result("inputs_1")) is None
    assert touched_by(frozenset({"src/handlers.py"}), {}, {}, None) is None
    assert touched_by(frozenset({"src/handlers.py"}), {}, {}, result()) is None
    assert told(None) == "all tests"
