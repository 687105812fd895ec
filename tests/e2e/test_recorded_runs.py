"""`cfn test --record` and `--replay`: a whole contract run has the same verdicts without what it was recorded with."""

import json
import re
import shutil

import pytest

from support.corpus import REPOSITORY
from support.namespaces import needs_namespaces

pytestmark = needs_namespaces
SECRETS = ("correct horse battery", "battery staple horse")
CLAUSES = re.compile(r"^[✓✗!?·-] .*$", re.MULTILINE)


@pytest.fixture
def bundle(tmp_path):
    return shutil.copytree(REPOSITORY / "examples/config-bundle", tmp_path / "config-bundle")


def verdicts(done):
    assert "Traceback" not in str(done)
    return sorted({" ".join(each.split()) for each in CLAUSES.findall(done.out)})


@pytest.mark.acceptance
@pytest.mark.timeout(300)
def test_a_replay_has_the_verdicts_of_its_recording(desk, bundle):
    recorded = desk.cfn("test", "--aws", "moto", "--record", "calls", cwd=bundle)
    assert recorded.code == 0, str(recorded)
    texts = [path.read_text(encoding="utf-8") for path in sorted((bundle / "calls").iterdir())]
    assert len(texts) == len(["S3", "SSM", "run.json"])
    assert not any(secret in text for text in texts for secret in SECRETS)
    replayed = desk.cfn("test", "--replay", "calls", cwd=bundle)
    assert verdicts(replayed) == verdicts(recorded)
    assert len(verdicts(recorded)) > 60
    assert replayed.code == 0, str(replayed)
    assert not any(secret in replayed.out + replayed.err for secret in SECRETS)


def test_one_test_of_a_recording_can_be_replayed(desk, bundle):
    choice = ("--", "-k", "contract_create_read or contract_update_read")
    recorded = desk.cfn("test", "--aws", "moto", "--record", "calls", "--effort", "thorough", *choice, cwd=bundle)
    assert recorded.code == 0, str(recorded)
    run = json.loads((bundle / "calls/run.json").read_text())
    assert (run["run"], run["effort"]) == (1, "thorough")
    replayed = desk.cfn("test", "--replay", "calls", "--", "-k", "contract_update_read", cwd=bundle)
    assert replayed.code == 0, str(replayed)
    assert f"--seed {run['seed']}" not in replayed.err


@pytest.mark.parametrize("text", ["{", "[]", '{"run": 2}', '{"run": 1, "seed": "x"}'])
def test_a_file_of_the_run_that_cannot_be_used_is_refused(desk, bundle, text):
    (bundle / "calls").mkdir()
    (bundle / "calls/run.json").write_text(text)
    done = desk.cfn("test", "--replay", "calls", cwd=bundle)
    assert done.code == 1
    assert "cassette.run" in done.err
    assert "run.json" in done.err


@pytest.mark.parametrize("option", ["--record", "--replay"])
def test_calls_are_recorded_in_one_sequence(desk, bundle, option):
    done = desk.cfn("test", option, "calls", "--jobs", "2", cwd=bundle)
    assert done.code == 2
    assert f"{option} cannot be used with --jobs 2" in done.err
