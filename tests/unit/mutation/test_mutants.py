"""The campaign's mutants, and that its stored verdicts and reasons are of the sample handlers as they are."""

import ast

import pytest

from formwork.extensions import ExtensionKind
from formwork.generate.scaffold import ScaffoldRequest
from support.mutation import python
from support.mutation.judging import SURVIVED, outcome, told
from support.mutation.results import ALLOWED, EQUIVALENT, explanations, stored
from support.mutation.samples import SAMPLES
from support.mutation.typescript import compile_with_mutants, package
from support.plans import plan_new_project
from support.proving import ContractVerdict
from support.toolchains import needs_node

SOURCE = '''"""Told."""
LIMIT = 3

def keep(store, name=None):
    """Keep it."""
    if name is None or not store:
        raise errors.NotFound(name)
    return store.put(name, size=len(name) < LIMIT)
'''
SCRIPT = """
const LIMIT = 3;

export function keep(store: Store, name?: string): boolean {
  if (name === undefined || !store) throw new exceptions.NotFound(name);
  return store.put({ name, small: name.length < LIMIT });
}
"""


def lines_changed(before, after):
    return {(old, new) for old, new in zip(before.splitlines(), after.splitlines(), strict=False) if old != new}


def test_mutants_of_python():
    changes = {each.name: lines_changed(SOURCE, each.text) for each in python.mutants_of(SOURCE)}
    new = {line.strip() for changed in changes.values() for _, line in changed}
    assert {
        "LIMIT = None", "LIMIT = 2", "LIMIT = 4", "pass",
        "if not (name is None or not store):", "if not (name is None) or not store:",
        "if name is None or not (not store):", "if name is None and (not store):", "if (name is None):",
        "raise errors.InvalidRequest('x')", "return None", "return store.put(name)",
        "return store.put(name, size=(len(name)) <= (LIMIT))", "return store.put(name, size=(name) < LIMIT)",
    } <= new  # fmt: skip
    assert "keep: delete `raise errors.NotFound(name)`" in changes
    assert not any('`"""' in name for name in changes), "docstrings stay"


@needs_node
@pytest.mark.slow  # it installs the compiler
def test_mutants_of_typescript(tmp_path):
    (tmp_path / "keep.ts").write_text(SCRIPT, encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    ((compiled, mutants),) = compile_with_mutants(package(work), [tmp_path / "keep.ts"], [])
    new = {line.strip() for each in mutants for _, line in lines_changed(compiled, each.text)}
    assert {
        "const LIMIT = undefined;", "const LIMIT = 2;", "const LIMIT = 4;",
        "if (!(name === undefined || !store))", "if (!(name === undefined) || !store)",
        "if ((name === undefined) && (!store))", "throw new exceptions.InvalidRequest('x');",
        "return undefined;", "return store.put({ small: name.length < LIMIT });",
        "return store.put({ name, small: (name.length) <= (LIMIT) });",
    } <= new  # fmt: skip


@pytest.mark.parametrize("name", ["python-resource", "python-hook"])
def test_the_stored_verdicts_are_of_the_python_samples(name):
    sample = SAMPLES[name]
    request = ScaffoldRequest(
        kind=ExtensionKind(sample.kind), type_name=sample.type_name, language=sample.language, sample=True
    )
    plan = plan_new_project(request)
    found = set()
    for file in sample.files:
        mutants = python.mutants_of(plan[f"{sample.folder}/{file}"].text)
        assert len({each.text for each in mutants}) == len(mutants)
        for each in mutants:
            ast.parse(each.text)
        found |= {(file, each.name) for each in mutants}
    assert found == {*stored(name)}, "run tests/conformance/test_mutation.py with -m slow --update-golden"


@pytest.mark.parametrize("name", SAMPLES)
def test_every_survivor_is_explained_and_nothing_else(name):
    survivors = {mutant for mutant, each in stored(name).items() if outcome(each) == SURVIVED}
    reasons = explanations(name)
    assert sorted(survivors - {*reasons}) == []
    assert sorted({*reasons} - survivors) == [], "it is killed by now: take it from the list"
    assert {each.kind for each in reasons.values()} <= {EQUIVALENT, ALLOWED}
    assert all(each.why for each in reasons.values())


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (ContractVerdict(1, ("create.applied", "create.list"), (), ""), "killed: create.applied"),
        (ContractVerdict(1, (), ("create.partial",), "why"), "exit 1: why"),
        (ContractVerdict(1, (), (), "not provable: gave up on UPDATE after 5 s"), "killed: gave up on UPDATE"),
        (ContractVerdict(0, (), ("create.partial",), ""), "warned: create.partial"),
        (ContractVerdict(0, (), (), ""), "survived"),
        (ContractVerdict(3, ("create.applied",), (), "why"), "exit 3: why"),
    ],
)
def test_a_mutant_is_killed_by_a_clause_alone(verdict, expected):
    assert told(verdict) == expected
