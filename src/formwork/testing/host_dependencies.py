"""What a server in this process takes from outside: variables for tools, and folders."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from formwork.command_context.places import cache_folder, home_folder


class HostDependencies(Struct, frozen=True):
    """The variables that pip, npm, Go and Maven run with, the folder that keeps what they make, and the user's home."""

    environment: Mapping[str, str]
    cache: Path
    home: Path


def process_dependencies() -> HostDependencies:
    """Return those of this process, as commands have them."""
    return HostDependencies(dict(os.environ), cache_folder(), home_folder())
