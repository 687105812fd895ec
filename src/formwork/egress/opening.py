"""The gate that a command's settings make."""

from collections.abc import Mapping

from formwork.aws import local_credentials
from formwork.egress.destinations import REAL_AWS, Destinations
from formwork.egress.gate import Gate
from formwork.egress.settings import ENDPOINT_VARIABLE, EgressSettings

_CLOUDFORMATION = "AWS_ENDPOINT_URL_CLOUDFORMATION"


def open_gate(aws_environment: Mapping[str, str] | None, settings: EgressSettings) -> Gate:
    """Return the gate of a run; the caller closes it.

    `aws_environment` are the variables for AWS (credentials) or its stand-in (AWS_ENDPOINT_URL too); None refuses
    every call.
    """
    given = dict(local_credentials().to_environment() if aws_environment is None else aws_environment)
    endpoint, cloudformation = given.pop(ENDPOINT_VARIABLE, None), given.pop(_CLOUDFORMATION, None)
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
