"""What a run of `cfn test` notes of its failures is what pytest's own cache would have of them."""

import json
from pathlib import Path

import pytest

from formwork.contract.plugin import ContractPlugin
from formwork.contract.run import ContractRun
from formwork.contract_runs.last_run import LastRun
from formwork.simulate import Behaviour, Simulator
from support.broken import BROKEN
from support.broken import subject_of as broken_subject
from support.contract_pytest import SUITE, run_contract, run_pytest
from support.contract_subjects import subject_of
from support.shapes import named

NAMES = ("inputs_1", "inputs_größe\n[2]")


@pytest.fixture
def last(tmp_path, monkeypatch):
    monkeypatch.setenv("FORMWORK_CACHE", str(tmp_path / "cache"))
    return LastRun(tmp_path)


def sound():
    schema = named()
    return subject_of(Simulator(schema, Behaviour(page_size=2), seed=1), schema, seed=1)


def broken():
    each = next(each for each in BROKEN if each.name == "read_always_NotFound")
    return broken_subject(each, named())[0]


def only_reads(requirement, _inputs):
    return requirement.name in {"contract_create_read", "contract_read_read", "contract_create_list"}


def noted(folder):
    return json.loads((folder / "v" / "cache" / "lastfailed").read_text(encoding="utf-8"))


def ran(*subjects):
    run = ContractRun(list(zip(NAMES, subjects, strict=False)), includes=only_reads)
    run.run()
    return run


def test_failures_are_noted_under_the_names_that_pytest_gives_them(last, tmp_path):
    run = ran(sound(), broken())
    last.keep_failures(run.result.tests)
    assert last.has_failures
    by_pytest = ContractRun(list(zip(NAMES, (sound(), broken()), strict=True)), includes=only_reads)
    place = tmp_path / "of-pytest"
    run_pytest(
        *("-p", "cacheprovider", "-o", f"cache_dir={place}", "--rootdir", str(SUITE / "requirements")),
        plugins=[ContractPlugin(by_pytest)],
    )
    assert noted(last.folder) == noted(place)
    assert len(noted(place)) > 0


def test_the_next_run_forgets_what_passed_and_keeps_what_did_not_run(last):
    last.keep_failures(ran(broken()).result.tests)
    before = noted(last.folder)
    assert "handler_create.py::contract_create_read" in before
    kept = {"handler_update.py::contract_update_read": True}
    (last.folder / "v" / "cache" / "lastfailed").write_text(json.dumps({**before, **kept}))
    last.keep_failures(ran(sound()).result.tests)
    assert noted(last.folder) == kept


def test_a_run_without_failures_writes_nothing(last):
    last.keep_failures(ran(sound()).result.tests)
    assert not last.has_failures
    assert not Path(last.folder).exists()


def test_a_cache_that_is_no_longer_one_is_begun_anew(last):
    place = last.folder / "v" / "cache" / "lastfailed"
    place.parent.mkdir(parents=True)
    for text in ("[]", "nonsense"):
        place.write_text(text)
        assert not last.has_failures
    last.keep_failures(ran(broken()).result.tests)
    assert last.has_failures


def test_a_run_takes_the_tests_in_the_order_of_pytest():
    subjects = [("a", sound()), ("b", sound())]
    run = ContractRun(subjects)
    run.run()
    assert [each.name for each in run.result.tests] == run_contract(subjects).names
