"""`cfn package` and `cfn submit` as a user runs them."""

import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from support.forked import run_command
from support.wheels import make_wheel

CFN = Path(sys.executable).with_name("cfn")


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    words = ["init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python312", "--no-docker"]
    run_command(words, cwd=folder, env=os.environ, timeout=60).check_returncode()
    return folder


@pytest.fixture
def environment(tmp_path):
    (tmp_path / "index").mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    return kept | {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path / "index"),
        "FORMWORK_CACHE": str(tmp_path / "cache"),
    }


@pytest.fixture
def cfn(project, environment):
    def run(*argv, **more):
        return run_command(argv, cwd=project, env=environment | more, timeout=120)

    return run


def left(project):
    return sorted(each.name for each in project.iterdir() if each.name.endswith((".zip", ".new")))


def test_package_and_dry_run_make_the_same(cfn, project):
    shown = cfn("package")
    path = project / "acme-store-thing.zip"
    assert (shown.returncode, shown.stdout) == (0, f"Dry run complete: {path}\n"), shown.stderr
    assert "Formwork's own replaces cloudformation-cli-python-lib" in shown.stderr
    first = path.read_bytes()
    path.unlink()
    assert cfn("submit", "--dry-run", "--region", "us-west-2", "--no-role", "--set-default").returncode == 0
    assert path.read_bytes() == first
    assert len(first) < 300_000
    assert left(project) == ["acme-store-thing.zip"]
    with zipfile.ZipFile(path) as archive:
        assert "src/acme_store_thing/models.py" in archive.namelist()


def test_what_is_packaged_runs_alone(cfn, project, tmp_path):
    assert cfn("package").returncode == 0
    with zipfile.ZipFile(project / "acme-store-thing.zip") as archive, archive.open("ResourceProvider.zip") as inner:
        zipfile.ZipFile(inner).extractall(tmp_path / "task")
    code = "import acme_store_thing.handlers as h; print(type(h.resource).__name__, h.__file__)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        cwd=tmp_path / "task",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("Resource "), done.stderr


def test_options_of_submitting_that_make_no_sense(cfn, project):
    shown = cfn(
        "submit", "--endpoint-url", "http://x", "--region", "r", "--profile", "p", "--role-arn", "arn", "--set-default"
    )
    assert shown.returncode == 2
    assert '"arn" is not the ARN of a role' in shown.stderr
    assert left(project) == []
    assert cfn("submit", "--role-arn", "arn", "--no-role").returncode == 2


@pytest.mark.parametrize("command", ["package", "submit"])
def test_docker_is_refused(cfn, project, command):
    shown = cfn(command, *(["--dry-run"] if command == "submit" else []), "--use-docker")
    assert shown.returncode == 2
    assert "without Docker" in shown.stderr
    assert left(project) == []


def test_what_is_left_out_is_told(cfn, project, tmp_path):
    make_wheel(tmp_path / "index", "helper", requires=["boto3"])
    make_wheel(tmp_path / "index", "boto3")
    (project / "requirements.txt").write_text("cloudformation-cli-python-lib>=2.1.9\nhelper\n")
    shown = cfn("package", "--architecture", "arm64")
    assert "Python 3.12 on Lambda (arm64)" in shown.stderr
    assert "left out: boto3 1.0, 1 KB: included in Lambda" in shown.stderr


def test_a_python_that_lambda_has_given_up_is_packaged_for_the_oldest_that_handlers_run_on(cfn, project):
    config = project / ".rpdk-config"
    config.write_text(config.read_text().replace("python3.12", "python3.7").replace("python312", "python37"))
    done = cfn("package")
    assert done.returncode == 0, done.stderr
    assert "python3.7: packaging for Python 3.9, the oldest that handlers can run on" in done.stderr


def test_requirements_that_cant_be_met(cfn, project):
    (project / "requirements.txt").write_text("no-such-thing==1\n")
    shown = cfn("package")
    assert shown.returncode == 1
    assert "no-such-thing" in shown.stderr
    assert "Traceback" not in shown.stderr
    assert left(project) == []


def test_a_runtime_that_lambda_has_never_had(cfn, project):
    config = project / ".rpdk-config"
    config.write_text(config.read_text().replace("python3.12", "python3.99").replace("python312", "python37"))
    shown = cfn("package")
    assert shown.returncode == 2
    assert "python3.12" in shown.stderr


def test_a_link_out_of_the_project(cfn, project):
    (project / "src" / "acme_store_thing" / "passwd").symlink_to("/etc/passwd")
    shown = cfn("package")
    assert shown.returncode == 1
    assert "out of the project" in shown.stderr
    assert left(project) == []


def test_a_place_that_cannot_be_written(cfn, project):
    (project / "acme-store-thing.zip").mkdir()
    (project / "acme-store-thing.zip" / "x").touch()
    shown = cfn("package")
    assert shown.returncode == 3
    assert "cannot write the package" in shown.stderr
    assert left(project) == ["acme-store-thing.zip"]


def test_a_cache_that_cannot_be_written(cfn, project, tmp_path):
    make_wheel(tmp_path / "index", "helper")
    (project / "requirements.txt").write_text("helper\n")
    (tmp_path / "cache").write_text("a file, no folder")
    assert cfn("package").returncode == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "term"])
def test_an_end_while_pip_runs(project, environment, tmp_path, number, code):
    """pip is made to wait for ever on a pipe that nobody writes to."""
    pipe = tmp_path / "index" / "requirements.pipe"
    os.mkfifo(pipe)
    (project / "requirements.txt").write_text(f"helper\n-c {pipe}\n")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        [CFN, "package"],
        cwd=project,
        env=environment | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    line = process.stderr.readline()
    assert line.startswith("resolving"), line
    time.sleep(1)
    os.killpg(process.pid, number)
    _, shown = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in shown
    assert left(project) == []
    assert list(temporary.iterdir()) == []


def test_ctrl_c_at_any_moment(project, environment):
    wholes = set()
    for milliseconds in range(80, 400, 40):
        process = subprocess.Popen(
            [CFN, "package"], cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        path = project / "acme-store-thing.zip"
        if path.exists():
            wholes.add(path.read_bytes())
            path.unlink()
        assert left(project) == []
    assert len(wholes) <= 1
