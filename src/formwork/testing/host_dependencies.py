"""What a server in this process takes from outside: variables for tools, and folders."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from formwork.command_context.places import cache_folder, home_folder


@dataclass(frozen=True, slots=True)
class HostDependencies:
    """The variables that pip, npm, Go and Maven run with, the folder that keeps what they make, and the user's home."""

    environment: Mapping[str, str]
    cache: Path
    home: Path


def process_dependencies() -> HostDependencies:
    """Return those of this process, as commands have them."""
    return HostDependencies(dict(os.environ), cache_folder(), home_folder())
