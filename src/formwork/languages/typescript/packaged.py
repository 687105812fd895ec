"""Packages of TypeScript projects: compiled, with the modules that they need."""

import sys
from pathlib import Path

from formwork.lambda_host import Launch
from formwork.languages.interface import LaunchSettings, UnpackedPackage
from formwork.languages.typescript.launch import node_launch
from formwork.project.config import ProjectConfig
from formwork.toolchain.node import find_node

_SUFFIXES = (".js", ".mjs", ".cjs")


def missing(package: UnpackedPackage, handler: str) -> str | None:
    """The file that is not there."""
    stem = handler.rpartition(".")[0]
    found = any((package.handler / f"{stem}{suffix}").is_file() for suffix in _SUFFIXES)
    return None if found else f"file {stem}.js"


def launch(package: UnpackedPackage, _config: ProjectConfig, settings: LaunchSettings, _temporary: Path) -> Launch:
    """The package's handlers on the Node that is installed."""
    node = find_node(settings.user_environment)
    return node_launch(node.executable, task_root=package.handler)


def loads_like_lambda(package: UnpackedPackage, _config: ProjectConfig, settings: LaunchSettings) -> bool:
    """Any supported Node loads them; compiled modules are for Linux."""
    find_node(settings.user_environment)
    return sys.platform == "linux" or next(package.handler.rglob("*.node"), None) is None
