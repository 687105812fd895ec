"""What a probe is, and how it is run: twice as it is, to see that nothing differs by itself, and once for each change.

Each run has an account of its own, so that all can use the same names on one service.
"""

import copy
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from formwork.api.caller import Caller
from support.member_probes.wire import call_lambda, call_s3
from support.recordings.service import Refused

_REST = {"s3": call_s3, "lambda": call_lambda}

REGION = "us-east-1"
_READS = ("BatchDescribe", "Describe", "Estimate", "Get", "List", "Validate")
ABSENT = object()  # as the value of a change: without the member
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_RANDOM = re.compile(
    r"(?<=-[A-Za-z]-)[A-Za-z0-9]{12,13}\b"  # ends of physical ids: the probes' logical ids are letters
    r"|\b[0-9a-f]{32,128}\b"  # digests, and ids of types
    r"|(?<=i-)[0-9a-f]{17}\b"  # of instances
    r"|(?<=Expires=).*"  # of signed addresses
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T-]\d\d[:-]?\d\d[:-]?\d\d(\.\d+)?(Z|\+00:00)?")
_accounts = itertools.count(731_000_000_001)


class World:
    """One account of the service; `saved` is what its arrangement keeps for requests."""

    def __init__(self, service, name="cloudformation"):
        self.service = service
        self._name = name
        self.account = str(next(_accounts))
        self.saved = {}
        self.region = REGION

    def __call__(self, operation, /, **request):
        """Call an operation; what is refused is raised."""
        if self._name in _REST:
            return _REST[self._name](self, operation, request)
        self.service.caller = self.caller
        return self.service.call(operation, request, of=self._of(operation))

    @property
    def caller(self):
        """The account's root user."""
        return Caller(self.account, self.region, self.account, f"arn:aws:iam::{self.account}:root")

    def _of(self, operation):
        having = [name for name, each in self.service.table if each == operation]
        return self._name if self._name in having else having[0]

    def tried(self, operation, /, **request):
        """The answer, or the error's."""
        try:
            return self(operation, **request)
        except Refused as error:
            return error.answer["Error"]


@dataclass(frozen=True, kw_only=True)
class Probe:
    """`base` is a request of `operation`, `changes` values of its members by their paths, each sent alone.

    A value that is a function is called with the world. `arrange` prepares the account, `look` is what is compared
    besides the answer.
    """

    operation: str
    changes: dict[str, Any]
    base: dict[str, Any] = field(default_factory=dict)
    arrange: Callable[[World], object] = lambda _world: None
    look: Callable[[World], object] = lambda _world: None

    def runs(self, service, name):
        """A function that returns what the service's operation answers and leaves, with the change at a path or as it is.

        All runs of an operation that only reads are in one account.
        """
        shared = self._arranged(service, name) if self.operation.startswith(_READS) else None
        return lambda path=None: self._run(shared or self._arranged(service, name), path)

    def _arranged(self, service, name):
        world = World(service, name)
        self.arrange(world)
        return world

    def _run(self, world, path):
        request = _filled(copy.deepcopy(self.base), world)
        if path is not None:
            _put(request, path.split("."), _filled(self.changes[path], world))
        answer = world.tried(self.operation, **request)
        world.saved["answer"] = answer
        return _normal({"answer": answer, "left": self.look(world)}, world.account)


@dataclass(frozen=True, kw_only=True)
class Refusal(Probe):
    """Its changes are refused, with errors that name the member."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Members whose effect a test shows: `test` is `file::function`, and the function has each member's name."""

    operation: str
    members: tuple[str, ...]
    test: str


def _filled(value, world):
    if callable(value):
        return value(world)
    if isinstance(value, dict):
        return {key: _filled(each, world) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, world) for each in value]
    return value


def _put(target, path, value):
    for step in path[:-1]:
        target = target[step]
        target = target[0] if isinstance(target, list) else target
    if value is ABSENT:
        target.pop(path[-1], None)
    else:
        target[path[-1]] = value


def _normal(value, account):
    """The value without what differs in each run."""
    match value:
        case dict():
            return {str(key): _normal(each, account) for key, each in value.items() if key != "ResponseMetadata"}
        case list() | tuple():
            return [_normal(each, account) for each in value]
        case datetime():
            return "TIME"
        case str():
            for pattern, put in (_UUID, "UUID"), (re.compile(account), "ACCOUNT"), (_TIME, "TIME"), (_RANDOM, "RANDOM"):
                value = pattern.sub(put, value)
    return value
