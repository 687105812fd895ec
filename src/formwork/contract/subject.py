"""What is put to the proof: a type, its handlers behind a session, the inputs, the limits."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from formwork.contract.bench import DEADLY
from formwork.contract.existing import Existing
from formwork.contract.inputs import Inputs
from formwork.contract.models import Model, has_identifier, without
from formwork.contract.patience import Patience
from formwork.contract.sent_texts import SentTexts
from formwork.invoke import Exchange, HandlerSession, Operation
from formwork.invoke.masking import Masker
from formwork.invoke.retrying import MAX_TRIES
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.defaults import SchemaDefaults

READ_SECONDS = 30.0
WRITE_SECONDS = 60.0
SLOW_CREATE = 0.5  # seconds


class Effort(StrEnum):
    """How much a run may do."""

    QUICK = "quick"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of every loop.

    `read_seconds` and `write_seconds` are what one invocation may take; `patience_calls` is how often an operation may
    be called again without any real waiting; `pages` how many pages a list may have.
    `calling_seconds` is how long calls may go on once an operation has waited its share. `retry_delays` are
    the seconds before each retry of a request that is FAILED with a retriable code: CloudFormation's, a tenth as long.
    `repeats` is how often a violation that costs time is established before the run goes on without paying it again;
    late answers of one action that have cost `late_seconds` are established, too: two of a minute each.
    """

    read_seconds: float = READ_SECONDS
    write_seconds: float = WRITE_SECONDS
    patience_calls: int = 1000
    pages: int = 300
    calling_seconds: float = 60.0
    repeats: int = 3
    late_seconds: float = 100.0
    retry_delays: tuple[float, ...] = tuple(0.1 * 2**attempt for attempt in range(MAX_TRIES - 1))

    @classmethod
    def enforced(cls, seconds: float) -> "Limits":
        """As `--enforce-timeout` has it: read and list take `seconds` at most, create, update and delete twice that."""
        return cls(read_seconds=seconds, write_seconds=2 * seconds)

    @property
    def unlimited(self) -> bool:
        """Whether handlers may take as long as they like: somebody debugs them."""
        return math.isinf(self.write_seconds)

    def seconds_for(self, action: str) -> float:
        """What one invocation of `action` may take."""
        return self.read_seconds if action in {"READ", "LIST"} else self.write_seconds


class ListInput(StrEnum):
    """What a list handler wants in its request, found out once a run."""

    NOTHING = "nothing"
    MODEL = "model"


@dataclass(slots=True)
class Memory:
    """What the run has learnt so far, for all of its tests."""

    late: dict[str, int] = field(default_factory=dict)  # answers after the limit, or never, by action
    late_seconds: dict[str, float] = field(default_factory=dict)  # what those took
    endless: dict[str, int] = field(default_factory=dict)  # operations without an end, by action
    given_up: dict[str, str] = field(default_factory=dict)  # of those that may yet end: how the first was given up
    persisting: dict[str, int] = field(default_factory=dict)  # operations that no retry helped, by action
    list_input: ListInput | None = None
    refuses_conditional: bool = False  # an update that changed a conditionalCreateOnly property was refused
    failed_list: Operation | None = None  # asked for nothing, before it was known what the list handler wants
    leftovers: dict[str, dict[str, Any]] = field(default_factory=dict)
    fastest_create: float | None = None  # seconds for a new resource: the slowest may have started a process
    has_created: bool = False
    violated: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)  # identities that were created and, the handler says, deleted
    made: set[str] = field(default_factory=set)  # identities of everything that tests of this run made
    existing: Existing = field(default_factory=Existing)
    earlier: frozenset[str] | None = None  # identities listed before the first test; None where that was not asked
    seen_read_only: set[PropertyPath] = field(default_factory=set)  # readOnly properties that some answer had
    lacked_read_only: dict[PropertyPath, set[str]] = field(default_factory=dict)  # requests whose answers lacked them

    def has_given_up(self, limits: Limits) -> bool:
        """Whether a handler was late or went on for ever so often that it is not called again."""
        endless = any(each >= limits.repeats for each in self.endless.values())
        return endless or any(self._is_late(action, limits) for action in self.late)

    def _is_late(self, action: str, limits: Limits) -> bool:
        """Whether late answers of the action are established."""
        times, seconds = self.late.get(action, 0), self.late_seconds.get(action, 0.0)
        return times >= limits.repeats or (times > 1 and seconds >= limits.late_seconds)

    def why_not_called(self, action: str, limits: Limits) -> str | None:
        """Why an action is not called again: what its calls cost has been paid often enough; None where it is."""
        if self._is_late(action, limits):
            return f"{action} was late, hung or ended its process more than once and is not called again"
        return self.why_endless(action, limits)

    def why_endless(self, action: str, limits: Limits) -> str | None:
        """Why an action is not called again whose operations do not end; None where it is."""
        if (times := self.endless.get(action, 0)) < limits.repeats:
            return None
        if (why := self.given_up.get(action)) is not None:
            return f"{why}; after {times} times it is not called again"
        return f"{action} never ended {times} times and is not called again"

    def count_late(self, action: str, exchange: Exchange, seconds: float) -> None:
        """Count an answer after more than `seconds`, or one that a process which hung or ended never gave."""
        problem = exchange.problem
        lost = problem is not None and (problem.timed_out or problem.error_type in DEADLY)
        if lost or exchange.answer.seconds > seconds:
            self.late[action] = self.late.get(action, 0) + 1
            self.late_seconds[action] = self.late_seconds.get(action, 0.0) + exchange.answer.seconds


class Subject:
    """A resource type under test. Tests share it; what they create, each keeps to itself."""

    def __init__(  # noqa: PLR0913 - what a run consists of
        self,
        schema: ResourceSchema,
        session: HandlerSession,
        inputs: Inputs,
        *,
        limits: Limits | None = None,
        effort: Effort = Effort.QUICK,
        before_test: Callable[[], None] = lambda: None,
        patience: Patience | None = None,
        memory: Memory | None = None,
        seed: int = 0,
        examples: int | None = None,
    ) -> None:
        """`before_test` is called before each test, for instance to reset a simulated back end.

        `patience` is the session's own sleep and clock, told where an operation begins; `memory` is shared by the
        subjects of one run.
        """
        self.schema = schema
        self.session = session
        self.inputs = inputs
        self.limits = limits or Limits()
        self.effort = effort
        self.before_test = before_test
        self.patience = patience
        self.seed = seed
        self.examples = examples
        self.memory = memory or Memory()
        self.sent_texts = SentTexts(schema)

    def claims(self, *, several: bool = False) -> frozenset[str]:
        """What only one test at a time can have of what the inputs name; `several`: of what all input sets do.

        Two resources with the same input are one too many for a type that keeps a title unique, say, until it is seen
        to have them.
        """
        named = self.inputs.claims(several=several)
        if self.memory.existing.twins is True:
            return named
        alike = self.inputs.likenesses(several=several)
        return named | alike | ({"any"} if self.memory.existing.twins is False and not alike else set())

    @property
    def asks_for_twins(self) -> bool:
        """Whether tests wait for one another until the type is seen to have two resources with the same input."""
        unknown = self.memory.existing.twins is None
        return unknown and self.generated_identifier and bool(self.inputs.likenesses())

    @property
    def creates_slowly(self) -> bool:
        """Whether a create takes so long that a test with every input set would take minutes."""
        return (self.memory.fastest_create or 0.0) > SLOW_CREATE

    @property
    def has_given_up(self) -> bool:
        """Whether a handler is not called again."""
        return self.memory.has_given_up(self.limits)

    @cached_property
    def shape(self) -> Any:
        """The validator for returned models: what clause event.shape judges."""
        return self.schema.shape_validator

    @cached_property
    def _input(self) -> Any:
        return self.schema.input_validator

    @cached_property
    def defaults(self) -> SchemaDefaults:
        """The defaults that the schema declares."""
        return SchemaDefaults(self.schema)

    def is_valid_input(self, model: Model) -> bool:
        """Whether a test may ask for `model`: it is valid, readOnly properties and identifiers aside."""
        plain: Model = model
        for path in self.schema.read_only:
            if "*" not in path:
                plain = without(plain, path)
        return bool(self._input.is_valid(dict(plain)))

    def masker(self) -> Masker:
        """A new masker for what a report shows."""
        return Masker.of_resource(self.schema)

    def concerns(self, clause: str) -> bool:
        """Whether the clause speaks of resource types."""
        return not clause.startswith("hook.")

    def has(self, handler: str) -> bool:
        """Whether the schema declares the handler (`create`)."""
        return handler in self.schema.handlers

    @property
    def generated_identifier(self) -> bool:
        """Whether the service decides the primary identifier, at least a part of it."""
        return any(self.is_read_only(path) for path in self.schema.primary_identifier)

    def is_read_only(self, path: PropertyPath) -> bool:
        """Whether the service decides the value at `path`."""
        return any(path[: len(each)] == each for each in self.schema.read_only)

    def knows_identifier(self, model: Model) -> bool:
        """Whether a create request alone says what the primary identifier will be."""
        return not self.generated_identifier and has_identifier(self.schema, model)
