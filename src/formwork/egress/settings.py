"""What a command says of the calls of its handlers."""

from collections.abc import Callable

from msgspec import Struct

from formwork.aws import local_credentials
from formwork.egress.destinations import HostDestination
from formwork.egress.messages import Responder
from formwork.egress.refusals import RefusedCall
from formwork.lambda_host.outgoing_calls import OutgoingCall

ENDPOINT_VARIABLE = "AWS_ENDPOINT_URL"


def _tell_nobody(_what: object) -> None:
    pass


def _no_rule(_host: str, _port: int) -> HostDestination | None:
    return None


def _no_service_rule(_service: str, _region: str) -> str | None:
    return None


def _directly(responder: Responder) -> Responder:
    return responder


class EgressSettings(Struct, frozen=True):
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
    return {ENDPOINT_VARIABLE: endpoint_url, **local_credentials().to_environment()}
