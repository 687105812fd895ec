"""The local Lambda service: AWS's Runtime API towards handler processes, its Invoke API towards clients."""

from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.host import LambdaHost, UnknownFunctionError
from formwork.lambda_host.outcome import Outcome, OutcomeKind
from formwork.lambda_host.pool import HostSettings

__all__ = [
    "HostSettings",
    "LambdaFunction",
    "LambdaHost",
    "Launch",
    "Outcome",
    "OutcomeKind",
    "UnknownFunctionError",
]
