"""What a command says of the calls of its handlers, and the gate that it makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from formwork.aws import local_credentials
from formwork.egress.destinations import REAL_AWS, Destinations, HostDestination
from formwork.egress.gate import Gate
from formwork.egress.messages import Responder
from formwork.egress.refusals import RefusedCall
from formwork.lambda_host.outgoing_calls import OutgoingCall

_ENDPOINT, _CLOUDFORMATION = "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_CLOUDFORMATION"


def _tell_nobody(_what: object) -> None:
    pass


def _no_rule(_host: str, _port: int) -> HostDestination | None:
    return None


def _no_service_rule(_service: str, _region: str) -> str | None:
    return None


def _directly(responder: Responder) -> Responder:
    return responder


@dataclass(frozen=True, slots=True)
class EgressSettings:
    """How the calls of handlers are treated.

    With `seal` processes get a network of their own where the machine allows it, and hosts without a rule are refused;
    else these are reached. `of_host` gives the rule of a host and port, `domains` and `ports` are those that rules
    name. `of_service` gives what a rule says of a service of AWS and a Region: "none", a URL, or another value where
    the run's AWS answers; `aws_responder` answers all calls of AWS in its place. `around` comes between the rules and
    who answers; `begin` names the part of the run that follows to those that record and replay. `refused` receives one
    call for each host and cause, `called` every call, `unsealed` the reason why processes have no network of their own.
    """

    seal: bool = False
    of_host: Callable[[str, int], HostDestination | None] = _no_rule
    of_service: Callable[[str, str], str | None] = _no_service_rule
    aws_responder: Responder | None = None
    domains: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    around: Callable[[Responder], Responder] = _directly
    begin: Callable[[str], None] = _tell_nobody
    refused: Callable[[RefusedCall], None] = _tell_nobody
    called: Callable[[OutgoingCall], None] = _tell_nobody
    unsealed: Callable[[str], None] = _tell_nobody


def local_aws_environment(endpoint_url: str) -> dict[str, str]:
    """Return the variables that lead a process's AWS calls to `endpoint_url`, with credentials of no account."""
    return {_ENDPOINT: endpoint_url, **local_credentials().to_environment()}


def open_gate(aws_environment: Mapping[str, str] | None, settings: EgressSettings) -> Gate:
    """Return the gate of a run; the caller closes it.

    `aws_environment` are the variables for AWS (credentials) or its stand-in (AWS_ENDPOINT_URL too); None refuses
    every call.
    """
    given = dict(local_credentials().to_environment() if aws_environment is None else aws_environment)
    endpoint, cloudformation = given.pop(_ENDPOINT, None), given.pop(_CLOUDFORMATION, None)
    destinations = Destinations(
        aws=None if aws_environment is None else endpoint or REAL_AWS,
        cloudformation=cloudformation,
        of_host=settings.of_host,
        of_service=settings.of_service,
        aws_responder=settings.aws_responder,
        open=not settings.seal,
        ports=settings.ports,
        domains=settings.domains,
    )
    gate = Gate(
        destinations,
        given,
        seal=settings.seal,
        refused=settings.refused,
        called=settings.called,
        unsealed=settings.unsealed,
    )
    gate.around = settings.around
    return gate
