"""The incumbent's own commands, from the package index, on projects of ours and against `cfn serve`.

Its `cfn test` asks AWS's STS for the account and for credentials, at a fixed address: both are answered in its process
(`bench/probes/offline_sts`). What else it calls goes where AWS_ENDPOINT_URL says, to `cfn serve`.
"""

import json
import os
import re
import shutil
import subprocess
import zipfile

import pytest
from bench.contract import OFFLINE_STS
from bench.incumbent import IncumbentMissingError, expect_incumbent

from support.serving import serving
from support.toolchains import needs_go, needs_java, needs_node

pytestmark = pytest.mark.slow

NAME = "Acme::Store::Thing"
FINISHED = re.compile(r"=+ (?:(\d+) failed, )?(\d+) passed")


@pytest.fixture(scope="module")
def incumbent():
    try:
        return expect_incumbent(every_language=True)
    except IncumbentMissingError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"the incumbent can't be installed here: {error}")


@pytest.fixture
def theirs(incumbent, tmp_path):
    """Runs its `cfn`, in a home of its own; exit code and output."""
    (tmp_path / "home").mkdir()
    environment = {name: each for name, each in os.environ.items() if not name.startswith(("AWS_", "FORMWORK_"))}
    environment |= {
        "HOME": str(tmp_path / "home"),
        "PATH": f"{incumbent.bin}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(OFFLINE_STS),
        "AWS_ACCESS_KEY_ID": "111111111111",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
    }

    def run(*words, cwd, server):
        return subprocess.run(
            [incumbent.cfn, *map(str, words)],
            cwd=cwd,
            env={**environment, "AWS_ENDPOINT_URL": server.url},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    return run


@pytest.fixture
def sample(desk, tmp_path):
    """Our sample, with its models for AWS's library: the incumbent packages that one."""
    project = tmp_path / "thing"
    project.mkdir()
    ended = desk.cfn("init", "-a", "RESOURCE", "-t", NAME, "--sample", "python311", cwd=project)
    assert ended.code == 0, str(ended)
    return project


@pytest.mark.parametrize("function", ["TypeFunction", "TestEntrypoint"])
def test_our_sample_passes_its_suite(theirs, sample, tmp_path, function):
    with serving(tmp_path, cwd=sample) as server:
        done = theirs("test", "--endpoint", server.url, "--function-name", function, cwd=sample, server=server)
    assert done.returncode == 0, done.stdout[-3000:]
    failed, passed = FINISHED.search(done.stdout).groups()
    assert failed is None
    assert int(passed) >= 15


@pytest.mark.parametrize(
    ("kind", "language"),
    [
        pytest.param("HOOK", ["python311"], id="hook"),
        pytest.param("RESOURCE", ["go", "--import-path", "example.com/thing"], id="go", marks=needs_go),
        pytest.param("RESOURCE", ["typescript"], id="typescript", marks=needs_node),
        pytest.param("RESOURCE", ["java"], id="java", marks=needs_java),
    ],
)
def test_the_samples_of_a_hook_and_of_other_languages_pass_its_suite(desk, theirs, tmp_path, kind, language):
    """By TestEntrypoint, with its whole envelope; its plugin for the language has to be found."""
    project = tmp_path / "thing"
    project.mkdir()
    name = "Acme::Store::Hook" if kind == "HOOK" else NAME
    ended = desk.cfn("init", "-a", kind, "-t", name, "--sample", *language, cwd=project)
    assert ended.code == 0, str(ended)
    with serving(tmp_path, cwd=project) as server:
        done = theirs("test", "--endpoint", server.url, "--function-name", "TestEntrypoint", cwd=project, server=server)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    failed, passed = FINISHED.search(done.stdout).groups()
    assert failed is None
    assert int(passed) >= (6 if kind == "HOOK" else 15)


def test_our_sample_is_submitted_by_it(theirs, sample, tmp_path):
    """With the models that both libraries take: its package holds AWS's library, and stacks run it."""
    with serving(tmp_path, cwd=sample) as server:
        done = theirs("submit", "--no-role", "--set-default", cwd=sample, server=server)
        assert done.returncode == 0, done.stdout + done.stderr
        described = server.client("cloudformation").describe_type(Type="RESOURCE", TypeName=NAME)
        assert described["DefaultVersionId"] == "00000001"
        control = server.client("cloudcontrol")
        desired = json.loads((sample / "inputs" / "inputs_1_create.json").read_text(encoding="utf-8"))
        token = control.create_resource(TypeName=NAME, DesiredState=json.dumps(desired))["ProgressEvent"][
            "RequestToken"
        ]
        control.get_waiter("resource_request_success").wait(RequestToken=token, WaiterConfig={"Delay": 1})


def test_every_set_of_our_inputs_passes_its_suite(theirs, sample, tmp_path):
    """It picks one set a run: here each is the only one."""
    inputs = {each.name: each.read_bytes() for each in (sample / "inputs").iterdir()}
    with serving(tmp_path, cwd=sample) as server:
        for number in "123":
            shutil.rmtree(sample / "inputs")
            (sample / "inputs").mkdir()
            for name, content in inputs.items():
                if name.startswith(f"inputs_{number}_"):
                    (sample / "inputs" / name.replace(number, "1", 1)).write_bytes(content)
            done = theirs("test", "--endpoint", server.url, cwd=sample, server=server)
            assert done.returncode == 0, (number, done.stdout[-3000:])


def test_its_package_and_submit_register_a_project_of_its_own(theirs, incumbent, tmp_path):
    project = tmp_path / "thing"
    project.mkdir()
    with serving(tmp_path) as server:
        for words in (("init", "-a", "RESOURCE", "-t", NAME, "python311", "--no-docker"), ("submit", "--dry-run")):
            done = theirs(*words, cwd=project, server=server)
            assert done.returncode == 0, done.stdout + done.stderr
        with zipfile.ZipFile(project / "acme-store-thing.zip") as archive:
            assert {"schema.json", ".rpdk-config", "ResourceProvider.zip"} <= {*archive.namelist()}

        done = theirs("submit", "--no-role", "--set-default", cwd=project, server=server)
        assert done.returncode == 0, done.stdout + done.stderr
        described = server.client("cloudformation").describe_type(Type="RESOURCE", TypeName=NAME)
        assert described["DefaultVersionId"] == "00000001"
        assert json.loads(described["Schema"])["typeName"] == NAME
