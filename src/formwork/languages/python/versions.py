"""The versions of Python that handlers run on, as `.rpdk-config` and Lambda name them."""

import re

# The handler library runs on these, newest last.
PYTHON_VERSIONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

_PYTHON_RUNTIME = re.compile(r"python(3\.[0-9]{1,2})")


def python_language(version: str) -> str:
    """Return `python311` for "3.11"."""
    return "python" + version.replace(".", "")


def python_version_of(runtime: str | None) -> str | None:
    """Return the version in `python3.11`, "3.11"; None where the runtime is not a Python."""
    found = _PYTHON_RUNTIME.fullmatch(runtime or "")
    return found.group(1) if found else None
