"""Environments of projects: nothing fetched where nothing has to be, the rest by pip and once only."""

import concurrent.futures
import importlib.metadata
import os
import sys
import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from formwork.diagnostics import EnvironmentProblemError
from formwork.languages.python.environment import prepare_environment
from formwork.languages.python.installing import InstallSettings
from formwork.languages.python.library_metadata import installed_metadata, library_version
from formwork.toolchain.python import find_interpreter

RUNNING = find_interpreter(f"python3.{sys.version_info[1]}", search_path="", home=Path("/nowhere"))


def make_wheel(folder, name, *, version="1.0", modules=("",), requires=()):
    """A wheel made here, so that pip needs no network."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{module}-{version}-py3-none-any.whl"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + "".join(
        f"Requires-Dist: {each}\n" for each in requires
    )
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{module}/__init__.py", f"version = {version!r}\n")
        wheel.writestr(f"{info}/METADATA", metadata)
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(
            f"{info}/RECORD", f"{module}/__init__.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n"
        )
    return path


class Project:
    def __init__(self, root, wheels):
        self.root = root / "project"
        self.task_root = self.root / "src"
        self.task_root.mkdir(parents=True)
        self.notes = []
        offline = {
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels),
            "PIP_CONFIG_FILE": os.devnull,
            "PATH": os.environ["PATH"],
        }
        self.settings = InstallSettings(root / "cache", offline, note=self.notes.append)

    def prepare(self, requirements=None, *, code="", interpreter=RUNNING, aws_runtime=False, **settings):
        if requirements is not None:
            (self.root / "requirements.txt").write_text(requirements, encoding="utf-8")
        (self.task_root / "code.py").write_text(code, encoding="utf-8")
        changed = replace(self.settings, **settings)
        return prepare_environment(self.root, self.task_root, interpreter, changed, aws_runtime=aws_runtime)


@pytest.fixture
def wheels(tmp_path):
    return tmp_path / "wheels"


@pytest.fixture
def project(tmp_path, wheels):
    wheels.mkdir()
    return Project(tmp_path, wheels)


def test_the_handler_library_is_the_toolkits_own_and_nothing_is_fetched(project):
    made = project.prepare("cloudformation-cli-python-lib>=2.1.9\n", environment={})
    assert made.paths == (installed_metadata(project.settings.cache),)
    assert (made.packages["cloudformation_cli_python_lib"] / "cloudformation_cli_python_lib" / "interface.py").is_file()
    assert project.notes == [
        "cloudformation-cli-python-lib: using Formwork's own handler library (--aws-runtime keeps AWS's)"
    ]
    assert [each.name for each in project.settings.cache.iterdir()] == ["library-metadata"]


def test_handlers_find_the_version_of_awss_library(project):
    [folder] = project.prepare().paths
    [found] = importlib.metadata.distributions(name="cloudformation-cli-python-lib", path=[str(folder)])
    assert found.version == library_version()
    assert found.version.startswith("2.1.20+formwork.")
    assert project.prepare(aws_runtime=False).paths == (folder,)


def test_boto3_is_the_toolkits_where_it_has_one(project):
    made = project.prepare(code="import boto3\n", environment={})
    assert (made.packages["boto3"] / "boto3" / "session.py").is_file()
    assert made.paths == (installed_metadata(project.settings.cache),)


def test_boto3_comes_by_pip_for_a_python_that_the_toolkits_is_too_new_for(project, wheels):
    old = replace(RUNNING, minor=6)
    assert "boto3" not in project.prepare(code="x = 1", interpreter=old).packages
    make_wheel(wheels, "boto3")
    # pip is asked of the running interpreter, which stands in for the old one.
    made = project.prepare(code="def create(session):\n    return session.client('s3')\n", interpreter=old)
    assert (made.paths[0] / "boto3").is_dir()


def test_requirements_are_installed_once_and_kept_by_content(project, wheels):
    make_wheel(wheels, "shelf")
    (project.root / "pip.py").write_text("raise SystemExit('a module of the project, not pip')", encoding="utf-8")
    first = project.prepare("cloudformation-cli-python-lib\nshelf\n")
    assert (first.paths[0] / "shelf" / "__init__.py").is_file()
    assert project.notes[-1] == f"installing the requirements of project for Python 3.{RUNNING.minor}"
    project.notes.clear()
    (wheels / "shelf-1.0-py3-none-any.whl").unlink()
    assert project.prepare("# moved\nshelf\n").paths == first.paths
    assert project.notes == []
    with pytest.raises(EnvironmentProblemError):
        project.prepare("shelf>=1\n")


def test_a_local_requirement_is_installed_anew_when_it_changes(project, wheels):
    wheel = make_wheel(wheels, "shelf")
    first = project.prepare(f"{wheel}\n")
    assert project.prepare(f"{wheel}\n").paths == first.paths
    make_wheel(wheels, "shelf", requires=["shelf>0"])
    second = project.prepare(f"{wheel}\n")
    assert second.paths != first.paths


def test_parallel_runs_share_one_environment(project, wheels):
    make_wheel(wheels, "shelf")
    (project.root / "requirements.txt").write_text("shelf\n", encoding="utf-8")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda _: project.prepare(), range(2)))
    assert len({each.paths for each in made}) == 1
    assert [each.name for each in (project.settings.cache / "python").iterdir()] == [made[0].paths[0].name]


def test_pips_own_words_are_shown_and_nothing_half_made_stays(project):
    with pytest.raises(EnvironmentProblemError) as failed:
        project.prepare("no-such-thing-anywhere\n")
    (diagnostic,) = failed.value.diagnostics
    assert "No matching distribution found for no-such-thing-anywhere" in "\n".join(diagnostic.notes)
    assert failed.value.exit_code == 3
    assert list((project.settings.cache / "python").iterdir()) == []


def test_awss_library_that_came_along_gives_way(project, wheels):
    make_wheel(wheels, "cloudformation-cli-python-lib", version="2.1.20")
    make_wheel(wheels, "guard", requires=["cloudformation-cli-python-lib"])
    made = project.prepare("guard\n")
    assert [each.name for each in made.paths[0].iterdir() if not each.name.endswith(".dist-info")] == ["guard"]
    assert "was installed by another requirement" in project.notes[-1]


def test_awss_library_stays_when_asked_for(project, wheels):
    make_wheel(wheels, "cloudformation-cli-python-lib", version="2.1.20")
    made = project.prepare("", aws_runtime=True)
    assert (made.paths[0] / "cloudformation_cli_python_lib").is_dir()
    assert "cloudformation_cli_python_lib" not in made.packages


def test_requests_is_there_where_handlers_count_on_awss_library_to_bring_it(project, wheels):
    make_wheel(wheels, "requests")
    made = project.prepare("cloudformation-cli-python-lib\n", code="import requests\n")
    assert (made.paths[0] / "requests").is_dir()


def test_a_cache_that_cannot_be_written(project, wheels, tmp_path):
    make_wheel(wheels, "shelf")
    (tmp_path / "a file").touch()
    with pytest.raises(EnvironmentProblemError, match="cache folder") as failed:
        project.prepare("shelf\n", cache=tmp_path / "a file")
    assert "FORMWORK_CACHE" in failed.value.diagnostics[0].hint
