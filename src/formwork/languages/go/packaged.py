"""Packages of Go projects: a program for Linux that implements Lambda's Runtime API."""

import platform
import sys
from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError
from formwork.lambda_host.function import Launch
from formwork.languages.go.aws_runtime import ONLY_GO1X, empties_tmp, waits_for_go1x
from formwork.languages.interface import LaunchSettings, UnpackedPackage
from formwork.project.config import ProjectConfig

_NEWER = "`go get github.com/aws-cloudformation/cloudformation-cli-go-plugin@v1.2.0`, and package it again"
_PROGRAMS = ("bootstrap", "handler")
# The machine in an ELF file (e_machine, at byte 18) → Python's name of it.
_MACHINES = {62: ("x86_64", "AMD64"), 183: ("aarch64", "arm64")}


def missing(package: UnpackedPackage, _handler: str) -> str | None:
    """Return the name of the program if it is missing."""
    return "program bootstrap" if _program(package) is None else None


def launch(package: UnpackedPackage, _config: ProjectConfig, _settings: LaunchSettings, temporary: Path) -> Launch:
    """Return the launch of the program, refused if it would delete this machine's temporary files."""
    program = _program(package)
    if program is None or not _runs_here(program):
        raise EnvironmentProblemError("the program in the package is for another machine")
    if waits_for_go1x(program):
        raise EnvironmentProblemError(ONLY_GO1X, hint=_NEWER)
    if empties_tmp(program):
        raise EnvironmentProblemError("not started: AWS's library in the package deletes all of /tmp", hint=_NEWER)
    program.chmod(0o700)
    return Launch((str(program),), {"TMPDIR": str(temporary)}, package.handler)


def loads_like_lambda(package: UnpackedPackage, _config: ProjectConfig, _settings: LaunchSettings) -> bool:
    """Return whether this machine is the one that the program was built for."""
    program = _program(package)
    return program is not None and _runs_here(program) and (waits_for_go1x(program) or not empties_tmp(program))


def _program(package: UnpackedPackage) -> Path | None:
    return next((package.handler / name for name in _PROGRAMS if (package.handler / name).is_file()), None)


def _runs_here(program: Path) -> bool:
    with program.open("rb") as file:
        head = file.read(20)
    if sys.platform != "linux" or not head.startswith(b"\x7fELF"):
        return sys.platform == "linux" and head.startswith(b"#!")
    return platform.machine() in _MACHINES.get(int.from_bytes(head[18:20], "little"), ())
