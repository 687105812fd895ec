"""The entry point of a hook's handlers: Lambda calls the `Hook` with CloudFormation's request."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .boto3_proxy import SessionProxy, _get_boto_session
from .configuration import read_type_configuration
from .envelope import Members, is_enveloped, unpack
from .exceptions import InternalFailure
from .interface import (
    BaseHookHandlerRequest,
    BaseModel,
    HookContext,
    HookInvocationPoint,
    HookProgressEvent,
    HookStatus,
    ProgressEvent,
)
from .invocation import Prepared, answer, expect_event, write_response
from .observation import Observation, observe
from .payload import fetch_payload
from .redaction import Redaction

if TYPE_CHECKING:
    import logging

    from .metrics import MetricsPublisher

HookHandlerSignature = Callable[[Any, Any, MutableMapping[str, Any], Any], ProgressEvent]
H = TypeVar("H", bound=HookHandlerSignature)


class Hook:
    """The handlers of one hook, called as CloudFormation calls them.

    A handler takes `(session, request, callback_context, type_configuration)` and returns a ProgressEvent:

        hook = Hook("Acme::Store::Hook", TypeConfigurationModel)

        @hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)
        def pre_create(session, request, callback_context, type_configuration): ...
    """

    def __init__(
        self,
        type_name: str,
        type_configuration_model_cls: type[BaseModel],
        log_format: logging.Formatter | None = None,
    ) -> None:
        self.type_name = type_name
        self.log_format = log_format
        self._type_configuration_model_cls = type_configuration_model_cls
        self._handlers: MutableMapping[HookInvocationPoint, HookHandlerSignature] = {}

    def handler(self, invocation_point: HookInvocationPoint) -> Callable[[H], H]:
        """Register the decorated function for this invocation point and leave it as it is."""

        def register(function: H) -> H:
            self._handlers[invocation_point] = function
            return function

        return register

    def __call__(self, event_data: Mapping[str, Any], context: Any) -> MutableMapping[str, Any]:
        """Answer one request of the protocol (version 2.0.0); never raises."""
        token: str | None = None

        def prepare(redact: Redaction) -> Prepared:
            nonlocal token
            envelope = unpack(event_data)
            token = envelope.text("clientRequestToken")
            return self._prepare(envelope, redact)

        event = answer(prepare, context)
        return write_response(_hook_event(event, token), HookProgressEvent.failed)

    def test_entrypoint(self, event: Mapping[str, Any], context: Any) -> MutableMapping[str, Any]:
        """Answer a request without an envelope, with a resource's event (`status`), as the published library does.

        The request is `{credentials, actionInvocationPoint, request, callbackContext, typeConfiguration, region}`.
        One in CloudFormation's envelope is answered as `__call__` does.
        """
        if is_enveloped(event):
            return self(event, context)
        answered = answer(lambda redact: self._prepare_test(unpack(event), redact), context)
        return write_response(answered, ProgressEvent.failed)

    def _prepare(self, envelope: Members, redact: Redaction) -> Prepared:
        """Read a request in CloudFormation's envelope."""
        point = envelope.one_of("actionInvocationPoint", HookInvocationPoint)
        data = envelope.members("requestData")
        token = envelope.required("clientRequestToken")
        credentials = data.credentials("callerCredentials")
        redact.add(credentials.secrets() if credentials else ())
        context = _read_context(envelope, data, point, data.object("targetModel") or _fetch_target(data))
        observation = observe(
            point,
            data,
            type_name=self.type_name,
            region=None,
            stream=_stream(context),
            redact=redact,
            token=token,
            log_format=self.log_format,
            make_metrics=lambda session: self._make_metrics(session, context.awsAccountId),
        )
        request_context = Members(envelope.get("requestContext") or {}, "requestContext")
        call = self._call(
            point,
            _get_boto_session(credentials),
            BaseHookHandlerRequest(token, context),
            request_context.object("callbackContext"),
            self._type_configuration(envelope.object("hookModel")),
        )
        return Prepared(call, observation)

    def _prepare_test(self, envelope: Members, redact: Redaction) -> Prepared:
        """Read a request that names the members of the handler's request directly."""
        point = envelope.one_of("actionInvocationPoint", HookInvocationPoint)
        asked = envelope.members("request")
        credentials = envelope.credentials("credentials")
        redact.add(credentials.secrets() if credentials else ())
        described = asked.members("hookContext")
        context = _read_context(described, described, point, described.object("targetModel") or {})
        call = self._call(
            point,
            _get_boto_session(credentials, envelope.text("region")),
            BaseHookHandlerRequest(asked.text("clientRequestToken") or "", context),
            envelope.object("callbackContext"),
            self._type_configuration(envelope.object("typeConfiguration")),
        )
        return Prepared(call, Observation(point))

    def _call(
        self,
        point: HookInvocationPoint,
        session: SessionProxy | None,
        request: BaseHookHandlerRequest,
        callback_context: dict[str, Any] | None,
        type_configuration: BaseModel | None,
    ) -> Callable[[], ProgressEvent]:
        """What calls the point's handler; a hook without one fails the request, not the reading of it."""

        def call() -> ProgressEvent:
            handler = self._handlers.get(point)
            if handler is None:
                raise InternalFailure(f"No handler for {point.name}")
            return expect_event(handler(session, request, callback_context or {}, type_configuration), point.name)

        return call

    def _type_configuration(self, configuration: dict[str, Any] | None) -> BaseModel | None:
        return read_type_configuration(self.type_name, self._type_configuration_model_cls, configuration)

    def _make_metrics(self, session: SessionProxy, account: str) -> MetricsPublisher:
        from .metrics import HookMetricsPublisher  # noqa: PLC0415 - only where the provider's credentials came along

        return HookMetricsPublisher(session, self.type_name, account)


def _read_context(
    envelope: Members, data: Members, point: HookInvocationPoint, target_model: Mapping[str, Any]
) -> HookContext:
    """The hook's context; in an envelope what describes the target stands in `requestData`."""
    return HookContext(
        awsAccountId=envelope.required("awsAccountId"),
        stackId=envelope.text("stackId") or "",
        hookTypeName=envelope.text("hookTypeName") or "",
        hookTypeVersion=envelope.text("hookTypeVersion") or "",
        invocationPoint=point,
        targetName=data.required("targetName"),
        targetType=data.text("targetType") or "RESOURCE",
        targetLogicalId=data.text("targetLogicalId") or "",
        targetModel=target_model,
        changeSetId=envelope.text("changeSetId"),
    )


def _fetch_target(data: Members) -> Mapping[str, Any]:
    url = data.text("payload")
    return fetch_payload(url) if url else {}


def _stream(context: HookContext) -> str:
    if context.stackId and context.targetLogicalId:
        return f"{context.stackId}/{context.targetLogicalId}"
    import uuid  # noqa: PLC0415 - only for requests that name neither

    return f"{context.awsAccountId}-{uuid.uuid4()}"


def _hook_event(event: ProgressEvent, token: str | None) -> HookProgressEvent:
    """A handler's event as a hook answers it."""
    return HookProgressEvent(
        hookStatus=HookStatus(event.status),
        errorCode=event.errorCode,
        message=event.message,
        callbackContext=event.callbackContext,
        callbackDelaySeconds=event.callbackDelaySeconds,
        result=event.result,
        clientRequestToken=token,
        annotations=event.annotations,
    )
