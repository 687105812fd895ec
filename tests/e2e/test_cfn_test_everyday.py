"""What a day with `cfn test` is like: one cause told once, failed tests run again, configurations, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from e2e.test_cfn_test import cfn, edit, sample  # noqa: F401 - a fixture

SECRET = "hunter2-hunter2-hunter2"


@pytest.fixture(scope="module")
def broken(sample):  # noqa: F811 - the fixture
    """A sample whose updates raise, and write the secret of the request to their log."""
    project = sample("everyday")
    for path in project.glob("inputs/*.json"):
        model = json.loads(path.read_text())
        if isinstance(model, dict) and "AccessKey" in model:
            path.write_text(json.dumps({**model, "AccessKey": SECRET}))
    edit(
        project,
        '    """Replace every property',
        '    print("key", request.desiredResourceState.AccessKey)\n    raise KeyError("zone")\n    """Replace every property',
    )
    return project


def test_one_cause_is_told_once_with_the_exception_and_then_only_what_failed_runs(broken):
    done = cfn(broken, "test", "--seed", "3")
    assert done.returncode == 1
    assert done.stdout.count("Traceback (most recent call last)") == 1
    assert "  cause:  that of violation 1\n" in done.stdout
    *_, first, _second, _third, summary = [
        line for line in done.stdout.splitlines() if line.startswith(("✗ KeyError", "    ", "clauses: "))
    ]
    assert summary.startswith("clauses: 3 violated")
    ends = done.stdout[done.stdout.rindex("✗ KeyError: 'zone' at src/") :].splitlines()
    assert ends[0].endswith("in update_handler")
    assert [line.split(":")[0].strip() for line in ends[1:4]] == ["update.applied", "update.missing", "delete.update"]
    assert first

    again = cfn(broken, "test", "-q", "--last-failed")
    assert again.stderr == "" or "handler library" in again.stderr
    assert again.stdout.splitlines()[0].startswith("✗ KeyError: 'zone' at src/")
    assert len(again.stdout.splitlines()) == 5
    ran = int(again.stdout.partition(" tests,")[0].rpartition(" ")[2])
    assert 0 < ran < 30
    chosen = cfn(broken, "test", "-q", "--", "--lf", "-k", "update_without_create")
    assert "update.missing" in chosen.stdout


def test_a_handler_that_was_given_up_on_is_no_success(sample):  # noqa: F811 - the fixture
    project = sample("endless")
    edit(
        project,
        "def delete_handler(",
        """def delete_handler(_session, request, callback_context):
    model = request.desiredResourceState
    return ProgressEvent(OperationStatus.IN_PROGRESS, resourceModel=model, callbackContext={}, callbackDelaySeconds=1)


def unused(""",
    )
    done = cfn(project, "test", "--patience", "1", "--", "-k", "contract_delete_read")
    assert done.returncode == 1, done.stdout
    assert "gave up on DELETE" in done.stdout
    assert " violated" not in done.stdout.splitlines()[-1]


def test_reports_for_machines_hold_causes_clauses_and_the_handlers_masked_lines(broken, tmp_path):
    words = ("--", "-k", "contract_update_read")
    log = tmp_path / "handlers.log"
    junit = ET.fromstring(cfn(broken, "test", "--report", "junit", "--log-file", str(log), *words).stdout)
    states = {each.get("name"): each.get("value") for each in junit.iter("property")}
    assert states["clause.update.applied"] == "violated"
    (failure, *_) = junit.iter("failure")
    assert "KeyError: 'zone' at src/" in failure.get("message")
    assert "Traceback" in failure.text
    assert "key ********" in log.read_text()
    assert "contract_update_read[inputs_1]: UPDATE FAILED" in log.read_text()
    page = cfn(broken, "test", "--report", "html", *words).stdout
    assert "key ********" in page
    # A clause instead of names of tests: no other clause of update is judged by chance.
    report = json.loads(cfn(broken, "test", "--report", "json", "--focus", "update.applied").stdout)
    (found, *_) = report["findings"]
    assert "KeyError: 'zone' at src/" in found["cause"]
    (handlers,) = broken.glob("src/*/handlers.py")
    place = found["place"]
    assert (place["file"], place["function"]) == (str(handlers.relative_to(broken)), "update_handler")
    assert "zone" in handlers.read_text().splitlines()[place["line"] - 1]
    judging = {"contract_whole_life", "contract_update_neighbour", "contract_update_read"}
    assert {each["name"].partition("[")[0] for each in report["tests"]} >= judging
    assert "key ********" in found["exchanges"][-1]["log"]
    assert SECRET not in page + log.read_text()


def test_a_configuration_is_checked_before_the_first_call_and_one_that_is_missing_is_told_once(sample):  # noqa: F811
    project = sample("configured")
    (path,) = project.glob("acme-*.json")
    schema = json.loads(path.read_text())
    schema["typeConfiguration"] = {
        "properties": {"Limit": {"type": "integer"}},
        "required": ["Limit"],
        "additionalProperties": False,
    }
    path.write_text(json.dumps(schema))
    cfn(project, "generate")
    done = cfn(project, "test", "-q", "--", "-k", "contract_delete_read")
    assert done.stderr.count("missing configuration: the type requires Limit") == 1
    assert done.returncode == 0
    configuration = project / "wrong.json"
    configuration.write_text('{\n  "Limit": "many",\n  "Limt": 1\n}')
    done = cfn(project, "test", "--typeconfig", "wrong.json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "wrong.json:2:" in done.stderr
    assert "wrong.json:3:" in done.stderr
    done = cfn(project, "test", "--debug-port", "0")
    assert done.returncode == 2
    done = cfn(project, "test", "--log-file", "missing/handlers.log")
    assert done.returncode == 2
    assert '--log-file is "missing/handlers.log"' in done.stderr


def test_lines_of_handlers_that_never_ran_are_in_every_report(sample, tmp_path):  # noqa: F811
    project = sample("covered")
    (handlers,) = project.glob("src/*/handlers.py")
    text = handlers.read_text() + "\n\ndef never_called():\n    print(1)\n    return 2\n"
    handlers.write_text(text)
    last = len(text.splitlines())
    (handlers.parent / "unused.py").write_text("X = 1\n")
    words = ("test", "--seed", "3")
    done = cfn(project, *words, "--coverage")
    (line,) = [each for each in done.stdout.splitlines() if each.startswith("handler coverage: ")]
    assert f"{last - 1}-{last}" in line
    assert "unused.py 0 %, not run: 1" in line
    assert "models" not in line
    assert done.stdout.splitlines()[-1].startswith("clauses: ")
    page = tmp_path / "page.html"
    cfn(project, *words, "--coverage", "--report", "html", "--report-file", str(page), "--", "-k", "create_read")
    section = page.read_text().partition("<h2>Handler coverage</h2>")[2].partition("<h2>")[0]
    assert f"src/{handlers.parent.name}/handlers.py" in section
    assert f"{last - 1}-{last}" in section
    some = ("--report", "json", "--", "-k", "create_read")
    found = json.loads(cfn(project, *words, "--coverage", *some).stdout)["coverage"]
    assert found["unmeasured"] is None
    (own,) = [each for each in found["files"] if each["file"].endswith("/handlers.py")]
    assert own["neverRun"][-1] == [last - 1, last]
    assert 0 < own["run"] < own["lines"]
    assert 0 < own["percent"] < 100
    assert json.loads(cfn(project, *words, "--no-coverage", *some).stdout)["coverage"] is None


def _children(process_id):
    return "".join(each.read_text() for each in Path(f"/proc/{process_id}/task").glob("*/children"))


@pytest.mark.skipif(sys.platform != "linux", reason="signals, and when to send them")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "term"])
def test_an_end_cleans_up_and_reports_what_ran(sample, number, code):  # noqa: F811
    project = sample(f"interrupted{code}")
    edit(project, "POLL_SECONDS = 0", "POLL_SECONDS = 2")
    command = [sys.executable, "-m", "formwork.cli.main", "test", "-v"]
    with subprocess.Popen(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as running:
        while running.poll() is None and not _children(running.pid):  # on a busy machine the start takes long
            time.sleep(0.2)
        time.sleep(4)
        running.send_signal(number)
        out, err = running.communicate(timeout=60)
    assert running.returncode == code, out + err
    assert "interrupted: deleting what the tests made" in err
    assert "KeyboardInterrupt" not in out + err
    assert "!!!" not in out + err
    assert "a bug in Formwork" not in err
    assert "mainloop" not in err
    assert "Not deleted" not in out
    if number == signal.SIGINT:
        assert "interrupted: " in out
        assert " tests had run" in out
