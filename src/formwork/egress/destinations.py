"""Where the calls of a run's handlers go, by host: what is decided before a request is read, and after."""

import re
from collections.abc import Callable, Iterable
from enum import Enum

from msgspec import Struct

from formwork.egress.messages import Outgoing, Responder
from formwork.egress.refusals import RefusalCause
from formwork.lambda_host.outgoing_calls import AnsweredBy, AwsCall
from formwork.request_guard import API_SUFFIXES, HostKind, kind_of_host

# With the region: a bucket may have the service's name.
_CLOUDFORMATION = re.compile(r"cloudformation(-fips)?\.[a-z]+(-[a-z]+)+-\d+\.", re.IGNORECASE)
REAL_AWS = "real"
_HTTP_PORTS = frozenset({80, 443})


class Opening(Enum):
    """How a connection to an allowed host is treated."""

    READ = "TLS ends here, and each request is answered"
    TUNNEL = "bytes are passed on unread"


class Destination(Struct, frozen=True):
    """Who answers a request: `responder` where one is given, else the server at the URL `origin`."""

    answered_by: AnsweredBy
    origin: str = ""
    responder: Responder | None = None


class HostDestination(Struct, frozen=True):
    """What a rule says of a host that is not AWS's: the host itself answers where `responder` is None."""

    answered_by: AnsweredBy
    responder: Responder | None = None


class Destinations(Struct, frozen=True):
    """The destinations of a run's calls.

    `aws_responder` answers calls for AWS where one is given; else `aws` is the URL of what stands in for AWS, or
    `REAL_AWS`, or None where they are refused. `cloudformation` is the endpoint of CloudFormation's API where that is
    another one, and `of_service` gives what a rule says of a service and a Region: "none", a URL, or another value for
    `aws`. `of_host` gives what a rule says of another host and port, None without a rule. `open` says whether hosts
    without a rule are reached, their bytes unread. `ports` are those that rules name, and `domains` the hosts.
    """

    aws: str | None
    cloudformation: str | None = None
    of_host: Callable[[str, int], HostDestination | None] = lambda _host, _port: None
    of_service: Callable[[str, str], str | None] = lambda _service, _region: None
    aws_responder: Responder | None = None
    open: bool = True
    ports: tuple[int, ...] = ()
    domains: tuple[str, ...] = ()

    @property
    def permits_nothing(self) -> bool:
        """Whether every request is refused that would need TLS ended."""
        return self.reaches_all or (not self.has_aws and not self.domains)

    @property
    def has_aws(self) -> bool:
        """Whether calls for AWS are answered by anything but a refusal."""
        return self.aws is not None or self.aws_responder is not None

    @property
    def reaches_all(self) -> bool:
        """Whether every call reaches its host, unread: AWS is meant, and no rule says otherwise."""
        return self.open and self.aws == REAL_AWS and self.aws_responder is None and not self.domains

    @property
    def may_tunnel(self) -> bool:
        """Whether some connections may be tunnelled unread, with the certificates of their hosts."""
        return self.open or self.aws == REAL_AWS or bool(self.ports)

    def certified_domains(self) -> Iterable[str]:
        """Return the domains that the run's authority certifies hosts of."""
        return (*(API_SUFFIXES if self.has_aws else ()), *(each.removeprefix("*.") for each in self.domains))

    def decide(self, host: str, port: int, *, certificates: bool) -> Opening | RefusalCause:
        """Return how a connection is treated; `certificates` says whether TLS can end here."""
        kind = kind_of_host(host, port)
        if kind is HostKind.THIRD_PARTY:
            return self._decide_other(host, port, certificates=certificates)
        if self.aws == REAL_AWS and self.aws_responder is None:
            return Opening.READ if certificates and kind is HostKind.AWS_API else Opening.TUNNEL
        if kind is HostKind.OTHER_AWS:
            return RefusalCause.NOT_AN_API
        if not self.has_aws:
            return RefusalCause.NO_AWS
        return Opening.READ if certificates or port != 443 else RefusalCause.NO_CERTIFICATES

    def _decide_other(self, host: str, port: int, *, certificates: bool) -> Opening | RefusalCause:
        found = self.of_host(host, port)
        if found is None:
            if self.open:
                return Opening.TUNNEL
            return RefusalCause.NOT_ALLOWED if port in _HTTP_PORTS else RefusalCause.NOT_HTTP
        if found.answered_by is AnsweredBy.REFUSED:
            return RefusalCause.NOT_ALLOWED
        if found.responder is None:
            readable = certificates or port == 80
            return Opening.READ if readable and port in _HTTP_PORTS else Opening.TUNNEL
        return Opening.READ if certificates or port != 443 else RefusalCause.NO_CERTIFICATES

    def destination(self, outgoing: Outgoing, aws: AwsCall | None, *, endpoint: bool) -> Destination | RefusalCause:
        """Return who answers a request; `endpoint` says that it came by AWS_ENDPOINT_URL, without AWS's host name."""
        if endpoint or kind_of_host(outgoing.host, outgoing.port) is not HostKind.THIRD_PARTY:
            return self._aws_destination(outgoing, aws, endpoint=endpoint)
        found = self.of_host(outgoing.host, outgoing.port)
        if found is None:
            return Destination(AnsweredBy.REAL, _origin(outgoing)) if self.open else RefusalCause.NOT_ALLOWED
        if found.answered_by is AnsweredBy.REFUSED:
            return RefusalCause.NOT_ALLOWED
        return Destination(found.answered_by, _origin(outgoing), found.responder)

    def _aws_destination(
        self, outgoing: Outgoing, aws: AwsCall | None, *, endpoint: bool
    ) -> Destination | RefusalCause:
        if self.aws_responder is not None:
            return Destination(AnsweredBy.CASSETTE, responder=self.aws_responder)
        ruled = None if aws is None else self.of_service(aws.service, aws.region)
        if ruled == "none" or (self.aws is None and not _is_url(ruled)):
            return RefusalCause.NO_AWS
        if ruled is not None and _is_url(ruled):
            return Destination(AnsweredBy.STAND_IN, ruled)
        if self.aws is None or self.aws == REAL_AWS:
            return Destination(AnsweredBy.AWS, _origin(outgoing))
        named = endpoint and aws is not None and aws.service == "cloudformation"
        asks_cloudformation = named or _CLOUDFORMATION.match(outgoing.host)
        return Destination(AnsweredBy.STAND_IN, (self.cloudformation if asks_cloudformation else None) or self.aws)


def _is_url(value: str | None) -> bool:
    return value is not None and value.startswith(("http://", "https://"))


def _origin(outgoing: Outgoing) -> str:
    host = f"[{outgoing.host}]" if ":" in outgoing.host else outgoing.host
    return f"{outgoing.scheme}://{host}:{outgoing.port}"
