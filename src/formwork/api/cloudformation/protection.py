"""Stack policies and termination protection between botocore's shapes and the engine's own values."""

from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stack_requests import StackRequests
from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.engine.protection import Protection
from formwork.stacks.errors import StackError

Input = Mapping[str, Any]
Output = Mapping[str, Any]


def protection_operations(protection: Protection, requests: StackRequests) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""

    def set_policy(scope: Scope, request: Input) -> Output:
        text = requests.policy(scope, request, "StackPolicy")
        if text is None:
            raise StackError("You must specify either StackPolicyURL or StackPolicyBody")
        protection.set_policy(scope, request["StackName"], text)
        return {}

    def get_policy(scope: Scope, request: Input) -> Output:
        return {"StackPolicyBody": protection.get_policy(scope, request["StackName"])}

    def protect(scope: Scope, request: Input) -> Output:
        enabled = bool(request["EnableTerminationProtection"])
        return {"StackId": protection.protect(scope, request["StackName"], enabled=enabled)}

    named: dict[str, Callable[[Scope, Input], Output]] = {
        "SetStackPolicy": set_policy,
        "GetStackPolicy": get_policy,
        "UpdateTerminationProtection": protect,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}
