"""Formwork's runtime for Go as files of a project, in `internal/cfn/`, until it is published as a module.

The reasons are in docs/decisions/1120.
"""

from pathlib import Path

from formwork.generate.plan import PlannedFile, managed
from formwork.languages.go.generate.text import header

FOLDER = "internal/cfn"
_MODULE = "formwork/cfn"


def plan_library(import_path: str) -> dict[str, PlannedFile]:
    """Return the runtime's files, which import each other by the project's import path."""
    folder = _folder()
    first = header("Formwork's runtime").replace("the schema of ", "")
    files = {}
    for path in sorted(folder.rglob("*.go")):
        if not path.name.endswith("_test.go"):
            text = path.read_text(encoding="utf-8").replace(f'"{_MODULE}', f'"{import_path}/{FOLDER}')
            name = path.relative_to(folder).as_posix()
            files[f"{FOLDER}/{name}"] = managed(f"{first}\n\n{text}", sweeps=True)
    return files


def _folder() -> Path:
    """Return the folder of the runtime, in the installed package or in the source tree."""
    packaged = Path(__file__).parent / "library"
    return packaged if packaged.is_dir() else Path(__file__).parents[5] / "runtime" / "go"
