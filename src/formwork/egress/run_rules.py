"""The rules of a run as destinations: the services that they name are opened, and each host finds its own."""

from pathlib import Path

from formwork.egress.cassettes.replay import Replay, open_replay
from formwork.egress.destinations import HostDestination
from formwork.egress.messages import Responder
from formwork.egress.rules import Allow, Cassette, EgressRules, Refuse, Stub, Treatment
from formwork.egress.stubs.service import StubService, open_stub
from formwork.lambda_host.outgoing_calls import AnsweredBy
from formwork.request_guard import HostKind, is_loopback, kind_of_host

_WEB_PORTS = (80, 443)


class RunRules:
    """The rules of one run; `replays` are the cassettes that answer, by their folder, `stubs` by their rule."""

    def __init__(self, rules: EgressRules, *, replay: Path | None = None) -> None:
        """`replay` is a folder of cassettes that answer for hosts without a rule, AWS's included.

        Raises:
            BadInputError: a document or a folder that a rule names can't be used.
        """
        self._rules = rules
        self.replays: dict[Path, Replay] = {}
        self.stubs: dict[Stub, StubService] = {}
        for rule in rules.hosts:
            self._open(rule.treatment)
        self._replay = None if replay is None else self._opened_replay(replay)

    @property
    def aws_responder(self) -> Responder | None:
        """Return the replay if it contains calls of AWS; None if `--aws` decides who answers."""
        recorded = () if self._replay is None else self._replay.hosts
        return self._replay if any(kind_of_host(host, 443) is HostKind.AWS_API for host in recorded) else None

    @property
    def domains(self) -> tuple[str, ...]:
        """The hosts that are answered here or let through, as certificates name them."""
        named = [each.host for each in self._rules.hosts if not isinstance(each.treatment, Refuse)]
        recorded = () if self._replay is None else self._replay.hosts
        return tuple(dict.fromkeys([*named, *recorded]))

    @property
    def ports(self) -> tuple[int, ...]:
        """The ports that rules name, besides those of the web."""
        return tuple(sorted({each.port for each in self._rules.hosts if each.port is not None} - {*_WEB_PORTS}))

    def of_host(self, host: str, port: int) -> HostDestination | None:
        """Return who answers for a third-party host and port; None if there is no rule for them."""
        for name in _names_of(host):
            if (rule := self._rules.rule_for(name, port)) is not None:
                return self._destination(rule.treatment)
        if self._replay is not None and host in self._replay.hosts:
            return HostDestination(AnsweredBy.CASSETTE, self._replay)
        return None

    def _destination(self, treatment: Treatment) -> HostDestination:
        match treatment:
            case Allow():
                return HostDestination(AnsweredBy.REAL)
            case Stub():
                return HostDestination(AnsweredBy.STUB, self.stubs[treatment])
            case Cassette():
                return HostDestination(AnsweredBy.CASSETTE, self.replays[treatment.folder])
            case Refuse():
                return HostDestination(AnsweredBy.REFUSED)

    def _open(self, treatment: Treatment) -> None:
        if isinstance(treatment, Stub) and treatment not in self.stubs:
            self.stubs[treatment] = open_stub(treatment.document, treatment.exists)
        elif isinstance(treatment, Cassette):
            self._opened_replay(treatment.folder)

    def _opened_replay(self, folder: Path) -> Replay:
        if folder not in self.replays:
            self.replays[folder] = open_replay(folder)
        return self.replays[folder]


def _names_of(host: str) -> tuple[str, ...]:
    """Return the names by which a rule may call a host: a connection to this machine shows only its address."""
    return tuple(dict.fromkeys((host, "localhost", "127.0.0.1", "::1"))) if is_loopback(host) else (host,)
