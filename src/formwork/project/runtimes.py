"""The languages of projects and the Lambda runtimes they name: which there are, which are outdated, what to use.

`.rpdk-config` names a language by the incumbent's plugin (`python311`, `java`, `go`, `typescript`) and a runtime as
Lambda does (`python3.11`).
"""

import re

# The handler library runs on these, newest last.
PYTHON_VERSIONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")

# Outdated language → the one to use. Lambda no longer creates functions on their runtimes.
OUTDATED_LANGUAGES = {"python36": "python312", "python37": "python312", "python38": "python312"}

# Outdated runtime → its successor.
OUTDATED_RUNTIMES = {
    "python2.7": "python3.12",
    "python3.6": "python3.12",
    "python3.7": "python3.12",
    "python3.8": "python3.12",
    "java8": "java8.al2",
    "go1.x": "provided.al2023",
    "nodejs10.x": "nodejs22.x",
    "nodejs12.x": "nodejs22.x",
    "nodejs14.x": "nodejs22.x",
    "nodejs16.x": "nodejs22.x",
}

_PYTHON_RUNTIME = re.compile(r"python(3\.[0-9]{1,2})")


def python_language(version: str) -> str:
    """`python311` for "3.11"."""
    return "python" + version.replace(".", "")


def python_version_of(runtime: str | None) -> str | None:
    """The version in `python3.11`, "3.11"; None where the runtime is no Python."""
    found = _PYTHON_RUNTIME.fullmatch(runtime or "")
    return found.group(1) if found else None
