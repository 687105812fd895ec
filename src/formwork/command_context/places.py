"""Finds the user's folders: state, cache and configuration."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from formwork.diagnostics.secrets import Secret


def cache_folder() -> Path:
    """Return the folder for what can be made again: FORMWORK_CACHE, else the platform's usual place."""
    named = os.environ.get("FORMWORK_CACHE")
    if named:
        return Path(named).absolute()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home_folder() / "AppData" / "Local") / "formwork" / "cache"
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Caches" / "formwork"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else home_folder() / ".cache") / "formwork"


def state_is_default() -> bool:
    """Return whether the state folder is the platform's usual one."""
    return not os.environ.get("FORMWORK_STATE")


def state_folder() -> Path:
    """Return the folder for what must last, the local registry: FORMWORK_STATE, else the platform's usual place."""
    named = os.environ.get("FORMWORK_STATE")
    if named:
        return Path(named).absolute()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home_folder() / "AppData" / "Local") / "formwork" / "state"
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Application Support" / "formwork"
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else home_folder() / ".local" / "state") / "formwork"


def take_state_key() -> "Secret | None":
    """The key that seals what is secret in the state: FORMWORK_STATE_KEY, else None; handlers do not inherit it."""
    from formwork.diagnostics.secrets import Secret

    given = os.environ.pop("FORMWORK_STATE_KEY", None)
    return Secret(given) if given else None


def home_folder() -> Path:
    """Return the user's home; the working directory for a user that has none."""
    try:
        return Path.home()
    except RuntimeError:
        return Path.cwd()
