"""Finds the files of a Python project that its author writes."""

import re
from pathlib import Path

from formwork.project.project import Project

_GENERATED_FILE = "models.py"
_GENERATED_FOLDERS = frozenset({"formwork_models", "target_models"})


def handlers_package(project: Project) -> str:
    """Return the package or module of the entry point; without an entry point, the name derived from the type."""
    return re.split(r"[./]", project.entrypoint or project.package_name)[0]


def own_sources(project: Project) -> tuple[Path, ...]:
    """Return the Python files of the handlers' package, sorted and absolute, without generated ones."""
    package = project.root.resolve() / "src" / handlers_package(project)
    return tuple(path for path in sorted(package.rglob("*.py")) if not _is_generated(path.relative_to(package)))


def _is_generated(path: Path) -> bool:
    return path.as_posix() == _GENERATED_FILE or path.parts[0] in _GENERATED_FOLDERS
