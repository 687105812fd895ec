"""What handlers and templates say moves no cursor and colours nothing: each report and each line shows it as text."""

import contextlib
import io
import json
import re

import pytest

from formwork.cli.main import main
from formwork.command_context.output import CommandOutput
from formwork.command_context.status_line import StatusLine
from formwork.contract.suite import run_suite
from formwork.contract_results.report.html import render_html
from formwork.contract_results.report.junit import render_junit
from formwork.contract_results.report.logs import render_logs
from formwork.contract_results.report.machine import render_json as render_report_json
from formwork.contract_results.report.text import render_text as render_report
from formwork.diagnostics import Diagnostic, Location, Severity
from formwork.diagnostics.diagnostic import Position
from formwork.diagnostics.render import render_text
from formwork.diagnostics.visible import TerminalText, painted, visible
from formwork.invoke import Answer
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.handler_projects import make_project
from support.registry import THING, resource_package
from support.serving import register, serving
from support.shapes import SHAPES

# A title, a colour, a clipboard, an overwritten line, the same by a C1 control, and a change of direction.
ATTACK = "\x1b]0;owned\x07\x1b[31mred\x1b[8m \x1b]52;c;aGk=\x1b\\ over\rwritten \x9b2J \x85 \x7f \u202eleft"
SEEN = r"\x1b]0;owned\x07\x1b[31mred"
HANDLERS = f"""
def resource(event, context):
    print({ATTACK!r})
    return {{"status": "FAILED", "errorCode": "InternalFailure", "message": {ATTACK!r}}}

test_entrypoint = resource
"""
OURS = re.compile(r"\x1b\[(?:0|2|31|32|33|36|1;31|1;33|1;36)m")
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def assert_harmless(text, *, painted_by_us=False):
    assert SEEN in text
    assert OBEYED.findall(OURS.sub("", text) if painted_by_us else text) == []


def run(*words, cwd, terminal=False):
    out, err = (Terminal() if terminal else io.StringIO() for _ in range(2))
    with contextlib.chdir(cwd):
        main([str(each) for each in words], CommandOutput(out, err, colour=False, interactive=False))
    return out.getvalue(), err.getvalue()


def test_what_is_shown():
    assert visible("plain — ünïcode\tand\r\nlines\n") == "plain — ünïcode\tand\r\nlines\n"
    assert visible("\x1b[2J \r \x9b \u202e \x7f") == r"\x1b[2J \x0d \u009b \u202e \u007f"
    assert visible(TerminalText("\x1b[2m")) == "\x1b[2m"
    assert painted(ATTACK, "31", colour=True) == f"\x1b[31m{visible(ATTACK)}\x1b[0m"
    assert painted("text", "31", colour=False) == "text"
    assert json.loads(visible(json.dumps([ATTACK], ensure_ascii=False))) == [ATTACK]


def test_lines_of_every_command():
    out, err = Terminal(), io.StringIO()
    output = CommandOutput(out, err, colour=False, interactive=False, answers=io.StringIO("yes\n"), verbosity=1)
    output.say(ATTACK)
    output.detail(ATTACK)
    output.ask(ATTACK)
    output.show([Diagnostic("code", Severity.ERROR, ATTACK, Location(ATTACK), ATTACK, ATTACK, (ATTACK,))])
    output.result(ATTACK)
    assert_harmless(out.getvalue())
    assert_harmless(err.getvalue())


def test_a_file_gets_results_as_they_are():
    out = io.StringIO()
    CommandOutput(out, io.StringIO(), colour=False, interactive=False).result(ATTACK)
    assert out.getvalue() == f"{ATTACK}\n"


def test_diagnostics_with_their_source_lines():
    place = Location(ATTACK, start=Position(1, 1))
    found = render_text([Diagnostic("code", Severity.ERROR, ATTACK, place)], colour=True, source=lambda _file: ATTACK)
    assert_harmless(found, painted_by_us=True)


def test_the_line_of_progress():
    stream = io.StringIO()
    StatusLine(stream, colour=True).show(ATTACK)
    assert_harmless(stream.getvalue().removeprefix("\r"), painted_by_us=True)


@pytest.fixture(scope="module")
def result():
    """Handlers that print the attack, and answer it as a message and an error code."""
    schema = SHAPES["named"]()
    simulator = Simulator(schema, seed=1)

    def handler(event, context):
        answer = simulator(event, context)
        if event["action"] == "READ":
            answer = {"status": "FAILED", "errorCode": ATTACK, "message": ATTACK}
        return Answer(json.dumps({**answer, "message": ATTACK}).encode(), log=f"{ATTACK}\n")

    return run_suite(subject_of(handler, schema), names=["contract_create_read", "contract_create_delete"])


@pytest.mark.parametrize("colour", [False, True])
def test_the_report_as_text(result, colour):
    assert result.findings
    assert_harmless(render_report(result, colour=colour), painted_by_us=colour)


@pytest.mark.parametrize("render", [render_html, render_junit, render_logs, render_report_json])
def test_the_report_in_other_forms(result, render):
    text = render(result)
    assert OBEYED.findall(text) == []
    assert visible(ATTACK)[:10] in text or "u001b" in text


def test_cfn_invoke(tmp_path):
    project = make_project(tmp_path / "thing", handlers=HANDLERS)
    (tmp_path / "request.json").write_text(json.dumps({"desiredResourceState": {"Name": "one"}}))
    out, err = run("invoke", "-v", "resource", "CREATE", tmp_path / "request.json", cwd=project, terminal=True)
    assert OBEYED.findall(out) == OBEYED.findall(err) == []
    assert SEEN in out + err


def test_registry_logs_and_events_of_stacks(tmp_path, monkeypatch):
    for name, value in {"ACCESS_KEY_ID": "111111111111", "SECRET_ACCESS_KEY": "x", "REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    template = json.dumps({"Resources": {"Thing": {"Type": THING, "Properties": {"Name": "one"}}}})
    with serving(tmp_path, forked=True) as server:
        register(server, content=resource_package(handlers=HANDLERS))
        cloudformation = server.client("cloudformation")
        cloudformation.create_stack(StackName="one", TemplateBody=template, OnFailure="DO_NOTHING")
        with contextlib.suppress(Exception):
            cloudformation.get_waiter("stack_create_complete").wait(StackName="one")
        where = ["--endpoint-url", server.url]
        for terminal in (False, True):
            out, err = run("registry", "logs", THING, *where, cwd=tmp_path, terminal=terminal)
            assert_harmless(out + err)
            out, err = run("stack", "events", "one", *where, cwd=tmp_path, terminal=terminal)
            assert "red" in out  # what XML can't write is gone by then
            assert r"\u202eleft" in out
            assert OBEYED.findall(out + err) == []
