"""Launches of Python handler processes: the bootstrap loop on an interpreter, isolated from its packages."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from formwork.lambda_host.function import Launch

BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
_RECORDER = Path(__file__).with_name("line_recorder.py")


class RecordedLines(Struct, frozen=True):
    """Settings of the line recorder: it records lines of `files` below the task root to a file in `folder`."""

    folder: Path
    files: tuple[Path, ...]


def python_launch(  # noqa: PLR0913 - what the bootstrap wants to know
    interpreter: Path,
    *,
    task_root: Path,
    paths: Sequence[Path] = (),
    packages: Mapping[str, Path] | None = None,
    bytecode: Path | None = None,
    debug_port: int | None = None,
    recorded: RecordedLines | None = None,
) -> Launch:
    """Return the launch of a handler in `task_root`.

    `paths` are folders to import from after the task root, `packages` single top-level packages and the
    folders that contain them; `bytecode` is the folder for compiled files of the task root. `recorded` says which lines
    to record, None for none; it needs `bytecode`. `-I -S` keep the interpreter's own installed
    packages and the user's settings out, as Lambda has neither.
    """
    settings = {
        "paths": [str(task_root), *map(str, paths)],
        "packages": {name: str(folder) for name, folder in (packages or {}).items()},
        "bytecode": str(bytecode) if bytecode else None,
        "debug_port": debug_port,
        "coverage": _recorder_settings(recorded) if recorded else None,
    }
    command = (str(interpreter), "-I", "-S", "-u", "-X", "utf8", str(BOOTSTRAP))
    return Launch(command, {"FORMWORK_BOOTSTRAP": json.dumps(settings)}, task_root)


def _recorder_settings(recorded: RecordedLines) -> dict[str, object]:
    return {"recorder": str(_RECORDER), "folder": str(recorded.folder), "files": list(map(str, recorded.files))}
