"""What is to be written, as values: nothing here touches a disk."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Policy(StrEnum):
    """Who owns a file: Formwork, which writes it again, or the author, who is given it once."""

    MANAGED = "managed"
    SEED = "seed"


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file's text and who owns it afterwards.

    With `sweeps`, files of the same folder and suffix that begin with the same line, and that the plan doesn't name,
    are leftovers of earlier runs (the page of a definition that is gone): they are removed.
    """

    text: str
    policy: Policy
    sweeps: bool = False


# Path relative to the project's folder, with "/" between its parts → the file.
Plan: TypeAlias = Mapping[str, PlannedFile]


def managed(text: str, *, sweeps: bool = False) -> PlannedFile:
    """Return a file that every run writes again."""
    return PlannedFile(text, Policy.MANAGED, sweeps)


def seed(text: str) -> PlannedFile:
    """Return a file that is written once and is the author's from then on."""
    return PlannedFile(text, Policy.SEED)
