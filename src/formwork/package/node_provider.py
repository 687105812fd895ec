"""`ResourceProvider.zip` of a TypeScript project: what the compiler made, and the packages that handlers need."""

import re
from dataclasses import replace
from pathlib import Path

from formwork.diagnostics import BadInputError, Location
from formwork.package.archive import Member
from formwork.package.files import folder_members
from formwork.package.provider import Provider, ToolchainSettings
from formwork.package.slim import LeftOut
from formwork.project import Project
from formwork.toolchain import BuildSettings
from formwork.toolchain.npm import installed_packages, read_manifest
from formwork.toolchain.typescript import build_project

SOURCE_FOLDER = "src"

# Files of a build that no handler reads: sources, and what tools are told.
_SOURCES = re.compile(
    r"(tests?|__tests__)/.*|.*\.(ts|mts|cts|tsbuildinfo|md)|tsconfig[^/]*\.json|package-lock\.json|npm-shrinkwrap\.json"
    r"|\.npmrc|\.gitignore|\.rpdk-config|Makefile|template\.ya?ml|(resource|hook)-role\.yaml|jest\.config\.[^/]*"
)
# Of installed packages: what the compiler and readers need. What Node loads is kept whatever it is called:
# aws-sdk/clients/licensemanager.js is no licence.
_UNREAD = re.compile(
    r".*\.([mc]?ts|[mc]?js\.map|[mc]?ts\.map|css\.map|md|markdown)"
    r"|.*/(LICEN[SC]E|CHANGELOG|AUTHORS)([-.][^/]*)?(?<!\.js)(?<!\.cjs)(?<!\.mjs)(?<!\.json)(?<!\.node)(?<!\.wasm)",
    re.IGNORECASE,
)
_TOOLS = re.compile(r"node_modules/(\.bin/.*|\.package-lock\.json|\.cache/.*)")


class NodeBuild:
    """How a TypeScript project is built for Lambda."""

    def __init__(self, settings: ToolchainSettings) -> None:
        self._settings = settings

    def provide(self, project: Project) -> Provider:
        """Build `project`; nothing in its folder changes."""
        root = project.root.resolve()
        settings = BuildSettings(self._settings.environment, self._settings.cache, self._settings.say)
        if project.settings.get("buildCommand"):
            self._settings.say('"buildCommand" in .rpdk-config is not run: projects are built here without SAM')
        built = build_project(root, settings, replaced=self._settings.sources(project))
        code = [each for each in _built_members(built) if _SOURCES.fullmatch(each.name) is None]
        _expect_handler(project, code)
        packages, left_out = _packages(root, settings)
        members = {each.name: each for each in (*packages, *code)}
        return Provider(
            "ResourceProvider.zip",
            tuple(members[name] for name in sorted(members)),
            tuple(folder_members(root / SOURCE_FOLDER, prefix=f"{SOURCE_FOLDER}/", root=root)),
            left_out=left_out,
        )


def _built_members(built: Path) -> list[Member]:
    """The files of a build but its packages, which are a link to those that it was compiled with."""
    members: list[Member] = []
    for path in sorted(built.iterdir()):
        if path.is_dir() and path.name != "node_modules":
            members += folder_members(path, prefix=f"{path.name}/", root=built)
        elif path.is_file():
            members.append(Member(path.name, path))
    return members


def _expect_handler(project: Project, members: list[Member]) -> None:
    entry = project.entrypoint or ""
    stem = entry.rpartition(".")[0]
    if not any(each.name in (f"{stem}.js", f"{stem}.mjs", f"{stem}.cjs") for each in members):
        raise BadInputError.of(
            "package.no-handlers",
            f'the entry point "{entry}" names {stem}.js, and the build has no such file',
            location=Location(str(project.root / ".rpdk-config")),
            hint='mend "entrypoint", or "outDir" in tsconfig.json',
        )


def is_read(path: str) -> bool:
    """Whether the file of an installed package may be read by a handler that runs."""
    return _UNREAD.fullmatch(path) is None


def _packages(root: Path, settings: BuildSettings) -> tuple[list[Member], tuple[LeftOut, ...]]:
    """The files of the packages that run in Lambda, and what was left out of them."""
    if not any(read_manifest(root).get(each) for each in ("dependencies", "optionalDependencies")):
        return [], ()
    folder = installed_packages(root, settings, production=True)
    assert folder is not None
    found = folder_members(folder, prefix="node_modules/", root=folder)
    found = [each for each in found if _TOOLS.fullmatch(each.name) is None]
    kept = [replace(each, executable=False) for each in found if is_read(each.name)]
    size = sum(each.size for each in found) - sum(each.size for each in kept)
    if not size:
        return kept, ()
    return kept, (LeftOut("types, source maps and texts of packages", "handlers don't read them", size),)
