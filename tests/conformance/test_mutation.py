"""The mutation campaign over the sample handlers: each mutant is killed by `cfn test`, or its survival is explained.

The parts are tests of their own, of some minutes each: `pytest -m slow tests/conformance/test_mutation.py -k
"python-resource-3"` runs one, and `--update-golden` stores what became of its mutants.
"""

import json
import os

import pytest

from support.mutation.judging import SURVIVED, judge, outcome
from support.mutation.results import explanations, part_path
from support.mutation.samples import SAMPLES, SampleProject
from support.proving import Prover
from support.toolchains import needs_node
from support.typescript import CACHE, NPM

PARTS = [
    pytest.param(
        sample, part, id=f"{sample.name}-{part}", marks=[needs_node] if sample.language == "typescript" else []
    )
    for sample in SAMPLES.values()
    for part in range(1, sample.parts + 1)
]


@pytest.fixture(scope="module")
def prover(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return Prover({**os.environ, **NPM, "HOME": str(home), "FORMWORK_CACHE": str(CACHE)})


@pytest.fixture(scope="module")
def projects(prover, tmp_path_factory):
    """A sample by its name, written once; without a mutant `cfn test` has nothing to say of it."""
    made = {}

    def get(sample):
        if sample.name not in made:
            project = made[sample.name] = SampleProject(sample, tmp_path_factory.mktemp(sample.name), prover.expect)
            assert prover.test(project.root).is_quiet
            for each in project.other_inputs():
                project.forget()
                with each as options:
                    verdict = prover.test(project.root, *options)
                assert verdict.code == 0, verdict.report
            project.forget()
        return made[sample.name]

    return get


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "part"), PARTS)
def test_each_mutant_is_killed_or_explained(sample, part, prover, projects, request):
    project, reasons = projects(sample), explanations(sample.name)
    found = {}
    for source, mutant in project.mutants(part):
        explained = (source.name, mutant.name) in reasons
        told = judge(prover, project, source, mutant, explained=explained)
        found.setdefault(source.name, {})[mutant.name] = told
    path = part_path(sample.name, part)
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert _outcomes(found) == _outcomes(stored), "run this test with --update-golden, and read what changed"
    survivors = {(file, name) for file, mutants in found.items() for name, each in mutants.items() if each == SURVIVED}
    assert sorted(survivors - {*reasons}) == [], "no clause is reported, and no reason is listed"


def _outcomes(mutants):
    return {(file, name): outcome(told) for file, each in mutants.items() for name, told in each.items()}
