"""Signals to resources: the operation SignalResource, and what is put at URLs that this service gave out."""

from collections.abc import Callable

from formwork.api.caller import Caller
from formwork.api.cloudformation.stacks import Input, Output, answer_stacks
from formwork.api.dispatch import Handler
from formwork.api.signals import PUT_SIGNAL
from formwork.api.wire.errors import ApiError
from formwork.aws.scope import Scope
from formwork.service_types.custom.answers import CustomResourceAnswers
from formwork.service_types.custom.asking import PREFIX
from formwork.service_types.signalling.receiving import Signals
from formwork.stacks.errors import StackError


def signal_operations(
    signals: Signals, answers: CustomResourceAnswers, now: Callable[[], float]
) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""

    def signal_resource(scope: Scope, request: Input) -> Output:
        signals.signal_resource(
            scope, request["StackName"], request["LogicalResourceId"], request["UniqueId"], request["Status"]
        )
        return {}

    def put(_caller: Caller, request: Input) -> Output:
        try:
            if request["place"].startswith(PREFIX):
                answers.receive(request["place"], request["body"], now())
            else:
                signals.receive(request["place"], request["body"])
        except StackError as error:
            raise ApiError(error.code, error.message, status=error.status) from error
        return {}

    return {("cloudformation", "SignalResource"): answer_stacks(signal_resource), PUT_SIGNAL: put}
