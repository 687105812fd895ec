"""The TypeScript handler library: type-checked as strictly as tsc can, its own tests, and the protocol's vectors."""

import json
import os
import re
import shutil

import pytest

from formwork.toolchain.node import find_node
from support import vectors
from support.toolchains import needs_node
from support.typescript import RUNTIME, build, models_of, node

pytestmark = needs_node

CONFIGURATION = {
    "typeName": "Acme::Store::Thing",
    "properties": {"Name": {"type": "string"}},
    "typeConfiguration": {
        "type": "object",
        "properties": {"Limit": {"type": "integer"}, "Strict": {"type": "boolean"}},
        "additionalProperties": False,
    },
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The library, its tests and the vectors' runner as one program."""
    root = tmp_path_factory.mktemp("library")
    shutil.copytree(RUNTIME / "src", root / "formwork")
    shutil.copytree(RUNTIME / "tests", root / "tests")
    for path in (root / "tests").iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace("'../src/", "'../formwork/"), encoding="utf-8")
    thing = json.loads((vectors.PROTOCOL / "thing.json").read_text(encoding="utf-8"))
    (root / "models.ts").write_text(models_of(thing), encoding="utf-8")
    (root / "configuration.ts").write_text(models_of(CONFIGURATION), encoding="utf-8")
    shutil.copyfile(vectors.PROTOCOL / "run_typescript.ts", root / "run_typescript.ts")
    return build(root)


def test_the_library_keeps_its_own_tests(built):
    said = node("--test", "dist/tests/", cwd=built)
    (count,) = re.findall(r"^# pass (\d+)$", said, re.MULTILINE)
    assert int(count) >= 36
    assert re.search(r"^# fail 0$", said, re.MULTILINE)


def test_vectors(built):
    answers = vectors.run([find_node(os.environ).executable, "dist/run_typescript.js"], cwd=built)
    assert vectors.differences(answers) == {}


def test_the_library_needs_nothing():
    manifest = json.loads((RUNTIME / "package.json").read_text(encoding="utf-8"))
    assert "dependencies" not in manifest
    imports = {
        each
        for path in RUNTIME.glob("src/**/*.ts")
        for each in re.findall(r"from '([^.][^']*)'", path.read_text(encoding="utf-8"))
    }
    assert imports
    assert all(each.startswith("node:") for each in imports)
