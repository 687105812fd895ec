"""Resources made by a type's own handlers."""

from collections.abc import Mapping
from typing import Any

from formwork.engine.outcomes import Outcome, read_outcome
from formwork.engine.provisioning.provisioner import HandlerCall
from formwork.invoke import CredentialSource, HandlerSession, HandlerTransport
from formwork.registry.scope import Scope
from formwork.schema import ResourceSchema


class HandlerProvisioner:
    """Calls handlers over a transport, as the service does."""

    note = None

    def __init__(  # noqa: PLR0913 - what the service knows about a call
        self,
        schema: ResourceSchema,
        transport: HandlerTransport,
        *,
        scope: Scope,
        version: str,
        credentials: CredentialSource,
        type_configuration: Mapping[str, Any] | None = None,
    ) -> None:
        self.schema = schema
        self.version: str | None = version
        self._session = HandlerSession(
            transport,
            schema.type_name,
            account=scope.account,
            region=scope.region,
            partition=scope.partition,
            type_version=version,
            credentials=credentials,
            type_configuration=type_configuration,
        )

    def invoke(self, call: HandlerCall) -> Outcome:
        """See `Provisioner.invoke`."""
        exchange = self._session.invoke(
            call.action,
            call.desired,
            call.previous,
            token=call.token,
            logical_id=call.logical_id or None,
            callback_context=call.context,
            next_token=call.next_token,
            tags=call.tags,
            previous_tags=call.previous_tags,
            system_tags=call.system_tags,
            stack_id=call.stack_id,
        )
        return read_outcome(call.action, exchange.event, exchange.problem)
