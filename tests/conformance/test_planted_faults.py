"""`cfn test --faults` finds every planted fault of handling, with its call, and nothing in the sound handlers."""

import json
from pathlib import Path

import pytest

from support import golang
from support.commands import Desk
from support.fault_widgets import OPTIONS, PLANTED, PLANTED_LAMPS, make_lamp, make_widget
from support.namespaces import needs_namespaces
from support.toolchains import needs_go, needs_java, needs_node
from support.typescript import CACHE

pytestmark = [pytest.mark.slow, needs_namespaces, pytest.mark.timeout(900)]


def judged(tmp_path, widget, fault=None, *options):
    """The report of a run with failures."""
    project = make_widget(tmp_path / "thing", widget, fault)
    words = ("test", *OPTIONS[widget], "--faults", *options, "--seed", "1", "--report", "json")
    done = Desk(tmp_path).cfn(*words, cwd=project, timeout=800)
    assert done.out.startswith("{"), str(done)
    return json.loads(done.out)


@pytest.mark.parametrize("effort", ["quick", "thorough"])
@pytest.mark.parametrize("widget", OPTIONS)
def test_sound_handlers_keep_all_clauses(tmp_path, widget, effort):
    report = judged(tmp_path, widget, None, "all", "--effort", effort)
    assert report["findings"] == []
    assert {each["state"] for each in report["clauses"]} == {"proved"}


def judged_lamp(tmp_path, language, fault=None):
    """The report of a run with failures of the lamp in another language."""
    root = tmp_path / "lamp"
    root.mkdir()
    desk = Desk(tmp_path)
    environment = {
        **golang.caches(),
        "FORMWORK_CACHE": str(CACHE),
        "npm_config_userconfig": str(Path.home() / ".npmrc"),
    }

    def cfn(*words):
        return desk.cfn(*words, cwd=root, env=environment, timeout=800)

    make_lamp(root, language, cfn, fault)
    done = cfn("test", *OPTIONS["lamp"], "--faults", "--seed", "1", "--report", "json")
    assert done.out.startswith("{"), str(done)
    return json.loads(done.out)


LANGUAGES = [
    pytest.param("go", marks=needs_go),
    pytest.param("typescript", marks=needs_node),
    pytest.param("java", marks=needs_java),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sound_handlers_in_other_languages_keep_all_clauses(tmp_path, language):
    report = judged_lamp(tmp_path, language)
    assert report["findings"] == []
    assert {each["state"] for each in report["clauses"]} == {"proved"}


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_planted_fault_in_another_language_is_found(tmp_path, language, number):
    fault = PLANTED_LAMPS[language][number]
    found = [(each["clause"], each["message"]) for each in judged_lamp(tmp_path, language, fault)["findings"]]
    assert any(clause == fault.clause and f"`{fault.call}`" in message for clause, message in found), (
        fault.name,
        found,
    )


@pytest.mark.parametrize(
    ("widget", "fault"),
    [
        pytest.param(widget, fault, id=f"{widget}: {fault.name}")
        for widget, all_of in PLANTED.items()
        for fault in all_of
    ],
)
def test_a_planted_fault_is_found(tmp_path, widget, fault):
    report = judged(tmp_path, widget, fault, "--enforce-timeout", "2")
    found = [(each["clause"], each["message"]) for each in report["findings"]]
    assert any(clause == fault.clause and f"`{fault.call}`" in message for clause, message in found), found
