"""The entry point of a resource type's handlers: Lambda calls the `Resource` with CloudFormation's request.

The reasons are in docs/decisions/0104.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .boto3_proxy import SessionProxy, _get_boto_session
from .configuration import expect_model, read_type_configuration
from .envelope import Members, is_enveloped, partition_of, unpack
from .exceptions import InternalFailure
from .interface import Action, BaseModel, BaseResourceHandlerRequest, ProgressEvent
from .invocation import Prepared, answer, expect_event, expect_synchronous, write_response
from .observation import Observation, observe
from .redaction import Redaction

if TYPE_CHECKING:
    import logging

    from .metrics import MetricsPublisher

HandlerSignature = Callable[[Any, Any, MutableMapping[str, Any]], ProgressEvent]
H = TypeVar("H", bound=HandlerSignature)


class Resource:
    """The handlers of one resource type, called as CloudFormation calls them.

    A handler takes `(session, request, callback_context)` and returns a ProgressEvent:

        resource = Resource("Acme::Store::Thing", ResourceModel, TypeConfigurationModel)

        @resource.handler(Action.CREATE)
        def create(session, request, callback_context): ...
    """

    def __init__(
        self,
        type_name: str,
        resouce_model_cls: type[BaseModel],  # spelled so in the published API
        type_configuration_model_cls: type[BaseModel] | None = None,
        log_format: logging.Formatter | None = None,
    ) -> None:
        self.type_name = type_name
        self.log_format = log_format
        self._model_cls = resouce_model_cls
        self._type_configuration_model_cls = type_configuration_model_cls
        self._handlers: MutableMapping[Action, HandlerSignature] = {}

    def handler(self, action: Action) -> Callable[[H], H]:
        """Register the decorated function for this action and leave it as it is."""

        def register(function: H) -> H:
            self._handlers[action] = function
            return function

        return register

    def __call__(self, event_data: Mapping[str, Any], context: Any) -> MutableMapping[str, Any]:
        """Answer one request of the protocol (version 2.0.0); never raises."""
        event = answer(lambda redact: self._prepare(unpack(event_data), redact), context)
        return write_response(event, ProgressEvent.failed)

    def test_entrypoint(self, event: Mapping[str, Any], context: Any) -> MutableMapping[str, Any]:
        """Answer a request without an envelope: `{credentials, action, request, callbackContext, region}`.

        One in CloudFormation's envelope is answered as `__call__` does.
        """
        if is_enveloped(event):
            return self(event, context)
        answered = answer(lambda redact: self._prepare_test(unpack(event), redact), context)
        return write_response(answered, ProgressEvent.failed)

    def _prepare(self, envelope: Members, redact: Redaction) -> Prepared:
        """Read a request in CloudFormation's envelope."""
        action = envelope.one_of("action", Action)
        data = envelope.members("requestData")
        account, region = envelope.required("awsAccountId"), envelope.required("region")
        token, stack_id = envelope.required("bearerToken"), envelope.text("stackId")
        logical_id = data.text("logicalResourceId")
        credentials = data.credentials("callerCredentials")
        redact.add(credentials.secrets() if credentials else ())
        request = BaseResourceHandlerRequest(
            clientRequestToken=token,
            desiredResourceState=self._model(data.object("resourceProperties") or {}),
            previousResourceState=self._model(data.object("previousResourceProperties")),
            desiredResourceTags=data.object("stackTags") or {},
            previousResourceTags=data.object("previousStackTags"),
            systemTags=data.object("systemTags"),
            previousSystemTags=data.object("previousSystemTags"),
            awsAccountId=account,
            logicalResourceIdentifier=logical_id,
            typeConfiguration=self._type_configuration(data.object("typeConfiguration")),
            nextToken=envelope.text("nextToken"),
            region=region,
            awsPartition=partition_of(region),
            stackId=stack_id,
        )
        redact.add_write_only(request.desiredResourceState, request.previousResourceState, request.typeConfiguration)
        observation = observe(
            action,
            data,
            type_name=self.type_name,
            region=region,
            stream=f"{stack_id}/{logical_id}" if stack_id and logical_id else f"{account}-{region}",
            redact=redact,
            token=token,
            log_format=self.log_format,
            make_metrics=self._make_metrics,
        )
        call = self._call(action, _get_boto_session(credentials, region), request, envelope.object("callbackContext"))
        return Prepared(call, observation)

    def _prepare_test(self, envelope: Members, redact: Redaction) -> Prepared:
        """Read a request that names the members of the handler's request directly."""
        action = envelope.one_of("action", Action)
        asked = envelope.members("request")
        credentials = envelope.credentials("credentials")
        redact.add(credentials.secrets() if credentials else ())
        region = asked.text("region") or envelope.text("region")
        request = BaseResourceHandlerRequest(
            clientRequestToken=asked.text("clientRequestToken") or "",
            desiredResourceState=self._model(asked.object("desiredResourceState") or {}),
            previousResourceState=self._model(asked.object("previousResourceState")),
            desiredResourceTags=asked.object("desiredResourceTags"),
            previousResourceTags=asked.object("previousResourceTags"),
            systemTags=asked.object("systemTags"),
            previousSystemTags=asked.object("previousSystemTags"),
            awsAccountId=asked.text("awsAccountId"),
            logicalResourceIdentifier=asked.text("logicalResourceIdentifier"),
            typeConfiguration=self._type_configuration(asked.object("typeConfiguration")),
            nextToken=asked.text("nextToken"),
            region=region,
            awsPartition=asked.text("awsPartition") or partition_of(region),
            stackId=asked.text("stackId"),
        )
        redact.add_write_only(request.desiredResourceState, request.previousResourceState, request.typeConfiguration)
        session = _get_boto_session(credentials, envelope.text("region") or region)
        return Prepared(self._call(action, session, request, envelope.object("callbackContext")), Observation(action))

    def _call(
        self,
        action: Action,
        session: SessionProxy | None,
        request: BaseResourceHandlerRequest,
        callback_context: dict[str, Any] | None,
    ) -> Callable[[], ProgressEvent]:
        """What calls the action's handler; a type without one fails the request, not the reading of it."""

        def call() -> ProgressEvent:
            handler = self._handlers.get(action)
            if handler is None:
                raise InternalFailure(f"No handler for {action.name}")
            event = expect_event(handler(session, request, callback_context or {}), action.name)
            return expect_synchronous(event, action)

        return call

    def _model(self, properties: dict[str, Any] | None) -> BaseModel | None:
        return None if properties is None else expect_model(self._model_cls, properties)

    def _type_configuration(self, configuration: dict[str, Any] | None) -> BaseModel | None:
        return read_type_configuration(self.type_name, self._type_configuration_model_cls, configuration)

    def _make_metrics(self, session: SessionProxy) -> MetricsPublisher:
        from .metrics import MetricsPublisher  # noqa: PLC0415 - only where the provider's credentials came along

        return MetricsPublisher(session, self.type_name)
