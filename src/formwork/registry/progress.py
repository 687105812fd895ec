"""RecordHandlerProgress: what handlers of the first protocol version report of their own; accepted and recorded."""

from sqlalchemy import insert, select

from formwork.aws.scope import Scope
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import RegistryError
from formwork.registry.requests import RecordHandlerProgressRequest
from formwork.registry.tables import progress

_ENDED = ("SUCCESS", "FAILED")


def record_handler_progress(parts: RegistryDependencies, scope: Scope, request: RecordHandlerProgressRequest) -> None:
    """Record a report.

    Raises:
        RegistryError: the operation has ended, or is not in the status that the report supposes.
    """
    with parts.database.begin() as connection:
        last = connection.execute(
            select(progress.c.status)
            .where(
                progress.c.account == scope.account,
                progress.c.region == scope.region,
                progress.c.bearer_token == request.bearer_token,
            )
            .order_by(progress.c.id.desc())
            .limit(1)
        ).scalar()
        if last in _ENDED:
            raise RegistryError("InvalidStateTransition", f"The operation has ended with {last}.")
        if request.current_status is not None and last is not None and request.current_status != last:
            raise RegistryError(
                "ConditionalCheckFailed", f"The operation has the status {last}, not {request.current_status}."
            )
        connection.execute(
            insert(progress).values(
                account=scope.account,
                region=scope.region,
                bearer_token=request.bearer_token,
                status=request.status,
                message=request.message,
                error_code=request.error_code,
                model=request.model,
                client_token=request.client_token,
                created=parts.settings.now(),
            )
        )
