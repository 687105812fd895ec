"""Ends of stacks and ways out of failures between botocore's shapes and the engine's own values."""

from collections.abc import Callable, Mapping
from typing import Any

from formwork.api.cloudformation.stacks import answer_stacks
from formwork.api.dispatch import Handler
from formwork.aws.scope import Scope
from formwork.engine.deletion import DeleteRequest, delete_stack
from formwork.engine.engine import Engine
from formwork.engine.recovery import Recovery, RollbackRequest

Input = Mapping[str, Any]
Output = Mapping[str, Any]


def recovery_operations(engine: Engine, recovery: Recovery) -> dict[tuple[str, str], Handler]:
    """Return the handlers of these operations, for the table of `api/dispatch.py`."""

    def delete(scope: Scope, request: Input) -> Output:
        asked = DeleteRequest(
            name=request["StackName"],
            token=request.get("ClientRequestToken"),
            retain=tuple(request.get("RetainResources", ())),
            force=request.get("DeletionMode") == "FORCE_DELETE_STACK",
            role_arn=request.get("RoleARN"),
            deployment_config=request.get("DeploymentConfig"),
        )
        delete_stack(engine, scope, asked)
        return {}

    def cancel(scope: Scope, request: Input) -> Output:
        recovery.cancel_update(scope, request["StackName"], token=request.get("ClientRequestToken"))
        return {}

    def roll_back(scope: Scope, request: Input) -> Output:
        arn, operation = recovery.roll_back(scope, _rollback(request))
        return {"StackId": arn, "OperationId": operation}

    def go_on(scope: Scope, request: Input) -> Output:
        recovery.continue_update_rollback(scope, _rollback(request))
        return {}

    named: dict[str, Callable[[Scope, Input], Output]] = {
        "DeleteStack": delete,
        "CancelUpdateStack": cancel,
        "RollbackStack": roll_back,
        "ContinueUpdateRollback": go_on,
    }
    return {("cloudformation", name): answer_stacks(operation) for name, operation in named.items()}


def _rollback(request: Input) -> RollbackRequest:
    return RollbackRequest(
        name=request["StackName"],
        token=request.get("ClientRequestToken"),
        role_arn=request.get("RoleARN"),
        retain_except_on_create=bool(request.get("RetainExceptOnCreate")),
        skip=tuple(request.get("ResourcesToSkip", ())),
        force=bool(request.get("ForceRollback")),
        deployment_config=request.get("DeploymentConfig"),
    )
