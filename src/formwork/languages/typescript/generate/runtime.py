"""The sources of the toolkit's handler library, managed files of a project until the library is published.

The reasons are in docs/decisions/1111.
"""

from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError
from formwork.generate.plan import PlannedFile, managed

# The setting of `.rpdk-config` for the handler library, and its value for the toolkit's; without it, AWS's is used.
LIBRARY_SETTING = "handler_library"
OWN_LIBRARY = "formwork"

_MARK = "// Formwork's handler library, written again by `cfn generate`; changes are lost."
# In an installation the sources are beside this file, in a checkout in a folder of their own.
_PLACES = (Path(__file__).parent / "runtime", Path(__file__).parents[5] / "runtime" / "typescript" / "src")


def plan_runtime(folder: str) -> dict[str, PlannedFile]:
    """Return the files of the library below `folder`.

    Raises:
        EnvironmentProblemError: they are missing in this installation.
    """
    sources = runtime_sources()
    files = sorted(sources.rglob("*.ts"))
    return {
        f"{folder}/{path.relative_to(sources).as_posix()}": managed(
            f"{_MARK}\n{path.read_text(encoding='utf-8')}", sweeps=True
        )
        for path in files
    }


def runtime_sources() -> Path:
    """Return the folder of the library's sources.

    Raises:
        EnvironmentProblemError: they are missing in this installation.
    """
    found = next((each for each in _PLACES if (each / "index.ts").is_file()), None)
    if found is None:
        raise EnvironmentProblemError("the TypeScript handler library is missing", hint="install formwork-cfn again")
    return found
