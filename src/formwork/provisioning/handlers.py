"""Resources made by a type's own handlers."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.aws.stored_values import UnresolvedReferenceError
from formwork.invoke import CredentialSource, Exchange, HandlerSession, HandlerTransport
from formwork.invoke.masking import Masker
from formwork.invoke.requests import with_answered_model
from formwork.lambda_host.live_lines import CallWatcher, lines_to
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded, read_outcome
from formwork.provisioning.provisioner import HandlerCall
from formwork.schema import ResourceSchema
from formwork.schema.coercion import parse_texts


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
        resolve: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda configuration: configuration,
        log: Callable[[Exchange], None] = lambda _exchange: None,
        watch: CallWatcher | None = None,
        call_seconds: float | None = None,
    ) -> None:
        """`resolve` fills in the dynamic references of the configuration; see `HandlerSession`.

        `log` gets every exchange, masked, `watch` each call and its lines while it runs. `call_seconds` is how long one
        call may take, None for any time.
        """
        self.schema = schema
        self._log = log
        self._watch = watch
        self._masker = Masker.of_resource(schema)
        self.version: str | None = version
        self._session = HandlerSession(
            transport,
            schema.type_name,
            account=scope.account,
            region=scope.region,
            type_version=version,
            credentials=credentials,
            type_configuration=type_configuration,
            resolve=resolve,
            invocation_timeout=call_seconds,
        )

    def invoke(self, call: HandlerCall) -> Outcome:
        """See `Provisioner.invoke`."""
        try:
            request = self._session.request(
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
        except UnresolvedReferenceError as error:  # of the type's configuration
            return Failed("InvalidTypeConfiguration", str(error))
        if call.answered:
            request = with_answered_model(request, call.desired)
        masker = self._masker.for_one()
        masker.learn(request, call.secrets)
        masker.learn_model(call.desired or {})
        with self._watched(request, masker):
            sent = self._session.send(request)
        exchange = masker.exchange(sent)
        self._log(masker.shown(exchange))
        return self._typed(read_outcome(call.action, exchange.event, exchange.problem))

    def replay(self, request: Mapping[str, Any], *, follow_minutes: float = 0.0) -> list[Exchange]:
        """Send a recorded request once more, with the credentials and the configuration of now; the exchanges, masked.

        Callbacks are followed for `follow_minutes`; without any there is one exchange.

        Raises:
            UnresolvedReferenceError: a dynamic reference of the configuration stands for nothing.
        """
        fresh = self._session.request(str(request.get("action")), None)["requestData"]
        data = request.get("requestData")
        renewed = {name: fresh[name] for name in ("callerCredentials", "typeConfiguration")}
        sent = {**request, "requestData": {**(data if isinstance(data, Mapping) else {}), **renewed}}
        masker = self._masker.for_one()
        masker.learn(sent)
        shown: list[Exchange] = []

        def hear(exchange: Exchange) -> None:
            masker.learn(exchange.request)
            shown.append(masker.shown(masker.exchange(exchange)))
            self._log(shown[-1])

        with self._watched(sent, masker):
            self._session.drive(
                sent, max_reinvoke=None if follow_minutes else 0, timeout_minutes=follow_minutes, hear=hear
            )
        return shown

    @contextlib.contextmanager
    def _watched(self, request: Mapping[str, Any], masker: Masker) -> Iterator[None]:
        """Have calls of the block watched as one."""
        if self._watch is None:
            yield
            return
        with self._watch(masker.request(request), masker.log) as listener, lines_to(listener):
            yield

    def _typed(self, outcome: Outcome) -> Outcome:
        """Return the outcome with its models in the types of the schema: a handler may answer the texts that it got."""
        typed = outcome if outcome.model is None else replace(outcome, model=parse_texts(self.schema, outcome.model))
        if isinstance(typed, Succeeded) and typed.models:
            return replace(typed, models=tuple(parse_texts(self.schema, each) for each in typed.models))
        return typed
