"""What each command imports is a promise. What it says of itself is in docs/reference/cli.md, which a test compares."""

import subprocess
import sys
from pathlib import Path

import pytest

from formwork.cli.main import COMMANDS

CFN = Path(sys.executable).with_name("cfn")

# Slow to import (5 to 60 ms each), and needed by none of the commands that people run all the time.
HEAVY = {
    "asyncio",
    "boto3",
    "botocore",
    "cfnlint",
    "http.client",
    "hypothesis",
    "importlib.metadata",
    "jinja2",
    "jsonata",
    "logging",
    "multiprocessing",
    "packaging",
    "pytest",
    "sqlite3",
    "ssl",
    "subprocess",
    "unittest",
    "urllib.request",
    "xml",
}
REPORT = """
import sys
from formwork.cli.main import main
code = main(sys.argv[1:])
print(code, *sorted(sys.modules), sep="\\n", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    argv = [CFN, "init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python311", "--no-docker"]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True)
    return folder


def modules_of(folder, *argv):
    done = subprocess.run([sys.executable, "-c", REPORT, *argv], cwd=folder, capture_output=True, text=True, check=True)
    code, *modules = done.stderr.splitlines()[-2000:]
    while not code.isdecimal():
        code, *modules = modules
    assert code == "0", done.stderr
    return set(modules)


def test_help_and_version_import_nothing(project):
    for argv in (["--help"], ["--version"], []):
        loaded = modules_of(project, *argv)
        ours = {each for each in loaded if each.split(".")[0] in {"formwork", "cloudformation_cli_python_lib"}}
        assert ours == {
            "formwork",
            "formwork.cli",
            "formwork.cli.interrupts",
            "formwork.cli.main",
            "formwork.command_context",
            "formwork.command_context.output",
            "formwork.cli.parsing",
        }
        assert not loaded & (
            HEAVY | {"dataclasses", "msgspec", "inspect", "json", "yaml", "regex", "jsonschema_rs", "pathlib"}
        )


@pytest.mark.parametrize(
    ("argv", "absent"),
    [
        (["validate"], {"yaml", "formwork.generate", "formwork.model", "formwork.template", "formwork.package"}),
        (["generate"], {"yaml", "formwork.template", "formwork.package", "formwork.lambda_host"}),
        (["init", "-a", "m", "-t", "Aa::Bb::Cc", "--force"], {"yaml", "formwork.package", "formwork.lambda_host"}),
    ],
    ids=["validate", "generate", "init"],
)
def test_commands_import_only_what_they_use(project, tmp_path, argv, absent):
    loaded = modules_of(tmp_path if argv[0] == "init" else project, *argv)
    assert not loaded & (HEAVY | absent)


def test_contract_tests_import_pytest_where_its_options_are_asked_for(project):
    loaded = modules_of(project, "test", "--simulated", "--seed", "1")
    assert not loaded & (HEAVY - {"logging"})  # which concurrent.futures imports
    assert "pytest" in modules_of(project, "test", "--simulated", "--", "-k", "create_create")


def test_packaging_without_requirements_needs_no_yaml_reader_of_schemas(project):
    loaded = modules_of(project, "package")
    assert not loaded & ((HEAVY - {"subprocess", "packaging", "importlib.metadata", "logging"}) | {"formwork.generate"})


def test_the_help_names_every_command():
    shown = subprocess.run([CFN, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(name in shown for name in COMMANDS)
