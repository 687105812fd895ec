"""Every example is a complete project: valid, generated to the letter, proven clause by clause, and packaged."""

import json
import os
import subprocess
import sys
import zipfile

import pytest

from support.commands import contents, copy_project
from support.corpus import REPOSITORY

PROJECTS = sorted(path.parent for path in (REPOSITORY / "examples").glob("*/.rpdk-config"))
MODULES, HOOKS = ["log-table"], ["keyed-tables"]
# Clauses that no input could prove, or that a type of this kind has nothing to do with; any other is to be proved.
OPEN = {
    "delete.billing": "costs cannot be seen from outside",
    "list.filter": "handlers may filter or not",
    "delete.progress": "deletes that take one call",
    "create.partial": "creates that take one call",
    "update.partial": "updates that take one call",
    "hook.progress": "hooks that take one call",
}


# Examples that call AWS; moto stands in for it. One input set of theirs decides all that one can, and saves 10 s.
ON_AWS = ("config-bundle",)
EXAMPLES = [
    pytest.param(path, id=path.name, marks=pytest.mark.acceptance if path.name in ON_AWS else ())
    for path in PROJECTS
    if path.name not in MODULES
]


@pytest.fixture(params=EXAMPLES)
def example(request, tmp_path):
    """A copy of the example, with its data in a folder of this test's own."""
    root = copy_project(request.param, tmp_path / request.param.name)
    (tmp_path / "configuration.json").write_text(
        json.dumps({name: str(tmp_path / "data") for name in type_configuration(root)})
    )
    return root


def type_configuration(root):
    config = json.loads((root / ".rpdk-config").read_text())
    schema = json.loads((root / (config["typeName"].replace("::", "-").lower() + ".json")).read_text())
    return schema.get("typeConfiguration", {}).get("properties", {})


def test_there_are_examples():
    types = [*ON_AWS, "initech-tps-report", "sqlite-database", "sqlite-table"]
    assert [path.name for path in PROJECTS] == sorted([*types, *HOOKS, *MODULES])


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_valid_and_expands_in_the_demos_template(desk, name):
    module = REPOSITORY / "examples" / name
    ended = desk.cfn("validate", "--format", "json", cwd=module)
    assert (ended.code, json.loads(ended.out)["diagnostics"]) == (0, []), str(ended)
    ended = desk.cfn("module", "expand", REPOSITORY / "examples" / "library.yml", "--modules", module, cwd=module)
    assert (ended.code, "LoansTable" in ended.out) == (0, True), str(ended)


def test_policies_leave_nothing_uncovered(desk):
    pytest.importorskip("cloudformation_validate")
    ended = desk.cfn("test", "--require-proof", cwd=REPOSITORY / "examples" / "bucket-policies")
    assert ended.code == 0, str(ended)


@pytest.mark.parametrize("name", HOOKS)
def test_what_a_hook_knows_of_its_target_is_the_targets_schema(name):
    (target,) = (REPOSITORY / "examples" / name / "target-schemas").iterdir()
    assert target.read_bytes() == (REPOSITORY / "examples" / "sqlite-table" / target.name).read_bytes()


def test_it_is_valid_without_a_warning(desk, example):
    ended = desk.cfn("validate", "--format", "json", cwd=example)
    assert ended.code == 0, str(ended)
    assert json.loads(ended.out)["diagnostics"] == []


def test_generating_changes_nothing(desk, example):
    before = contents(example)
    ended = desk.cfn("generate", cwd=example)
    assert ended.code == 0, str(ended)
    assert contents(example) == before, "run `cfn generate` in the example"


@pytest.mark.acceptance
def test_it_keeps_the_contract(desk, example):
    words = ["--aws", "moto", "--", "-k", "inputs_1"] if example.name in ON_AWS else []
    configured = [] if example.name in HOOKS else ["--typeconfig", "../configuration.json"]
    ended = desk.cfn("test", *configured, "--report", "json", *words, cwd=example)
    assert ended.code == 0, str(ended)
    report = json.loads(ended.out)
    states = {each["id"]: each["state"] for each in report["clauses"]}
    warned = {clause for clause, state in states.items() if state in {"violated", "warned"}}
    # Handlers may assume valid input, as some of the examples do: it is worth a warning, and no clause.
    # And no test makes a create fail halfway, after which one of them deletes what it wrote.
    assert warned <= {"practice.invalid", "permissions.unused"}, str(ended)
    left = {clause for clause, state in states.items() if state not in {"proved", "not applicable", "warned"}}
    assert left <= OPEN.keys(), {clause: states[clause] for clause in left - OPEN.keys()}


def test_its_data_is_where_the_type_configuration_says(desk, example, tmp_path):
    if example.name in ON_AWS:
        assert not type_configuration(example)  # its data is in the account
    if example.name in (*ON_AWS, *HOOKS):
        return
    properties = json.loads((example / "inputs" / "inputs_1_create.json").read_text())
    (tmp_path / "request.json").write_text(
        json.dumps({"desiredResourceState": properties, "previousResourceState": None})
    )
    words = ("invoke", "resource", "CREATE", "../request.json", "--typeconfig", "../configuration.json")
    ended = desk.cfn(*words, cwd=example)
    assert ended.code == 0, str(ended)
    assert any((tmp_path / "data").iterdir())
    secrets = [value for name, value in properties.items() if name == "AccessKey"]
    assert not [secret for secret in secrets if secret in ended.said]


@pytest.mark.acceptance
def test_its_own_unit_tests_pass(example):
    words = [sys.executable, "-m", "pytest", "-p", "formwork.testing.plugin", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(words, cwd=example, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [*MODULES, "bucket-policies", "library", "template-tests"])
def test_what_has_no_handlers_passes_its_acceptance_tests(name, tmp_path):
    words = [sys.executable, "-m", "pytest", "-p", "formwork.testing.plugin", "-q", "-p", "no:cacheprovider", "tests"]
    where = {"cwd": REPOSITORY / "examples" / name, "env": {**os.environ, "TMPDIR": str(tmp_path)}}
    done = subprocess.run(words, capture_output=True, text=True, check=False, **where)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_package_is_small_and_the_same_each_time(desk, example):
    archives = []
    for _ in range(2):
        ended = desk.cfn("package", cwd=example)
        assert ended.code == 0, str(ended)
        (archive,) = example.glob("*.zip")
        archives.append(archive.read_bytes())
        names = set(zipfile.ZipFile(archive).namelist())
    assert archives[0] == archives[1]
    assert len(archives[0]) < 500_000
    assert {"schema.json", ".rpdk-config", "ResourceProvider.zip", ".cfn_metadata.json"} <= names
