"""The supported versions of Python, with the names of `.rpdk-config` and of Lambda."""

import re

# The versions that the handler library supports, newest last.
PYTHON_VERSIONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

_PYTHON_RUNTIME = re.compile(r"python(3\.[0-9]{1,2})")


def python_language(version: str) -> str:
    """Return the language of `.rpdk-config` for a version: `python311` for "3.11"."""
    return "python" + version.replace(".", "")


def python_version_of(runtime: str | None) -> str | None:
    """Return the version of a runtime, "3.11" for `python3.11`; None if it is not Python."""
    found = _PYTHON_RUNTIME.fullmatch(runtime or "")
    return found.group(1) if found else None
