"""The seeded faults of the type pass the contract tests of their author's inputs: what only acceptance tests find."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import formwork.contract
from formwork.testing.handlers import read_class
from support.corpus import REPOSITORY
from support.seeded_faults import TYPE_FAULTS

SUITE = Path(formwork.contract.__file__).parent
CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Acme::Books::Shelf",
    "language": "python312",
    "runtime": "python3.12",
    "entrypoint": "faulty.resource",
    "testEntrypoint": "faulty.resource",
    "settings": {"protocolVersion": "2.0.0"},
}
HANDLER = """
from formwork.testing.handlers import read_class
from support.seeded_faults import TYPE_FAULTS

version, following, _ = TYPE_FAULTS[{fault!r}]
resource = read_class(following or version).function
"""


def write_project(folder, fault):
    version, following, _ = TYPE_FAULTS[fault]
    (folder / ".rpdk-config").write_text(json.dumps(CONFIG))
    (folder / "acme-books-shelf.json").write_text(json.dumps(read_class(following or version).schema))
    (folder / "faulty.py").write_text(HANDLER.format(fault=fault))
    (folder / "inputs").mkdir()
    for number in (1, 2):
        one = {"Name": f"shelf-{number}", "Size": number, "Label": "to read", "Room": "a"}
        (folder / "inputs" / f"inputs_{number}_create.json").write_text(json.dumps(one))
        changed = {**one, "Label": "read"}
        if "/properties/Size" not in read_class(following or version).schema["createOnlyProperties"]:
            changed["Size"] = number + 1
        (folder / "inputs" / f"inputs_{number}_update.json").write_text(json.dumps(changed))


@pytest.mark.slow
@pytest.mark.parametrize("fault", TYPE_FAULTS)
def test_contract_tests_do_not_see_it(fault, tmp_path):
    write_project(tmp_path, fault)
    path = os.pathsep.join([str(tmp_path), str(REPOSITORY / "tests")])
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TMPDIR": str(tmp_path), "PYTHONPATH": path}
    command = [
        sys.executable, "-m", "pytest", "-p", "formwork.contract.plugin", "-c", str(SUITE / "pytest.ini"),
        "--contract-project", str(tmp_path), "--contract-handler", "faulty:resource",
        "-q", "-p", "no:cacheprovider", str(SUITE / "requirements"),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
