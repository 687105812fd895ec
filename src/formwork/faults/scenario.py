"""Scenarios: one operation with one failure; which there are, and how they are named."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from formwork.contract.memory import Effort
from formwork.diagnostics import UsageError
from formwork.egress.faults.fault import FAULTS, PERSISTENCES, Fault, FaultKind, Injection, Persistence
from formwork.egress.faults.observing import SeenCall

ACTIONS = ("CREATE", "READ", "UPDATE", "DELETE", "LIST")
_DONE_TO_CALL = {
    FaultKind.THROTTLE: "with {} throttled",
    FaultKind.SERVER_ERROR: "with {} failing in the service",
    FaultKind.TIMEOUT: "with {} unanswered",
    FaultKind.RESET: "with the connection of {} reset",
    FaultKind.SLOW: "with {} answered late",
    FaultKind.STALE: "with {} not showing the last write yet",
    FaultKind.DENIED: "with {} denied",
    FaultKind.EXPIRED: "with {} refused for expired credentials",
    FaultKind.KILL: "killed {} {}",
}


class Scenario(Struct, frozen=True):
    """An operation of `action` in which a call fails; `str` gives its id, as `--faults` takes it."""

    action: str
    injection: Injection

    def __str__(self) -> str:
        """Return the id: `create/iam PutRolePolicy#1/kill-after`."""
        call = self.injection
        return f"{self.action.lower()}/{call.call}#{call.occurrence}/{call.fault}"

    @property
    def told(self) -> str:
        """The scenario in words: ``with `iam PutRolePolicy` throttled``."""
        fault, call = self.injection.fault, f"`{self.injection.call}`"
        if fault.kind is FaultKind.KILL:
            return f"killed {fault.persistence} {call}"
        always = " each time" if fault.persistence is Persistence.ALWAYS else ""
        return _DONE_TO_CALL[fault.kind].format(call) + always


class WantedFaults(Struct, frozen=True):
    """The value of `--faults`: kinds of failures, or scenarios by their ids where `scenarios` has any."""

    kinds: tuple[FaultKind, ...]
    scenarios: tuple[Scenario, ...] = ()


def parse_faults(text: str) -> WantedFaults:
    """Parse `--faults`: "all", kinds separated by commas, or the id of one scenario.

    Raises:
        UsageError: it is none of these.
    """
    if "/" in text:
        return WantedFaults((), (_parse_scenario(text),))
    if text == "all":
        return WantedFaults(tuple(FaultKind))
    kinds = []
    for name in text.split(","):
        if name not in set(FaultKind):
            raise UsageError(
                f'--faults: "{name}" is not a kind of failure', hint=f"of {', '.join(FaultKind)}, separated by commas"
            )
        kinds.append(FaultKind(name))
    return WantedFaults(tuple(dict.fromkeys(kinds)))


def _parse_scenario(text: str) -> Scenario:
    action, _, rest = text.partition("/")
    named, _, fault = rest.rpartition("/")
    call, _, number = named.rpartition("#")
    if action.upper() not in ACTIONS or fault not in FAULTS or not call or not number.isdecimal() or int(number) < 1:
        raise UsageError(
            f'--faults: "{text}" is not a scenario', hint="as a report names it: create/iam PutRolePolicy#1/kill-after"
        )
    return Scenario(action.upper(), Injection(call, int(number), FAULTS[fault]))


def planned(
    sound: Mapping[str, Sequence[SeenCall]], wanted: WantedFaults, effort: Effort
) -> tuple[list[Scenario], list[str]]:
    """Return the scenarios for the calls of a sound run, by action, and descriptions of those that are left out.

    Quick: each kind once for each distinct call. Thorough: every way of every kind, for every call.
    """
    if wanted.scenarios:
        return list(wanted.scenarios), []
    scenarios: list[Scenario] = []
    repeated = 0
    for action in ACTIONS:
        for place in _places(sound.get(action, ())):
            if effort is Effort.QUICK and place.occurrence != place.first:
                repeated += 1
                continue
            faults = _faults_for(place, wanted.kinds, effort)
            scenarios += [Scenario(action, Injection(place.call.name, place.occurrence, fault)) for fault in faults]
    left = []
    if effort is Effort.QUICK:
        if repeated:
            left.append(f"{repeated} repeated calls: the first of each name fails")
        persistences = [str(Fault(kind, each)) for kind in wanted.kinds for each in PERSISTENCES[kind][1:]]
        persistences = [each for each in persistences if not each.startswith("kill") and not each.endswith("-always")]
        if persistences:
            left.append(f"{', '.join(persistences)}, and -always but for reads: --effort thorough has them")
    return scenarios, left


class _Place(Struct, frozen=True):
    """The call number `occurrence` of its name; `first` is the number of the first that is like it."""

    call: SeenCall
    occurrence: int
    first: int


def _places(seen: Iterable[SeenCall]) -> Iterator[_Place]:
    counts: dict[str, int] = {}
    first: dict[tuple[str, bool], int] = {}
    for call in seen:
        number = counts[call.name] = counts.get(call.name, 0) + 1
        yield _Place(call, number, first.setdefault((call.name, call.reads and call.after_write), number))


def _faults_for(place: _Place, kinds: Sequence[FaultKind], effort: Effort) -> Iterator[Fault]:
    for kind in kinds:
        if kind is FaultKind.STALE and not (place.call.reads and place.call.after_write):
            continue
        persistences = PERSISTENCES[kind]
        if effort is Effort.QUICK and kind is not FaultKind.KILL:
            # A poll without a limit shows only where its answer never changes.
            polls = place.call.reads and kind is FaultKind.THROTTLE
            persistences = (persistences[0], Persistence.ALWAYS) if polls else persistences[:1]
        yield from (Fault(kind, persistence) for persistence in persistences)
