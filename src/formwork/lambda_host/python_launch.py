"""How a Python handler process is started: our bootstrap loop on a chosen interpreter, isolated from its packages."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from formwork.lambda_host.function import Launch

BOOTSTRAP = Path(__file__).with_name("bootstrap.py")


def python_launch(  # noqa: PLR0913 - what the bootstrap wants to know
    interpreter: Path,
    *,
    task_root: Path,
    paths: Sequence[Path] = (),
    packages: Mapping[str, Path] | None = None,
    bytecode: Path | None = None,
    debug_port: int | None = None,
) -> Launch:
    """The launch of a handler in `task_root`.

    `paths` are folders to import from after the task root, `packages` single top-level packages and the folders they
    stand in; `bytecode` is where compiled files of the task root go. `-I -S` keep the interpreter's own installed
    packages and the user's settings out, as Lambda has neither.
    """
    settings = {
        "paths": [str(task_root), *map(str, paths)],
        "packages": {name: str(folder) for name, folder in (packages or {}).items()},
        "bytecode": str(bytecode) if bytecode else None,
        "debug_port": debug_port,
    }
    command = (str(interpreter), "-I", "-S", "-u", "-X", "utf8", str(BOOTSTRAP))
    return Launch(command, {"FORMWORK_BOOTSTRAP": json.dumps(settings)}, task_root)
