"""Projects of public repositories, made ready for `cfn test`: checkouts, inputs, what answers their calls.

`conformance/real_projects.toml` describes them. The settings of a source:

- `repository`, `commit`; `folder` in which its projects are; `paths` that are copied (all without it); `like`: another
  source, whose settings it has where it gives none; `language`, and `sdk`, which is for readers
- `without`: files that are removed; `npm`: folders in which `npm ci` runs first; `requirements` in place of
  requirements.txt
- `stubs`: hosts with the OpenAPI document that answers for each, of a repository at a commit or in `data/real_projects`;
  `exists`: what they begin with; `secrets` in moto; `setup`: the template of a stack that exports what inputs name;
  `configuration`: the type configuration
- `inputs`: where its templates of inputs are, the first that exists; `fill`: what comes into their places, by patterns
  of the property's name and of the value

A project is the actions that are to succeed, or a table with these as `actions`, and `create` and `update` (its inputs as
JSON), `stubs`, `exists`, `fill` and `configuration` of its own.
"""

import json
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bench.real_projects.maven import maven_options

DATA = Path(__file__).parents[1] / "data" / "real_projects"
MANIFEST = Path(__file__).parents[1] / "conformance" / "real_projects.toml"
_LEFT_OUT = shutil.ignore_patterns(".git", "node_modules", "target")


@dataclass(frozen=True)
class Project:
    """One project of a source."""

    source: "Source"
    folder: str
    settings: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.source.name}/{self.folder}"

    @property
    def actions(self) -> set[str]:
        return set(self.settings["actions"].split())


@dataclass(frozen=True)
class Source:
    """A repository with projects, at one commit."""

    name: str
    settings: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        return self.settings.get(name)

    @cached_property
    def projects(self) -> list[Project]:
        given = self.settings["projects"].items()
        return [Project(self, name, {"actions": each} if isinstance(each, str) else each) for name, each in given]


def read_sources(manifest: Path = MANIFEST) -> dict[str, Source]:
    """The sources of a manifest, by their names."""
    read = tomllib.loads(manifest.read_text(encoding="utf-8"))["sources"]
    return {name: Source(name, {**read.get(settings.get("like"), {}), **settings}) for name, settings in read.items()}


class CheckoutMissingError(Exception):
    """The folder of checkouts lacks a repository, or has it at another commit."""


class Checkouts:
    """A folder of checkouts, `owner+name` each, and copies of them to build in."""

    def __init__(self, folder: Path, copies: Path) -> None:
        self._folder = folder
        self._copies = copies

    def checkout(self, repository: str, commit: str) -> Path:
        """The folder of a repository at `commit`; raises `CheckoutMissingError`."""
        folder = self._folder_of(repository)
        argv = ["git", "-C", folder, "rev-parse", "HEAD"]
        head = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()
        if head != commit:
            raise CheckoutMissingError(f"{folder} is at {head}: check {repository} out at {commit}")
        return folder

    def _folder_of(self, repository: str) -> Path:
        folder = self._folder / repository.replace("/", "+")
        if not folder.is_dir():
            raise CheckoutMissingError(f"{folder} not found: clone {repository}")
        return folder

    def copy(self, source: Source) -> Path:
        """The copy of a source, in which its projects are built; made once, as compilers know a folder again."""
        copy = self._copies / f"{source.like or source.name}-{source.commit[:12]}"
        if not copy.is_dir():
            begun = copy.with_name(f"{copy.name}-begun")  # what was cut is not taken for whole
            shutil.rmtree(begun, ignore_errors=True)
            self._fill(begun, source)
            begun.rename(copy)
        return copy

    def _fill(self, copy: Path, source: Source) -> None:
        checkout = self.checkout(source.repository, source.commit)
        for path in source.paths or ["."]:
            shutil.copytree(checkout / path, copy / path, ignore=_LEFT_OUT, dirs_exist_ok=True)
        for path in [each for name in source.without or [] for each in copy.rglob(name)]:
            path.unlink()
        for folder in source.npm or []:
            install = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
            subprocess.run(install, cwd=copy / folder, check=True, capture_output=True)

    def prepare(self, project: Project) -> Path:
        """The project's folder in the copy of its source, with its inputs and `egress.yml`."""
        source = project.source
        folder = self.copy(source) / (source.folder or ".") / project.folder
        _write_inputs(folder, project)
        if stubs := [*(source.stubs or []), *project.settings.get("stubs", [])]:
            exists = [*(source.exists or []), *project.settings.get("exists", [])]
            hosts = {stub["host"]: {"stub": str(self._document(stub)), "exists": exists} for stub in stubs}
            (folder / "egress.yml").write_text(json.dumps({"hosts": hosts}), encoding="utf-8")
        if configuration := project.settings.get("configuration", source.configuration):
            (folder / "type-configuration.json").write_text(configuration, encoding="utf-8")
        if source.requirements:  # in place of an address on GitHub, of the same repository
            (folder / "requirements.txt").write_text("\n".join(source.requirements) + "\n", encoding="utf-8")
        return folder

    def _document(self, stub: dict[str, str]) -> Path:
        """The OpenAPI document of a stub: its owner's, or one of ours in `data/real_projects`."""
        if "repository" not in stub:
            return DATA / stub["document"]
        written = self._copies / f"{stub['host']}-{stub['commit']}{Path(stub['document']).suffix}"
        if not written.is_file():
            shown = ["git", "-C", self._folder_of(stub["repository"]), "show", f"{stub['commit']}:{stub['document']}"]
            written.write_bytes(subprocess.run(shown, check=True, capture_output=True).stdout)
        return written


def maven_environment(copies: Path) -> dict[str, str]:
    """Variables for projects in Java whose dependencies name JitPack."""
    return {"MAVEN_OPTS": maven_options(copies)}


def _write_inputs(folder: Path, project: Project) -> None:
    source, written = project.source, folder / "inputs"
    given = {kind: project.settings[kind] for kind in ("create", "update") if kind in project.settings}
    if given:
        shutil.rmtree(written, ignore_errors=True)
    elif source.inputs:
        names = [source.inputs] if isinstance(source.inputs, str) else source.inputs
        texts = {
            kind: path.read_text(encoding="utf-8")
            for name in reversed(names)
            for kind in ("create", "update")
            if (path := folder / name.format(kind)).is_file()
        }
        rules = [*project.settings.get("fill", []), *(source.fill or [])]
        given = {kind: json.dumps(filled(json.loads(text), rules)) for kind, text in texts.items()}
    for kind, text in given.items():
        written.mkdir(exist_ok=True)
        (written / f"inputs_1_{kind}.json").write_text(text, encoding="utf-8")


def filled(value: Any, rules: list[list[str]], name: str = "") -> Any:
    """A template of an input with its places filled in: by patterns of the property's name and of the value."""
    match value:
        case dict():
            return {key: filled(each, rules, key) for key, each in value.items()}
        case list():
            return [filled(each, rules, name) for each in value]
        case str():
            fits = (text for of, like, text in rules if re.fullmatch(of, name) and re.fullmatch(like, value))
            return next(fits, value)
    return value
