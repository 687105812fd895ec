"""The gate of a run: opens a route for each handler process, and has every request answered as the run's rules say.

SDKs older than AWS_ENDPOINT_URL, and clients that were given an endpoint by hand, call AWS itself; other clients call
any host. On Linux a process can have a network of its own, in which every name leads here. Elsewhere its variables name
a proxy, and Node's connections are redirected in the process (languages/typescript/aws_gate.cjs); clients that ignore
both escape.

The reasons are in docs/decisions/0703 and 1328.
"""

import threading
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from formwork.egress.aws_errors import aws_error, no_aws_error
from formwork.egress.destinations import Destination, Destinations
from formwork.egress.environments import (
    AUTHORITY_FILE,
    BUNDLE_FILE,
    JAVA_STORE_FILE,
    JAVA_STORE_PASSWORD,
    proxy_environment,
    sealed_environment,
)
from formwork.egress.forwarding import UnreachableError, forward
from formwork.egress.iam_actions import read_call
from formwork.egress.messages import BrokenConnectionError, NoRecordingError, Outgoing, Reply, Responder
from formwork.egress.names import NameMap
from formwork.egress.process_route import ProcessRoute
from formwork.egress.refusals import RefusalCause, RefusedCall, refusal_warning
from formwork.egress.trusted_certificates import trusted_by_the_system
from formwork.lambda_host.namespace import namespaces_exist, resolver_files
from formwork.lambda_host.outgoing_calls import AnsweredBy, AwsCall, OutgoingCall
from formwork.lambda_host.way_out import NamespaceRequest
from formwork.private_files.temporary import TemporaryFolder

if TYPE_CHECKING:
    from formwork.egress.authority import RunAuthority  # it needs `cryptography`, which may be absent

_WEB_PORTS = (80, 443)
_BAD_GATEWAY = 502
_FORBIDDEN = 403
_NOT_IMPLEMENTED = 501


def _tell_nobody(_what: object) -> None:
    pass


class Gate:
    """Answers the requests of a run's handler processes until `close`; a `WayOut` for their host.

    Set `around` to have another responder between the rules and who answers: a recorder, or injected faults.
    """

    def __init__(  # noqa: PLR0913 - one callback for each kind of event
        self,
        destinations: Destinations,
        credentials: Mapping[str, str],
        *,
        seal: bool = False,
        refused: Callable[[RefusedCall], None] = _tell_nobody,
        called: Callable[[OutgoingCall], None] = _tell_nobody,
        unsealed: Callable[[str], None] = _tell_nobody,
    ) -> None:
        """`credentials` are the variables of handlers' AWS credentials.

        With `seal` processes get a network of their own where the machine allows it; `unsealed` receives the
        reason where it does not. `refused` receives one call for each host and cause, `called` every call.
        """
        self.destinations = destinations
        self.names = NameMap()
        self.around: Callable[[Responder], Responder] = lambda responder: responder
        self._credentials = dict(credentials)
        self._seals = seal and namespaces_exist()
        self._refused = refused
        self._called = called
        self._unsealed = unsealed
        self._told: set[tuple[str, int, RefusalCause]] = set()
        self._lock = threading.Lock()
        self._folder = TemporaryFolder("gate")
        self.authority = self._make_authority()
        self._resolver = resolver_files(self._folder.path) if self._seals else {}
        if seal and not self._seals:
            unsealed("this system has no network namespaces")

    # -- the way out of a host's processes

    def open(self, runtime: str) -> ProcessRoute:
        """Return the way out of a new process of a Lambda runtime."""
        route = ProcessRoute(self, self._called, sealed=self._seals)
        trust = self._folder.path if self.authority is not None else None
        if self._seals:
            route.environment = sealed_environment(runtime, trust, self.destinations)
            if self.authority is not None and runtime.startswith("java"):
                others = trusted_by_the_system() if self.destinations.may_tunnel else b""
                store = self.authority.java_trust_store(JAVA_STORE_PASSWORD, others)
                (self._folder.path / JAVA_STORE_FILE).write_bytes(store)
            route.namespace = NamespaceRequest(tuple(sorted({*_WEB_PORTS, *self.destinations.ports})), self._resolver)
        else:
            route.environment = proxy_environment(runtime, trust, route, self.destinations)
        route.environment = {**self._credentials, **route.environment}
        return route

    def without_namespaces(self, reason: str) -> None:
        """Note that processes can't have a network of their own."""
        if self._seals:
            self._seals = False
            self._unsealed(reason)

    @property
    def is_sealed(self) -> bool:
        """Whether processes have a network of their own, as far as is known."""
        return self._seals

    def close(self) -> None:
        """Remove the files written for handler processes; their routes are closed with the processes."""
        self._folder.remove()

    # -- requests

    def answer(self, outgoing: Outgoing, note: Callable[[OutgoingCall], None], *, endpoint: bool = False) -> Reply:
        """Answer one request as the rules say, and `note` it; `endpoint` says that it came by AWS_ENDPOINT_URL.

        Raises:
            BrokenConnectionError: the connection is to break without a reply.
        """
        started = time.monotonic()
        aws = read_call(outgoing)
        destination = self.destinations.destination(outgoing, aws, endpoint=endpoint)
        if isinstance(destination, RefusalCause):
            reply, by, reason = self._refuse(outgoing, aws, destination), AnsweredBy.REFUSED, destination.value
        else:
            if endpoint and destination.responder is None:
                outgoing = _named_for(outgoing, destination.origin)
            try:
                reply, by, reason = self._ask(outgoing, destination, aws)
            except BrokenConnectionError as broken:
                note(_call_of(outgoing, aws, started, None, (AnsweredBy.FAULT, str(broken))))
                raise
        note(_call_of(outgoing, aws, started, reply.status, (by, reason)))
        return reply

    def _ask(self, outgoing: Outgoing, destination: Destination, aws: AwsCall | None) -> tuple[Reply, AnsweredBy, str]:
        responder = destination.responder or (lambda given: forward(given, destination.origin))
        try:
            reply = self.around(responder)(outgoing)
        except NoRecordingError as error:
            self.report_refusal(RefusedCall(outgoing.host, outgoing.port, RefusalCause.NOT_RECORDED, detail=str(error)))
            return self._not_recorded(outgoing, aws, str(error)), AnsweredBy.REFUSED, RefusalCause.NOT_RECORDED.value
        except UnreachableError as error:
            body = f"{destination.origin} does not answer: {error}".encode()
            reply = Reply(_BAD_GATEWAY, body, (("Content-Type", "text/plain"),))
            return reply, destination.answered_by, str(error)
        return reply, AnsweredBy.FAULT if reply.fault else destination.answered_by, reply.fault

    @staticmethod
    def _not_recorded(outgoing: Outgoing, aws: AwsCall | None, message: str) -> Reply:
        if aws is not None:
            return aws_error(outgoing.request, aws, _FORBIDDEN, "FormworkNoRecording", message)
        return Reply(_NOT_IMPLEMENTED, message.encode(), (("Content-Type", "text/plain"),))

    def _refuse(self, outgoing: Outgoing, aws: AwsCall | None, cause: RefusalCause) -> Reply:
        call = RefusedCall(outgoing.host, outgoing.port, cause, f"{outgoing.request.method} {outgoing.request.path}")
        if aws is not None and cause is RefusalCause.NO_AWS:
            return no_aws_error(outgoing.request, aws)  # which says itself what to do
        self.report_refusal(call)
        return Reply(_FORBIDDEN, f"Formwork {refusal_warning(call)}".encode(), (("Content-Type", "text/plain"),))

    def refuse_connection(
        self, host: str, port: int, cause: RefusalCause, note: Callable[[OutgoingCall], None]
    ) -> None:
        """Report a connection that was refused before a request could be read, and `note` it."""
        self.report_refusal(RefusedCall(host, port, cause))
        note(OutgoingCall(host, port, None, None, None, None, 0.0, AnsweredBy.REFUSED, cause.value))

    def report_refusal(self, call: RefusedCall) -> None:
        """Report a refused call, once for each host and cause."""
        key = (call.host, call.port, call.cause)
        with self._lock:
            known = key in self._told
            self._told.add(key)
        if not known:
            self._refused(call)

    def _make_authority(self) -> "RunAuthority | None":
        """None without `cryptography`, which the base install lacks; and where nothing is answered over TLS."""
        if self.destinations.permits_nothing or find_spec("cryptography") is None:
            return None
        from formwork.egress.authority import RunAuthority  # noqa: PLC0415 - see above

        authority = RunAuthority(self.destinations.certified_domains())
        folder = self._folder.path
        (folder / AUTHORITY_FILE).write_bytes(authority.certificate)
        (folder / BUNDLE_FILE).write_bytes(trusted_by_the_system() + b"\n" + authority.certificate)
        return authority


def _call_of(
    outgoing: Outgoing, aws: AwsCall | None, started: float, status: int | None, answered: tuple[AnsweredBy, str]
) -> OutgoingCall:
    milliseconds = (time.monotonic() - started) * 1000
    request = outgoing.request
    return OutgoingCall(
        outgoing.host, outgoing.port, request.method, request.path, aws, status, milliseconds, *answered
    )


def _named_for(outgoing: Outgoing, origin: str) -> Outgoing:
    """Return a request that came by AWS_ENDPOINT_URL with the Host header of the stand-in instead of the route's."""
    headers = {**outgoing.request.headers, "host": urlsplit(origin).netloc}
    return replace(outgoing, request=replace(outgoing.request, headers=headers))
