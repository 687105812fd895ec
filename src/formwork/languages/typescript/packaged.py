"""Runs registered packages of TypeScript projects: compiled code with its modules."""

import sys
from pathlib import Path

from formwork.lambda_host.function import Launch
from formwork.languages.interface import LaunchSettings, UnpackedPackage
from formwork.languages.typescript.launch import node_launch
from formwork.project.config import ProjectConfig
from formwork.toolchain.node import find_node

_SUFFIXES = (".js", ".mjs", ".cjs")


def missing(package: UnpackedPackage, handler: str) -> str | None:
    """Return the handler's file if it is missing."""
    stem = handler.rpartition(".")[0]
    found = any((package.handler / f"{stem}{suffix}").is_file() for suffix in _SUFFIXES)
    return None if found else f"file {stem}.js"


def launch(package: UnpackedPackage, _config: ProjectConfig, settings: LaunchSettings, _temporary: Path) -> Launch:
    """Return the launch on the installed Node."""
    node = find_node(settings.user_environment)
    return node_launch(node.executable, task_root=package.handler)


def loads_like_lambda(package: UnpackedPackage, _config: ProjectConfig, settings: LaunchSettings) -> bool:
    """Return whether this is Linux, as compiled modules are for Linux; any supported Node loads the code."""
    find_node(settings.user_environment)
    return sys.platform == "linux" or next(package.handler.rglob("*.node"), None) is None
