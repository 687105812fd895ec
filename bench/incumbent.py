"""What we are measured against: AWS's own CloudFormation CLI, in a virtual environment of the benchmark's own.

It is installed into `.bench/incumbent` once and reused. Its versions are pinned in `constraints-incumbent.txt`; a
changed file means a new environment.
"""

import functools
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
HOME = REPOSITORY / ".bench"
CONSTRAINTS = Path(__file__).with_name("constraints-incumbent.txt")
DISTRIBUTIONS = ("cloudformation-cli", "cloudformation-cli-python-plugin", "cloudformation-cli-python-lib")
# Its plugins for the other languages, which its `cfn test` wants to find: in an environment that is not measured.
PLUGINS = ("cloudformation-cli-go-plugin", "cloudformation-cli-java-plugin", "cloudformation-cli-typescript-plugin")


class IncumbentMissingError(Exception):
    """The incumbent could not be installed here; the text says why."""


@dataclass(frozen=True, slots=True)
class Incumbent:
    """An installed incumbent."""

    bin: Path

    @property
    def cfn(self) -> Path:
        """Its command."""
        return self.bin / "cfn"

    @property
    def python(self) -> Path:
        """The interpreter that has its handler library."""
        return self.bin / "python"


@functools.cache
def expect_incumbent(*, every_language: bool = False) -> Incumbent:
    """The incumbent, installed at the first call; with `every_language` its other plugins too.

    Raises:
        IncumbentMissingError: it can't be installed here.
    """
    folder = HOME / ("incumbent-languages" if every_language else "incumbent")
    stamp = folder / "installed"
    pins = CONSTRAINTS.read_text(encoding="utf-8")
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == pins):
        shutil.rmtree(folder, ignore_errors=True)
        print(f"bench: installing the incumbent into .bench/{folder.name} (once, about half a minute)", file=sys.stderr)
        _install(folder, (*DISTRIBUTIONS, *(PLUGINS if every_language else ())))
        stamp.write_text(pins, encoding="utf-8")
    return Incumbent(folder / ("Scripts" if sys.platform == "win32" else "bin"))


def get_incumbent() -> Incumbent | None:
    """The incumbent, or None with a line on stderr where it cannot be installed here."""
    try:
        return expect_incumbent()
    except IncumbentMissingError as error:
        _say_once(f"bench: no incumbent to compare with, so only our own figures follow: {error}")
        return None


def make_project(folder: Path, type_name: str = "Acme::Bench::Thing") -> Path:
    """A fresh Python resource project as the incumbent's `cfn init` makes it. Raises IncumbentMissingError."""
    incumbent = expect_incumbent()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    argv = [incumbent.cfn, "init", "-a", "RESOURCE", "-t", type_name, "python311", "--no-docker"]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True)
    return folder


def _install(folder: Path, distributions: tuple[str, ...]) -> None:
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    options = ["--quiet", "--disable-pip-version-check", "--constraint", CONSTRAINTS]
    done = subprocess.run(
        [python, "-m", "pip", "install", *options, *distributions], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise IncumbentMissingError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pip failed")


@functools.cache
def _say_once(text: str) -> None:
    print(text, file=sys.stderr)
