"""Asking pip what is needed, so that a pin that is missing from `constraints.txt`, or is one too many, is named."""

import json
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement

from supply.pins import CONSTRAINTS, REPOSITORY, Pin


class ResolvingError(Exception):
    """pip finds no set of distributions that fits; the message is pip's."""


def resolve(requirements: list[Requirement], constraints: Path = CONSTRAINTS) -> tuple[Pin, ...]:
    """What pip would install for `requirements` with the versions in `constraints`; nothing is installed.

    Raises:
        ResolvingError: the requirements and pins contradict each other, or the index can't be reached.
    """
    options = ["--dry-run", "--ignore-installed", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "install", *options, "--report", "-", "--constraint", str(constraints)]
    done = subprocess.run(
        [*command, *map(str, requirements)], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ResolvingError(done.stderr.strip())
    found = [each["metadata"] for each in json.loads(done.stdout)["install"]]
    return tuple(Pin(each["name"], each["version"]) for each in found)
