"""Plans: files to write, as values; nothing here touches a disk (docs/decisions/0303)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct


class Policy(StrEnum):
    """Whether Formwork owns a file and rewrites it, or the author owns it and it is written once."""

    MANAGED = "managed"
    SEED = "seed"


class PlannedFile(Struct, frozen=True):
    """A file's text and who owns it afterwards.

    With `sweeps`, files in the same folder with the same suffix and first line that the plan does not name are removed:
    they were written by earlier runs (the page of a definition that was removed since).
    """

    text: str
    policy: Policy
    sweeps: bool = False


# Path relative to the project's folder, with "/" between its parts → the file.
Plan: TypeAlias = Mapping[str, PlannedFile]


def managed(text: str, *, sweeps: bool = False) -> PlannedFile:
    """Return a file that each run overwrites."""
    return PlannedFile(text, Policy.MANAGED, sweeps)


def seed(text: str) -> PlannedFile:
    """Return a file that is written once and then belongs to the author."""
    return PlannedFile(text, Policy.SEED)
