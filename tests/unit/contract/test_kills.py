"""Every mutant is killed by a test that names its clause; which ones do is kept in `golden/contract/kills/`."""

import json

import pytest

from support.kills import cases, groups, killers, run_case, stored

# Of each mutant one shape in every run, the shapes in turn; all of them in `make conformance`.
_FIRST = {name: (name, shape) for name, _, shape in reversed(cases())}
_SHAPES = {name: [shape for other, _, shape in cases() if other == name] for name in _FIRST}
SAMPLE = [(name, shapes[place % len(shapes)]) for place, (name, shapes) in enumerate(_SHAPES.items())]


def test_the_stored_kills_are_of_these_mutants():
    assert {name: set(kept) for name, kept in stored().items()} == {name: set(each) for name, each in _SHAPES.items()}
    assert all(tests for kept in stored().values() for tests in kept.values())
    assert len(cases()) >= 600


@pytest.mark.parametrize(("name", "shape"), SAMPLE, ids=[f"{name}-{shape}" for name, shape in SAMPLE])
def test_a_mutant_is_killed_under_its_clause(name, shape):
    tests = stored()[name][shape]  # and no others: that these alone report it, the slow test shows
    each, result = run_case(name, shape, tests)
    said = [f"{one.clause}: {one.message}" for one in result.findings]
    assert killers(each, result) == tests, f"{said}; run this file with -m slow --update-golden"
    assert not each.warns or result.passed, said


@pytest.mark.slow
@pytest.mark.parametrize("group", groups())
def test_all_kills_are_as_stored(group, golden):
    found = {}
    for name, clause, shape in cases():
        if clause.partition(".")[0] == group:
            each, result = run_case(name, shape)
            found.setdefault(name, {})[shape] = killers(each, result)
            assert found[name][shape], [name, shape, *(f"{one.clause}: {one.message}" for one in result.findings)]
    golden(f"contract/kills/{group}.json", json.dumps(found, indent=1) + "\n")
