"""Modules by type name, from folders that a command line names, and what a registry says of others."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError, Diagnostic, UsageError
from formwork.project import CONFIG_FILE, ExtensionKind, load_project
from formwork.project.module import LoadedModule, load_module
from formwork.template import Template


def find_modules(folders: Iterable[Path]) -> tuple[Callable[[str], Template | None], list[Diagnostic]]:
    """A lookup by type name over the module projects in `folders`, and what is wrong with those projects' fragments.

    Raises:
        UsageError: one of `folders` is none.
        BadInputError: a project there cannot be read.
    """
    found: dict[str, LoadedModule] = {}
    diagnostics: list[Diagnostic] = []
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f'"{folder}" is no folder', hint="--modules names a module project or a folder of them")
        configs = (
            [folder / CONFIG_FILE] if (folder / CONFIG_FILE).is_file() else sorted(folder.glob(f"*/{CONFIG_FILE}"))
        )
        for config in configs:
            project = load_project(config.parent)
            if project.kind is ExtensionKind.MODULE:
                found[project.type_name] = module = load_module(project)
                diagnostics += module.diagnostics

    def find(type_name: str) -> Template | None:
        return found[type_name].template if type_name in found else None

    return find, diagnostics


def describe_module(client: Any, type_name: str) -> str:
    """What the registry that `client` talks to says of a module, as the end of a sentence.

    Raises:
        EnvironmentProblemError: it can't be asked.
    """
    from formwork.aws.registered_types import RegisteredType, describe_schema
    from formwork.documents import DocumentFormat, parse_document
    from formwork.schema.module import build_module_schema

    try:
        text = describe_schema(client, RegisteredType(type_name, "MODULE", type_name=type_name))
        module = build_module_schema(parse_document(text, name=f"registry:{type_name}", format=DocumentFormat.JSON))
    except BadInputError:
        return "the registry has none either"
    holds = ", ".join(f"{name} ({each})" for name, each in module.resources.items()) or "nothing that its schema tells"
    return f"it is registered, with {holds} in it, but a registry gives no module's fragment"
