"""A Node project compiled in the cache: its own folder stays as it is.

A build is a folder with the project's files, what it reads outside of its folder at the same relative places, what the
compiler made of them, and links to the installed packages. It is named after the content of all that went into it, so
that running processes keep theirs while a newer one is made.
"""

import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError
from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.cache import build_once, content_key
from formwork.toolchain.node import find_node, find_npm
from formwork.toolchain.npm import LOCKS, MANIFEST, read_manifest
from formwork.toolchain.path_aliases import unresolved_aliases
from formwork.toolchain.reach import Reach, find_reach, read_tsconfig
from formwork.toolchain.reached_packages import link_reached_packages, members_to_build, packages_of

# What tools make, and what no build reads, in the project's own folder.
_LEFT_OUT = frozenset(
    {
        ".aws-sam",
        ".formwork",
        ".git",
        ".hypothesis",
        ".idea",
        ".npm",
        ".pytest_cache",
        ".tests",
        ".vscode",
        "build",
        "canary-bundle",
        "contract-tests-artifacts",
        "coverage",
        "dist",
        "docs",
        "example_inputs",
        "inputs",
        "node_modules",
        "rpdk.log",
        "sam-tests",
    }
)
_LEFT_OUT_BELOW = frozenset({".git", "node_modules"})
_PACKAGES_ERROR = re.compile(r"\S*\bnode_modules/\S+\.d\.[cm]?ts\(\d+,\d+\): error TS")
_PLAIN_TSC = ("tsc", "npx tsc", "tsc -p .", "npx tsc -p .", "tsc --build", "tsc -b")


def build_project(
    root: Path, settings: BuildSettings, *, replaced: Mapping[str, str] | None = None, debugging: bool = False
) -> Path:
    """Return the folder with the build of the project in `root`, which is built again if its content has changed.

    `replaced` are texts to build instead of the project's files at these paths. With `debugging` source maps lead to
    the author's own files, where breakpoints are set, rather than to their copies in the build.

    Raises:
        BadInputError: the compiler found errors; they are its own lines.
        EnvironmentProblemError: a tool is missing, or npm failed.
    """
    replaced = replaced or {}
    node = find_node(settings.environment)
    reach = find_reach(root)
    packages = packages_of(root, reach, settings)
    manifest = read_manifest(root)
    words = [*(f"{path}\0{text}" for path, text in sorted(replaced.items())), str(node.version[0])]
    words += [f"{os.path.relpath(folder, root)} {modules}" for folder, modules in sorted(packages.items())]
    if debugging:
        words.append(f"debugging {root}")
    inputs = [*_inputs(root), *reach.folders, *reach.files]
    key = content_key(inputs, *words, root=root, leave_out=_LEFT_OUT_BELOW)
    inside = root.relative_to(reach.top)

    def build(tree: Path) -> None:
        folder = tree / inside
        _copy_inputs(root, folder)
        for path, text in replaced.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        _copy_reach(reach, tree)
        link_reached_packages(reach, packages, tree)
        for member in members_to_build(root, reach, tree):
            _compile(member, read_manifest(member), settings, top=tree)
        _compile(folder, manifest, settings, top=tree)
        for file, module, alias in unresolved_aliases(folder, tree):
            settings.note(
                f'warning: {file} names "{module}", the path alias "{alias}" of tsconfig.json: the compiler leaves '
                "aliases as they are, and Node does not find them; let the build script rewrite them (tsc-alias)"
            )
        if debugging:
            _point_maps_at(reach.top, tree)

    return build_once(settings.cache / "node-builds" / key, build) / inside


def _inputs(root: Path) -> list[Path]:
    return [each for each in sorted(root.iterdir()) if each.name not in _LEFT_OUT and each.suffix != ".zip"]


def _copy_reach(reach: Reach, tree: Path) -> None:
    ignore = shutil.ignore_patterns(*_LEFT_OUT_BELOW)
    for source in reach.folders:
        shutil.copytree(source, tree / source.relative_to(reach.top), ignore=ignore, dirs_exist_ok=True)
    for source in reach.files:
        place = tree / source.relative_to(reach.top)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)


def _copy_inputs(root: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for source in _inputs(root):
        if source.is_dir():
            ignore = shutil.ignore_patterns(*_LEFT_OUT_BELOW)
            shutil.copytree(source, folder / source.name, ignore=ignore)
        elif source.is_file():
            shutil.copyfile(source, folder / source.name)


def _compile(folder: Path, manifest: Mapping[str, Any], settings: BuildSettings, *, top: Path) -> None:
    scripts = manifest.get("scripts")
    script = scripts.get("build") if isinstance(scripts, dict) else None
    if isinstance(script, str) and script.strip() not in _PLAIN_TSC:
        command = [str(find_npm(settings.environment)), "run", "--silent", "build"]
        run_build(command, folder=folder, environment=settings.environment, what=f'the build script "{script}"')
        return
    if not (folder / "tsconfig.json").is_file():
        return  # plain JavaScript
    compiler = _find_compiler(folder, top)
    if compiler is None:
        message = "the project has a tsconfig.json, and typescript is none of its packages"
        raise BadInputError.of("build.no-compiler", message, hint="npm install --save-dev typescript")
    node = find_node(settings.environment)
    # Only a build of references makes what they refer to; it takes no further options of the compiler.
    references = bool(read_tsconfig(folder / "tsconfig.json").get("references"))
    how = ["-b", ".", "--pretty", "false"] if references else ["--pretty", "false", "-p", "."]
    command = [str(node.executable), str(compiler), *how]

    def compile_with(*options: str) -> None:
        words = [*command, *options]
        run_build(words, folder=folder, environment=settings.environment, what="the TypeScript compiler")

    try:
        compile_with()
    except BadInputError as error:
        if references or not _is_only_about_packages(error):
            raise
        # AWS's handler library is such a package to TypeScript 4, which its new projects ask for.
        settings.note("the declarations of installed packages don't suit this TypeScript: building with --skipLibCheck")
        compile_with("--skipLibCheck")


def _find_compiler(folder: Path, top: Path) -> Path | None:
    """Return the compiler among the packages of `folder` or of the folders around it, up to `top`."""
    for place in (folder, *folder.parents):
        compiler = place / "node_modules" / "typescript" / "bin" / "tsc"
        if compiler.is_file():
            return compiler
        if place == top:
            break
    return None


def _is_only_about_packages(error: BadInputError) -> bool:
    """Return whether the compiler's complaints are all about declarations that the author didn't write."""
    lines = [line for each in error.diagnostics for line in each.notes if not line.startswith(" ")]
    return bool(lines) and all(map(_PACKAGES_ERROR.match, lines))


def _point_maps_at(root: Path, folder: Path) -> None:
    """Let the source maps in `folder` name the files in `root` that those in `folder` are copies of."""
    base = folder.resolve()
    for path in base.rglob("*.js.map"):
        if "node_modules" in path.relative_to(base).parts:
            continue
        written = json.loads(path.read_text(encoding="utf-8"))
        places = [(path.parent / written.get("sourceRoot", "") / each).resolve() for each in written["sources"]]
        own = [root / each.relative_to(base) if each.is_relative_to(base) else each for each in places]
        text = json.dumps({**written, "sourceRoot": "", "sources": [str(each) for each in own]})
        path.write_text(text, encoding="utf-8")


def watched_sources(root: Path) -> tuple[Path, ...]:
    """Return the files and folders whose change makes a build stale."""
    own = [root / "src", root / "tsconfig.json", root / MANIFEST, *(root / each for each in LOCKS)]
    reach = find_reach(root)
    own += [*reach.folders, *reach.files]
    beside = sorted(each for each in root.iterdir() if each.suffix in (".js", ".mjs", ".cjs", ".ts"))
    return tuple(each for each in [*own, *beside] if each.exists())
