"""Node.js and npm."""

from collections.abc import Mapping
from pathlib import Path

from formwork.toolchain.tool import Tool, ask_version, find_executable, missing, outdated

OLDEST_NODE = (20,)
_INSTALL = "install Node.js 20 or 22 with npm (https://nodejs.org), or your system's packages nodejs and npm"


def find_node(environment: Mapping[str, str]) -> Tool:
    """Node on the PATH of `environment`.

    Raises:
        EnvironmentProblemError: there is none, or it is older than the handlers' runtimes.
    """
    path = find_executable("node", environment)
    version = ask_version(path, "--version", environment) if path is not None else None
    if path is None or version is None:
        raise missing("Node.js", "TypeScript handlers run on it", _INSTALL)
    tool = Tool(path, version)
    if version < OLDEST_NODE:
        raise outdated("Node.js", tool, "Node.js 20")
    return tool


def find_npm(environment: Mapping[str, str]) -> Path:
    """The npm on the PATH of `environment`; its version is not asked: any that comes with a supported Node will do.

    Raises:
        EnvironmentProblemError: there is none.
    """
    path = find_executable("npm", environment)
    if path is None:
        raise missing("npm", "it installs what TypeScript handlers are built with", _INSTALL)
    return path
