"""The suite in an author's own pytest run: handlers in process, the plugin named by hand."""

import os
import subprocess
import sys
from pathlib import Path

import formwork.contract


def test_an_authors_pytest_runs_the_suite_in_process(tmp_path):
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TMPDIR": str(tmp_path)}
    cfn = [sys.executable, "-m", "formwork.cli.main"]
    words = ["init", "--sample", "-a", "RESOURCE", "-t", "Acme::InProcess::Thing", "python311", "--no-docker"]
    subprocess.run([*cfn, *words], cwd=tmp_path, check=True, capture_output=True)
    suite = Path(formwork.contract.__file__).parent
    command = [
        sys.executable, "-m", "pytest", "-p", "formwork.contract.plugin", "-c", str(suite / "pytest.ini"),
        "--contract-project", str(tmp_path), "--contract-handler", "acme_inprocess_thing.handlers:resource",
        "-q", "-p", "no:cacheprovider", str(suite / "requirements"),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✓ create.idempotent" in done.stdout
    wrong = [each.replace("handlers:resource", "handlers:nothing") for each in command]
    done = subprocess.run(wrong, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 4
    assert "handlers:nothing" in done.stderr
