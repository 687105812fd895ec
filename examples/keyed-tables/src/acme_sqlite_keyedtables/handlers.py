"""The handlers of Acme::SQLite::KeyedTables."""

from collections.abc import MutableMapping
from typing import Any

from cloudformation_cli_python_lib import (
    HandlerErrorCode,
    Hook,
    HookInvocationPoint,
    OperationStatus,
    ProgressEvent,
    SessionProxy,
    exceptions,
)

from .models import HookHandlerRequest, TypeConfigurationModel

TYPE_NAME = "Acme::SQLite::KeyedTables"
TABLE = "Acme::SQLite::Table"

hook = Hook(TYPE_NAME, TypeConfigurationModel)
test_entrypoint = hook.test_entrypoint


@hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)
@hook.handler(HookInvocationPoint.UPDATE_PRE_PROVISION)
def judge(
    session: SessionProxy | None,
    request: HookHandlerRequest,
    callback_context: MutableMapping[str, Any],
    type_configuration: TypeConfigurationModel | None,
) -> ProgressEvent:
    """Rows of a table without a key can't be told apart: neither one by one nor by who changes them."""
    context = request.hookContext
    if context.targetName != TABLE:
        raise exceptions.InvalidRequest(f"{TYPE_NAME} knows no {context.targetName}")
    table = context.targetModel["resourceProperties"] or {}
    name = table.get("TableName", "")
    exempt = type_configuration is not None and name in (type_configuration.Exempt or ())
    if table.get("PrimaryKey") or exempt:
        return ProgressEvent(status=OperationStatus.SUCCESS, message=f"{name}: {'exempt' if exempt else 'has a key'}")
    return ProgressEvent.failed(
        HandlerErrorCode.NonCompliant, f"the table {name} has no primary key: name its columns in PrimaryKey"
    )
