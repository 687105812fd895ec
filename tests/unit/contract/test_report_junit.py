"""What JUnit's XML says of warnings: they stand beside a case that passes, and fail nothing."""

from xml.etree import ElementTree as ET

import pytest

from formwork.contract.suite import run_suite
from formwork.contract_results.report.junit import render_junit
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.mutants import MUTANTS
from support.shapes import SHAPES


def document_of(change, *names):
    schema = SHAPES["named"]()
    simulator = Simulator(schema, seed=1)
    changed = change(simulator)
    return ET.fromstring(render_junit(run_suite(subject_of(changed, schema), names=names or None)))


@pytest.fixture(scope="module")
def warned():
    (found,) = [each for each in MUTANTS if each.clause == "tags.system"]
    return document_of(lambda simulator: lambda event, _context=None: found.change(simulator, event, simulator))


def test_a_warning_is_in_the_output_of_a_case_that_passes(warned):
    suite = warned.find("testsuite")
    assert suite.get("failures") == "0"
    assert not list(warned.iter("failure"))
    outputs = [each.text for each in warned.iter("system-out") if "warning: " in each.text]
    assert outputs
    assert all("warning: tags.system: " in each for each in outputs)
    states = {each.get("name"): each.get("value") for each in warned.iter("property")}
    assert states["clause.tags.system"] == "warned"


def test_a_case_names_the_clauses_that_held_in_it(warned):
    held = [line for each in warned.iter("system-out") for line in each.text.splitlines() if line.startswith("held: ")]
    assert any("create.applied" in line for line in held)


def test_sound_handlers_have_no_warning():
    sound = document_of(lambda simulator: simulator, "contract_create_read")
    assert not [each.text for each in sound.iter("system-out") if "warning" in each.text]
