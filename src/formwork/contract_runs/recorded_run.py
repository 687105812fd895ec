"""What a recording has beside its calls: how the contract run went, so that a replay makes the same requests."""

import argparse
import json
import random
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from formwork.command_context.output import CommandOutput
from formwork.contract_runs.options import EFFORTS
from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location

if TYPE_CHECKING:
    from formwork.contract.pace import Pace

FILE = "run.json"
_FORMAT = 1


class RecordedRun(Struct, frozen=True):
    """The seed, what was asked for, and the decisions by the clock of a recorded run."""

    seed: int
    effort: str
    examples: int | None
    decisions: dict[str, list[bool]]


def read_recorded_run(folder: Path) -> RecordedRun | None:
    """Return how the contract run went that recorded `folder`; None for calls of another command.

    Raises:
        BadInputError: the file is not one of ours.
    """
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        value: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        decisions = {str(question): [bool(each) for each in taken] for question, taken in value["decisions"].items()}
        recorded = RecordedRun(int(value["seed"]), str(value["effort"]), value["examples"], decisions)
        known = value["run"] == _FORMAT
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        recorded, known = RecordedRun(0, "", None, {}), False
    if not known:
        message = f"{FILE} does not say how the run went that was recorded"
        hint = "record the calls again, or remove the file: calls are then matched one by one"
        raise BadInputError.of("cassette.run", message, location=Location(str(file)), hint=hint)
    return recorded


def settle_recorded_run(arguments: argparse.Namespace, output: CommandOutput) -> "Pace | None":
    """Set seed, effort and examples from the recording unless options give them; return the recorded decisions.

    Raises:
        BadInputError: its file is not one of ours.
    """
    if arguments.replay is None:
        return None
    recorded = read_recorded_run(arguments.replay)
    if recorded is None:
        return None
    from formwork.contract.pace import Pace

    for name in ("seed", "effort", "examples"):
        given, was = getattr(arguments, name), getattr(recorded, name)
        if name == "effort" and arguments.profile in EFFORTS:
            given = arguments.profile
        if given is None:
            setattr(arguments, name, was)
        elif given != was:
            output.say(f"warning: {arguments.replay} was recorded with --{name} {was}: other requests have no answers")
    return Pace(recorded.decisions)


def write_recorded_run(arguments: argparse.Namespace, seed: int, pace: "Pace") -> None:
    """Write beside the recorded calls how the run went.

    Raises:
        EnvironmentProblemError: the folder cannot be written.
    """
    value = {
        "run": _FORMAT,
        "seed": seed,
        "effort": arguments.effort,
        "examples": arguments.examples,
        "decisions": pace.decisions,
    }
    file = arguments.record / FILE
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value) + "\n", encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblemError(f'"{file}" cannot be written: {error.strerror or error}') from None


class PartTokens:
    """The client request tokens of a recorded run. Its replay has the same ones, since handlers make names of them.

    Each part of the run has tokens of its own, so that a replay may leave parts out.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._times: dict[str, int] = {}
        self._source = random.Random(seed)  # noqa: S311 - the tokens of tests

    def begin(self, name: str) -> str:
        """Begin a part (a test, or the same test with other inputs), and return its name in recordings."""
        times = self._times[name] = self._times.get(name, 0) + 1
        part = name if times == 1 else f"{name} ({times})"
        self._source = random.Random(f"{self._seed} {part}")  # noqa: S311 - as above
        return part

    def __call__(self) -> str:
        """Return the next token."""
        return str(uuid.UUID(int=self._source.getrandbits(128), version=4))
