"""What a test of the contract states of itself."""

import pytest

from formwork.contract.hook_targets import InvocationPoint
from formwork.contract.requirement import REQUIREMENTS, Requirement, proves
from formwork.contract.requirements import hook_points
from formwork.contract_results.clauses import CLAUSES


@pytest.fixture
def registered():
    """The tests that are registered, as they were afterwards."""
    before = dict(REQUIREMENTS)
    yield REQUIREMENTS
    REQUIREMENTS.clear()
    REQUIREMENTS.update(before)


def body(_test):
    """Do something.

    In detail.
    """


FLAGS = ("alone", "several", "adapts", "each_input")


@pytest.mark.parametrize("flag", [None, *FLAGS])
def test_a_function_is_registered_with_what_it_proves(registered, flag):
    words = {"provable_where": "an answer comes", "refuted_by": "none comes"}
    given = {} if flag is None else {flag: True}
    assert proves("create.echo", "create.one", needs=("create", "list"), **words, **given)(body) is body
    found = registered["body"]
    assert found == Requirement(
        "body", "test_requirements", ("create", "list"), ("create.echo", "create.one"), body, **words, **given
    )
    assert {name: getattr(found, name) for name in FLAGS} == {name: name == flag for name in FLAGS}
    assert found.summary == "Do something."


def test_without_a_docstring_there_is_no_summary(registered):
    proves(needs=(), provable_where="", refuted_by="")(lambda _test: None)
    assert registered["<lambda>"].summary == ""


@pytest.mark.parametrize("point", InvocationPoint)
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (hook_points._passes, "success"),
        (hook_points._refuses, "failed"),
        (hook_points._refuses_unnamed, "failed_unsupported_target"),
    ],
)
def test_hooks_have_the_same_tests_at_each_point(registered, make, name, point):
    word = point.handler.removeprefix("pre").lower()
    known = registered[f"contract_pre_{word}_{name}"]
    make(point)(body)
    found = registered.pop("body")
    for each in ("handlers", "clauses", "provable_where", "refuted_by", *FLAGS):
        assert getattr(found, each) == getattr(known, each), each
    assert found.handlers == (point.marker,)


def test_requirements_name_clauses_that_there_are():
    for each in REQUIREMENTS.values():
        assert set(each.clauses) <= set(CLAUSES), each.name
        assert each.name.startswith("contract_")
        assert each.module.startswith(("handler_", "hook_"))
        assert each.summary.endswith(".")
        assert bool(each.provable_where) == bool(each.refuted_by), each.name
