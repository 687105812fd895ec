"""The command of `cfn` that each tool is, made of the tool's arguments."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.agents.arguments import LANGUAGE_ANSWERS
from formwork.agents.contract_reports import report_file
from formwork.agents.folders import AllowedFolders

Arguments = Mapping[str, Any]
_LOCAL = "--local"  # the registry of a `cfn serve` that runs on this machine, else one started for the command


class CommandPlan(Struct, frozen=True):
    """The words after `cfn`, and the folder to run them in."""

    words: Sequence[str]
    folder: Path


def validate(given: Arguments, folders: AllowedFolders) -> CommandPlan:
    """Return the command that checks a path."""
    path = folders.path(given.get("path", "."))
    folder = path if path.is_dir() else path.parent
    return CommandPlan(["validate", "--format=json", "--offline", "--", str(path)], folder)


def scaffold(given: Arguments, folders: AllowedFolders) -> CommandPlan:
    """Return the command that starts a project, whose folder is made."""
    folder = folders.path(given["project"])
    words = ["init", f"--artifact-type={given.get('kind', 'RESOURCE')}", f"--type-name={given['type_name']}"]
    words += [f"--{name}" for name in ("sample", "yaml") if given.get(name)]
    if model := given.get("smithy_model"):
        words.append(f"--from-smithy={folders.path(model)}")
    words += [f"--{name.replace('_', '-')}={given[name]}" for name in LANGUAGE_ANSWERS if name in given]
    words += [f"--answer={name}={value}" for name, value in given.get("answers", {}).items()]
    folder.mkdir(parents=True, exist_ok=True)
    return CommandPlan([*words, *([given["language"]] if "language" in given else [])], folder)


def generate(given: Arguments, folders: AllowedFolders) -> CommandPlan:
    """Return the command that writes what follows from the schema."""
    return CommandPlan(["generate", "--local-only", "--offline"], folders.folder(given["project"]))


def contract_tests(given: Arguments, folders: AllowedFolders) -> CommandPlan:
    """Return the command that tests the handlers, and keeps its report."""
    folder = folders.folder(given["project"])
    words = ["test", "--report=json", f"--report-file={report_file(folder)}", f"--aws={given.get('aws', 'none')}"]
    words += [f"--{name}={given[name]}" for name in ("seed", "effort") if name in given]
    words += ["--last-failed"] if given.get("last_failed") else []
    return CommandPlan([*words, *(["-k", given["tests"]] if "tests" in given else [])], folder)


def register(given: Arguments, folders: AllowedFolders) -> CommandPlan:
    """Return the command that packages and registers the project."""
    return CommandPlan(["submit", _LOCAL, "--set-default"], folders.folder(given["project"]))


def with_template(verb: str) -> Callable[[Arguments, AllowedFolders], CommandPlan]:
    """Return the plan of a verb that takes a stack and a template."""

    def plan(given: Arguments, folders: AllowedFolders) -> CommandPlan:
        words = ["stack", verb, _LOCAL, "--format=json"]
        words += [f"--parameter={name}={value}" for name, value in given.get("parameters", {}).items()]
        words += [f"--capability={name}" for name in given.get("capabilities", [])]
        return CommandPlan([*words, "--", given["stack"], str(folders.path(given["template"]))], folders.roots[0])

    return plan


def of_stack(*words: str) -> Callable[[Arguments, AllowedFolders], CommandPlan]:
    """Return the plan of a verb that takes a stack."""

    def plan(given: Arguments, folders: AllowedFolders) -> CommandPlan:
        return CommandPlan(["stack", words[0], _LOCAL, *words[1:], "--", given["stack"]], folders.roots[0])

    return plan
