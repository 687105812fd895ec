"""Modules by type name, from folders that a command line names."""

from collections.abc import Callable, Iterable
from pathlib import Path

from formwork.diagnostics import Diagnostic, UsageError
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
