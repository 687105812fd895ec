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
    # As TAP, whatever the version's default; a folder's name means different things to Node 20 and 22.
    said = node("--test", "--test-reporter=tap", *sorted(built.glob("dist/tests/*.test.js")), cwd=built)
    (count,) = re.findall(r"^# pass (\d+)$", said, re.MULTILINE)
    assert int(count) >= 36
    assert re.search(r"^# fail 0$", said, re.MULTILINE)


def test_vectors(built):
    answers = vectors.run([find_node(os.environ).executable, "dist/run_typescript.js"], cwd=built)
    assert vectors.differences(answers) == {}


def test_generated_names_are_those_of_the_python_library(built):
    from cloudformation_cli_python_lib.identifier_utils import generate_resource_identifier

    arn = "arn:aws:cloudformation:us-east-1:123456789012:stack/my-stack/084c0bd1-082b"
    cases = [
        [stack, logical, token, length]
        for stack in (arn, "--lead", "", "a" * 80)
        for logical in ("MyRes", "-x-", "", "b" * 80)
        for token in ("token", "ünï", "")
        for length in (15, 17, 18, 40, 63)
    ]
    program = (
        "const { generateResourceIdentifier: name } = require('./dist/formwork/index.js');"
        f"console.log(JSON.stringify({json.dumps(cases)}.map(([stackId, logicalResourceIdentifier, clientRequestToken,"
        " most]) => name({ stackId, logicalResourceIdentifier, clientRequestToken }, most))));"
    )
    assert json.loads(node("-e", program, cwd=built)) == [generate_resource_identifier(*each) for each in cases]


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
