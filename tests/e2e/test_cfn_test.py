"""`cfn test` as a user meets it: a sample project, sound and broken in different ways."""

import json
import os
from xml.etree import ElementTree as ET

import pytest

from support.forked import run_command

CANARY = "canary-secret-value-77"


def cfn(project, *words, timeout=120, **environment):
    return run_command(words, cwd=project, env={**os.environ, **environment}, timeout=timeout)


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """`sample(name)`: a fresh project with working handlers over a store of its own."""

    def make(name):
        folder = tmp_path_factory.mktemp(name)
        unique = f"T{os.getpid()}{name}"
        done = cfn(
            folder, "init", "--sample", "-a", "RESOURCE", "-t", f"Acme::{unique}::Thing", "python311", "--no-docker"
        )
        assert done.returncode == 0, done.stderr
        return folder

    return make


def handlers_of(project):
    (path,) = project.glob("src/*/handlers.py")
    return path


def edit(project, old, new):
    path = handlers_of(project)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def files_of(project):
    return {
        str(each.relative_to(project))
        for each in project.rglob("*")
        if each.is_file() and "__pycache__" not in each.parts
    }


def test_a_sound_project_passes_and_leaves_nothing_behind(sample):
    project = sample("sound")
    before = files_of(project)
    done = cfn(project, "test", "--seed", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✓ create.idempotent" in done.stdout
    assert "violated" not in done.stdout
    assert files_of(project) == before


def test_one_test_is_selected_by_its_name(sample):
    project = sample("selected")
    done = cfn(project, "test", "--", "-k", "contract_delete_update", "--tb=short")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✓ delete.update" in done.stdout
    assert "✓ update.replace" not in done.stdout
    done = cfn(project, "test", "--require-proof", "--", "-k", "contract_delete_update")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "--require-proof: no proof of " in done.stderr
    done = cfn(project, "test", "--require-proof", "--unproved", "no.clause")
    assert (done.returncode, '"no.clause" is not a clause' in done.stderr) == (2, True)
    done = cfn(project, "test", "--", "-k", "no_such_test")
    assert (done.returncode, "no test is selected" in done.stderr) == (2, True)
    done = cfn(project, "test", "--", "-m", "list and not update", "--collect-only")
    assert "contract_create_list" in done.stdout
    assert "contract_update_list" not in done.stdout


def test_secrets_are_in_no_report(sample):
    project = sample("secret")
    for path in project.glob("inputs/*.json"):
        model = json.loads(path.read_text())
        if isinstance(model, dict) and "AccessKey" in model:
            path.write_text(json.dumps({**model, "AccessKey": CANARY}))
    edit(
        project,
        "resourceModel=_model(entry)",
        "resourceModel=ResourceModel._deserialize({**_model(entry)._serialize(), 'AccessKey': 'canary-secret-value-77', 'Title': 'wrong'})",
    )
    shown = []
    for kind, chosen in {"text": (), **dict.fromkeys(("json", "junit", "html"), ("--", "-k", "create_read"))}.items():
        done = cfn(project, "test", "--report", kind, "-v", *chosen)
        assert done.returncode == 1, done.stderr
        shown.append(done.stdout)
        assert CANARY not in done.stdout + done.stderr, kind
    text, as_json, junit, page = shown
    assert "event.writeonly" in text
    report = json.loads(as_json)
    assert "event.writeonly" in {each["clause"] for each in report["findings"]}
    assert report["passed"] is False
    assert int(ET.fromstring(junit).find("testsuite").get("failures")) > 0
    assert "<script" in page
    assert "http" not in page.replace("https://", "http").split("<h2>Findings")[0].lower().replace("http-equiv", "")


@pytest.mark.acceptance
def test_a_handler_that_hangs_ends_the_run_by_itself(sample):
    project = sample("hanging")
    edit(project, '    """Start to create; asked', '    import time; time.sleep(600)\n    """Start to create; asked')
    done = cfn(project, "test", "--enforce-timeout", "0.5", timeout=60)
    assert done.returncode == 1
    assert "✗ event.time.cud" in done.stdout
    assert done.stdout.count("violation") == 1


@pytest.mark.slow
def test_a_handler_that_eats_memory_ends_the_run_by_itself(sample):
    project = sample("hungry")
    edit(
        project,
        '    """Start to create; asked',
        '    x = []\n    while True: x.append("x" * 10_000_000)\n    """Start to create; asked',
    )
    done = cfn(project, "test", timeout=100)
    assert done.returncode == 1
    assert "✗ event.object" in done.stdout
    assert "memory" in done.stdout


def test_a_list_without_end_ends_the_run_by_itself(sample):
    project = sample("listing")
    edit(project, "nextToken=page[-1] if len(names) > PAGE_SIZE else None", "nextToken=(request.nextToken or '') + 'a'")
    done = cfn(project, "test", timeout=100)
    assert done.returncode == 1
    assert "✗ list.ends" in done.stdout


def test_a_missing_or_wrong_input_file_is_named(sample):
    project = sample("inputs")
    (project / "inputs" / "inputs_1_create.json").rename(project / "inputs" / "inputs_4_create.json")
    done = cfn(project, "test")
    assert done.returncode == 1
    assert "inputs/inputs_1_create.json" in done.stderr
    (project / "inputs" / "inputs_4_create.json").rename(project / "inputs" / "inputs_1_create.json")
    (project / "inputs" / "inputs_1_invalid.json").unlink()
    update = project / "inputs" / "inputs_1_update.json"
    update.write_text(json.dumps({**json.loads(update.read_text()), "Name": "Other"}))
    done = cfn(project, "test")
    assert done.returncode == 1
    assert "inputs/inputs_1_invalid.json" in done.stderr
    assert "contract.input-create-only" in done.stderr
    assert "inputs_1_update.json" in done.stderr


def test_create_only_properties_are_no_overrides_for_updates(sample):
    project = sample("overrides")
    for path in project.glob("inputs/*"):
        path.unlink()
    (project / "overrides.json").write_text('{"CREATE": {"Title": "x"}, # fine\n "UPDATE": {"/Name": "Other"}}')
    done = cfn(project, "test")
    assert done.returncode == 1
    assert "contract.override-create-only" in done.stderr
    assert "overrides.json:2" in done.stderr


def test_generated_inputs_prove_the_sample_too(sample):
    project = sample("generated")
    for path in project.glob("inputs/*"):
        path.unlink()
    done = cfn(project, "test", "--seed", "5")
    assert done.returncode == 0, done.stdout


def test_words_that_make_no_sense(sample):
    project = sample("words")
    for words in (["--enforce-timeout", "0"], ["--v2"], ["--docker-image", "x"], ["--endpoint", "nonsense"]):
        done = cfn(project, "test", *words)
        assert done.returncode == 2, (words, done.stderr)
        assert "Traceback" not in done.stderr
    done = cfn(project, "test", "--endpoint", "http://127.0.0.1:9", timeout=60)
    assert done.returncode == 3, done.stdout + done.stderr


def test_an_export_without_a_value_stops_the_run_before_a_handler_is_called(sample):
    project = sample("Exports")
    path = project / "inputs" / "inputs_1_create.json"
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "Title": "{{SharedTitle}}"}))
    done = cfn(project, "test", "--report", "json")
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert 'the value of the export "SharedTitle" is unknown' in done.stderr
    assert "inputs_1_create.json" in done.stderr
    (project / "exports.json").write_text(json.dumps({"SharedTitle": "What came in"}))
    given = cfn(project, "test", "--exports", "exports.json", "--report", "json", "-k", "contract_create_read")
    assert json.loads(given.stdout)["clauses"], given.stderr
