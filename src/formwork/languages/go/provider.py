"""`handler.zip`: the program for Lambda, cross-compiled, with the sources beside it as in packages of AWS's CLI.

handler.zip (bootstrap, or the entrypoint's name, and other files of bin/)  Makefile  cmd/**  internal/**
"""

from pathlib import Path

from formwork.languages.go.aws_runtime import AWS_RUNTIME, ONLY_GO1X, waits_for_go1x
from formwork.languages.go.build import PROGRAM, GoTarget, build_go_program
from formwork.package.archive import ArchiveMember
from formwork.package.files import folder_members
from formwork.package.provider import PackagingSettings, Provider
from formwork.package.template import Architecture
from formwork.project import Project
from formwork.toolchain import BuildSettings

_ARCHIVE = "handler.zip"
_PROGRAMS = frozenset({"bootstrap", "handler"})
_GO_ARCHITECTURES = {Architecture.X86_64: "amd64", Architecture.ARM64: "arm64"}


class GoBuild:
    """Builds Go projects."""

    def __init__(self, settings: PackagingSettings) -> None:
        self._settings = settings

    def provide(self, project: Project) -> Provider:
        """Compile the program for Lambda's machine and put the sources beside it."""
        settings = self._settings
        target = GoTarget("linux", _GO_ARCHITECTURES[settings.architecture], local=False)
        build = BuildSettings(settings.environment, settings.cache, settings.say)
        program = build_go_program(project.root, target, build, refresh=settings.refresh)
        if waits_for_go1x(program):
            settings.say(f"warning: {ONLY_GO1X}; `go get {AWS_RUNTIME}@v1.2.0` installs one that works")
        name = project.entrypoint if project.entrypoint in _PROGRAMS else PROGRAM
        members = [ArchiveMember(name, program, executable=True), *_beside(project.root)]
        return Provider(_ARCHIVE, tuple(sorted(members, key=lambda each: each.name)), tuple(_sources(project.root)))


def _beside(root: Path) -> list[ArchiveMember]:
    """Return the author's files in bin/, which belong beside the program; programs there are from earlier builds."""
    folder = root / "bin"
    found = folder_members(folder, prefix="", root=root) if folder.is_dir() else []
    return [each for each in found if each.name not in _PROGRAMS]


def _sources(root: Path) -> list[ArchiveMember]:
    made = [ArchiveMember("Makefile", root / "Makefile")] if (root / "Makefile").is_file() else []
    for name in ("cmd", "internal"):
        if (root / name).is_dir():
            made += folder_members(root / name, prefix=f"{name}/", root=root)
    return made
