"""`ResourceProvider.zip`, which Lambda unpacks: the dependencies, the handler library and the author's code."""

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from packaging.specifiers import SpecifierSet

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location, UsageError
from formwork.languages.python.handler_sources import handlers_package
from formwork.languages.python.library_metadata import library_version
from formwork.languages.python.packaging.cache import DependencyCache
from formwork.languages.python.packaging.library import (
    library_members,
    version_for,
    write_library_wheel,
)
from formwork.languages.python.packaging.resolving import StandIn, install_for
from formwork.languages.python.packaging.slim import choose_members
from formwork.languages.python.packaging.target import Target
from formwork.languages.python.requirements import (
    AWS_LIBRARY,
    HANDLER_LIBRARIES,
    REQUIREMENTS_FILE,
    RequirementLine,
    read_requirements,
)
from formwork.languages.python.versions import PYTHON_VERSIONS, python_version_of
from formwork.package.archive import ArchiveMember
from formwork.package.files import folder_members, is_left_behind
from formwork.package.provider import LeftOut, PackagingSettings, Provider
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import Project
from formwork.project.runtimes import OUTDATED_RUNTIMES
from formwork.toolchain.pip import Pip

SOURCE_FOLDER = "src"
# The content that AWS's plugin, whose layout this is, writes into `.cfn_metadata.json`.
_METADATA = {"plugin-tool-version": "2.1.10", "plugin-name": "python"}
_STANDS_IN = "handler library: Formwork's own replaces cloudformation-cli-python-lib ({})"
_LIBRARY_FILES = ("cloudformation_cli_python_lib/", "cloudformation_cli_python_lib-")


class PythonBuild(Struct, frozen=True):
    """The build of a Python project.

    `library` is the version of the toolkit's handler library to include; None keeps AWS's from the requirements.
    """

    target: Target
    library: str | None
    pip: Pip
    cache: DependencyCache | None
    say: Callable[[str], None]

    def provide(self, project: Project) -> Provider:
        """Build the archive of `project` for Lambda."""
        return build_provider(project, self)


def python_build(project: Project, settings: PackagingSettings) -> PythonBuild:
    """Return the build of `project`.

    Raises:
        UsageError: its runtime is not supported.
    """
    return PythonBuild(
        target=Target(_python(project, settings.say), settings.architecture),
        library=None if settings.aws_runtime or project.config.keeps_aws_library else library_version(),
        pip=Pip((sys.executable, "-m", "pip"), settings.environment, project.root.resolve()),
        cache=None if settings.refresh else DependencyCache(settings.cache / "packages"),
        say=settings.say,
    )


def _python(project: Project, say: Callable[[str], None]) -> str:
    """Return the target Python: the runtime's, or for a retired runtime the oldest that handlers run on."""
    version = python_version_of(project.runtime) or PYTHON_VERSIONS[-1]
    if project.runtime in OUTDATED_RUNTIMES:
        version = PYTHON_VERSIONS[0]
        say(f"{project.runtime}: packaging for Python {version}, the oldest that handlers can run on")
    if version not in PYTHON_VERSIONS:
        raise UsageError(
            f'handlers are not packaged for "{project.runtime}"',
            hint='name python3.12 as "runtime" in .rpdk-config and "Runtime" in template.yml, python312 as "language"',
        )
    return version


def build_provider(project: Project, build: PythonBuild) -> Provider:
    """Build the archive of `project` for Lambda.

    Raises:
        BadInputError: the handlers are missing, or the requirements can't be met.
        EnvironmentProblemError: pip, the index or the disk fails.
    """
    sources = source_members(project)
    dependencies, left_out = _dependencies(project, build)
    if build.library is not None:
        dependencies = [each for each in dependencies if not each.name.startswith(_LIBRARY_FILES)]
        dependencies += library_members(build.library)
    members = {each.name: each for each in dependencies}
    # The author's files take precedence over a dependency's package of the same name.
    members |= {
        each.name.removeprefix(f"{SOURCE_FOLDER}/"): replace(each, name=each.name.removeprefix(f"{SOURCE_FOLDER}/"))
        for each in sources
    }
    package = f"{SOURCE_FOLDER}/{handlers_package(project)}/"
    return Provider(
        "ResourceProvider.zip",
        tuple(members[name] for name in sorted(members)),
        tuple(each for each in sources if each.name.startswith(package)),
        _METADATA,
        tuple(left_out),
        target=str(build.target),
        remarks=() if build.library is None else (_STANDS_IN.format(build.library),),
    )


def source_members(project: Project) -> list[ArchiveMember]:
    """Return the author's code: the handlers' package and other importable files in `src/`.

    Raises:
        BadInputError: the package of the entry point is missing.
    """
    folder = project.root / SOURCE_FOLDER
    name = handlers_package(project)
    if not (folder / name).is_dir() and not (folder / f"{name}.py").is_file():
        raise BadInputError.of(
            "package.no-handlers",
            f'the handlers\' package "{SOURCE_FOLDER}/{name}" is missing',
            location=Location(str(folder / name)),
            hint='run `cfn generate`, or fix "entrypoint" in .rpdk-config',
        )
    return [
        member
        for member in folder_members(folder, prefix=f"{SOURCE_FOLDER}/", root=project.root)
        if not is_left_behind(Path(member.name).parts[1])
    ]


def _dependencies(project: Project, build: PythonBuild) -> tuple[list[ArchiveMember], list[LeftOut]]:
    lines = _lines(project, build)
    provided = HANDLER_LIBRARIES if build.library is not None else frozenset[str]()
    others = [each for each in lines if not each.is_option and each.name not in provided]
    if not others:
        return [], []
    path = None
    if build.cache is not None:
        key = f"{build.library}" if build.library is None else f"{build.library} {_library_hash(build.library)}"
        path = build.cache.path_for(lines, build.target, build.pip.environment, key)
        kept = build.cache.load(path) if path else None
        if kept is not None:
            build.say(f"dependencies for {build.target}: from the cache ({len(others)} required)")
            return kept
    members, left_out = _resolve(lines, build)
    if build.cache is not None and path is not None:
        try:
            build.cache.store(path, members, left_out)
            return build.cache.load(path) or (members, left_out)  # already compressed
        except EnvironmentProblemError as error:  # the package can be built without the cache
            build.say(f"the dependencies can't be cached: {error}")
    return members, left_out


def _lines(project: Project, build: PythonBuild) -> list[RequirementLine]:
    path = project.root / REQUIREMENTS_FILE
    lines = read_requirements(path, build.target.markers) if path.is_file() else []
    if build.library is None:
        return lines
    ours = RequirementLine(f"{AWS_LIBRARY}==={build.library}", AWS_LIBRARY, pinned=True)
    return [*(each for each in lines if each.name not in HANDLER_LIBRARIES), ours]


def _resolve(lines: list[RequirementLine], build: PythonBuild) -> tuple[list[ArchiveMember], list[LeftOut]]:
    build.say(f"resolving the dependencies for {build.target}")
    with TemporaryFolder("package") as work:
        wheels = work / "wheels"
        wheels.mkdir()
        library = None
        if build.library is not None:
            lines = [_with_wheel(each, wheels, build.library, lines) for each in lines]
            library = StandIn(AWS_LIBRARY, wheels, lambda demanded: _stand_in(demanded, wheels, build, lines))
        site, distributions = install_for(build.target, lines, work, build.pip, library=library, say=build.say)
        members, left_out = choose_members(site, distributions, lines, build.target)
        # Read the bytes, since the folder is deleted.
        return _in_memory(members), left_out


def _with_wheel(line: RequirementLine, wheels: Path, version: str, lines: Sequence[RequirementLine]) -> RequirementLine:
    """Write the library's wheel and return the line that requires it, with a hash if other lines have hashes."""
    if line.name != AWS_LIBRARY:
        return line
    wheel = write_library_wheel(wheels, version)
    if not any(each.hashed for each in lines):
        return line
    return replace(line, text=f"{line.text} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}")


def _stand_in(demanded: SpecifierSet, wheels: Path, build: PythonBuild, lines: Sequence[RequirementLine]) -> str | None:
    """Write the library's wheel in the version that another requirement needs; return the line that requires it."""
    assert build.library is not None
    version = version_for(demanded, build.library)
    if version is None or version == build.library:
        return None
    build.say(f"{AWS_LIBRARY}: another requirement needs {demanded}; Formwork's own replaces that version")
    line = RequirementLine(f"{AWS_LIBRARY}==={version}", AWS_LIBRARY, pinned=True)
    return _with_wheel(line, wheels, version, lines).text


def _in_memory(members: Iterable[ArchiveMember]) -> list[ArchiveMember]:
    return [replace(each, content=each.read()) for each in members]


def _library_hash(version: str) -> str:
    digest = hashlib.sha256()
    for each in library_members(version):
        digest.update(each.name.encode() + b"\0" + each.read())
    return digest.hexdigest()
