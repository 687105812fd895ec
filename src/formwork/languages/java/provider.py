"""A Java project's part of the package: the jar with its dependencies, and the sources beside it.

target/<type>-handler-….jar  pom.xml  src/**  target/generated-sources/**
"""

import re
import sys
import zipfile
from pathlib import Path

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.languages.java.runtime_version import declared_runtime_version
from formwork.package.archive import ArchiveMember
from formwork.package.files import folder_members
from formwork.package.provider import PackagingSettings, Provider
from formwork.project import Project
from formwork.toolchain import BuildSettings
from formwork.toolchain.java import find_jdk, java_release
from formwork.toolchain.maven import MavenProject, build_inputs

_PLUGIN = {"plugin-tool-version": "2.2.3", "plugin-name": "java"}
_NOT_THE_HANDLERS = re.compile(r".*-(sources|javadoc|tests)\.jar")
_SOURCE_FOLDERS = ("src", "target/generated-sources")


class JavaBuild:
    """Builds Java projects with their own pom.xml."""

    def __init__(self, settings: PackagingSettings) -> None:
        self._settings = settings

    def provide(self, project: Project) -> Provider:
        """Build the jar with Maven, without running the author's unit tests."""
        root = project.root.resolve()
        if not (root / "pom.xml").is_file():
            message = "pom.xml is missing: a Java project is built by it"
            raise BadInputError.of("package.no-pom", message, location=Location(str(root / "pom.xml")))
        settings = self._settings
        jdk = find_jdk(settings.environment, least=java_release(project.runtime or ""))
        build = BuildSettings(settings.environment, settings.cache, settings.say)
        maven = MavenProject(root, build_inputs(root), jdk, Path(sys.executable).parent, build)
        settings.say("building the jar with Maven")
        for old in _jars(root, project.hyphenated_name):
            old.unlink()  # Maven's shade plugin may add dependencies to the jar of the last build again
        maven.run(*(["clean"] if settings.refresh else []), "package", "-DskipTests")
        jar = find_jar(root, project.hyphenated_name)
        return Provider(
            None,
            (),
            tuple(_sources(root, jar)),
            {**_PLUGIN, "plugin-version": declared_runtime_version(root)},
            (),
            _unpacked(jar),
        )


def find_jar(root: Path, hyphenated: str) -> Path:
    """Return the jar with the handlers and their dependencies.

    Raises:
        BadInputError: there is none, or more than one.
    """
    found = _jars(root, hyphenated)
    if len(found) != 1:
        what = "none" if not found else ", ".join(each.name for each in found)
        raise BadInputError.of(
            "package.jar",
            f"Maven must build exactly one jar target/{hyphenated}-*.jar, but there is {what}",
            location=Location(str(root / "pom.xml")),
            hint=f"the artifactId in pom.xml must be {hyphenated}-handler; --refresh removes jars of older builds",
        )
    return found[0]


def _jars(root: Path, hyphenated: str) -> list[Path]:
    found = sorted((root / "target").glob(f"{hyphenated}-*.jar"))
    return [each for each in found if not _NOT_THE_HANDLERS.fullmatch(each.name)]


def _sources(root: Path, jar: Path) -> list[ArchiveMember]:
    members = [ArchiveMember(f"target/{jar.name}", jar), ArchiveMember("pom.xml", root / "pom.xml")]
    for name in _SOURCE_FOLDERS:
        if (root / name).is_dir():
            members += folder_members(root / name, prefix=f"{name}/", root=root)
    return members


def _unpacked(jar: Path) -> int:
    """Return the unpacked size of the jar in bytes."""
    try:
        with zipfile.ZipFile(jar) as archive:
            return sum(each.file_size for each in archive.infolist())
    except (OSError, zipfile.BadZipFile) as error:
        raise EnvironmentProblemError(f'cannot read "{jar}": {error}', hint="build again with --refresh") from error
