"""The packages that Lambda's Python runtimes include, and the same packages for handlers that run on this machine.

Registered handlers, `cfn test` and `cfn invoke` use the same: the toolkit's own installation if its versions run on
the handlers' Python, otherwise an installation by pip, one per Python version, in the cache.

The reasons are in docs/decisions/0405.
"""

import importlib.util
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from formwork.languages.python.installing import Installation, InstallSettings, install_once
from formwork.toolchain.python import Interpreter

# Import name → distribution, the same in all runtimes since python3.6: the AWS SDK and its dependencies.
_SDK = {
    "boto3": "boto3",
    "botocore": "botocore",
    "s3transfer": "s3transfer",
    "jmespath": "jmespath",
    "dateutil": "python-dateutil",
    "six": "six",
    "urllib3": "urllib3",
}
_RUNTIME = re.compile(r"(?:python)?3\.(\d+)", re.ASCII)
_OLDEST_MINOR, _NEWEST_MINOR = 6, 14
# pip installs the other packages as its dependencies.
_INSTALLATION = Installation(("boto3",), "boto3, which Lambda includes,")
_USES_SESSION = rb"\b_?sess(?:ion)?\s*\.\s*(?:client|resource)\s*\("
_OLDEST_PYTHON = re.compile(r">=\s*3\.(\d+)")
_HANDLER_LIBRARY = "cloudformation_cli_python_lib"


class RuntimePackages(Struct, frozen=True):
    """Single packages with the folders that contain them, and folders whose packages can all be imported."""

    packages: Mapping[str, Path]
    paths: tuple[Path, ...] = ()


def lambda_distributions(python: str) -> frozenset[str]:
    """Return the distributions that Lambda's runtime for `python` ("3.12" or "python3.12") includes.

    Empty for a version whose runtime is unknown.
    """
    found = _RUNTIME.fullmatch(python)
    known = found is not None and _OLDEST_MINOR <= int(found[1]) <= _NEWEST_MINOR
    return frozenset(_SDK.values()) if known else frozenset()


def is_included(module: str) -> bool:
    """Return whether Lambda's Python runtimes include the module with this name."""
    return module.partition(".")[0] in _SDK


def provide_runtime_packages(
    interpreter: Interpreter, folders: Iterable[Path], settings: InstallSettings
) -> RuntimePackages:
    """Return the packages that Lambda adds to the code in `folders`; packages in `folders` take precedence.

    pip is needed only where the toolkit's versions don't run on `interpreter` and the code names one of the packages.

    Raises:
        EnvironmentProblemError: pip failed, or is unavailable.
    """
    folders = tuple(folders)
    missing = [name for name in _SDK if not any(_contains(folder, name) for folder in folders)]
    packages = _toolkit_packages(interpreter)
    if packages:
        return RuntimePackages({name: packages[name] for name in missing})
    if not missing or not any(_mentions(folder, missing) for folder in folders):
        return RuntimePackages({})
    return RuntimePackages({}, (install_once(_INSTALLATION, interpreter, settings),))


def folder_of(module: str) -> Path | None:
    """Return the folder that contains a top-level module of the toolkit's environment."""
    spec = importlib.util.find_spec(module)
    return Path(spec.origin).parents[1 if spec.submodule_search_locations else 0] if spec and spec.origin else None


def _toolkit_packages(interpreter: Interpreter) -> dict[str, Path]:
    """Return the toolkit's own packages by name; empty if one is missing or does not run on `interpreter`."""
    found = {name: folder for name in _SDK if (folder := folder_of(name)) is not None}
    if len(found) < len(_SDK):
        return {}
    if interpreter.minor != sys.version_info[1]:
        import importlib.metadata  # noqa: PLC0415 - 22 ms, needed for other Pythons only

        for distribution in _SDK.values():
            needed = str(importlib.metadata.metadata(distribution).json.get("requires_python", ""))
            oldest = _OLDEST_PYTHON.search(needed)
            if oldest and interpreter.minor < int(oldest[1]):
                return {}
    return found


def _contains(folder: Path, module: str) -> bool:
    return (folder / module).is_dir() or (folder / f"{module}.py").is_file()


def _mentions(folder: Path, names: Sequence[str]) -> bool:
    """Return whether a file in `folder` uses its session, which needs boto3, or names one of the packages.

    The toolkit's handler library is not read: it imports boto3 only for handlers that use their session.
    """
    words = "|".join(f"import {name}" if name == "six" else name for name in names)
    pattern = re.compile(rb"\b(?:%s)\b|%s" % (words.encode(), _USES_SESSION))
    library = folder / _HANDLER_LIBRARY
    own = library if (library / "shapes.py").is_file() else None
    for path in folder.rglob("*.py"):
        if own is not None and own in path.parents:
            continue
        try:
            if pattern.search(path.read_bytes()):
                return True
        except OSError:
            continue
    return False
