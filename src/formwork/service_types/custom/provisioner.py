"""`AWS::CloudFormation::CustomResource` and `Custom::*`: made by a function of the template's author.

Source: CloudFormation user guide, "Create custom provisioning logic with custom resources"; texts are the service's.
"""

import secrets
from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.engine.deployed.resource_values import NO_ECHO
from formwork.engine.engine import Engine
from formwork.provisioning import HandlerCall, OwnProvisioner, OwnTypes
from formwork.provisioning.functions.finding import FunctionInvoker
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import OwnHandlers, ServiceAddress, ask_again, load_own_schema
from formwork.service_types.custom.answers import CustomResourceAnswers, FunctionAnswer
from formwork.service_types.custom.asking import IDENTIFIER, Expected, render_response_url, request_event
from formwork.service_types.custom.invoking import Invocations
from formwork.service_types.nesting.children import child_name
from formwork.stacks.store.records import CUSTOM_TYPE

_MOST_SECONDS = 3600
_NO_ANSWER = (
    "CloudFormation did not receive a response from your Custom Resource. Please check your logs for requestId [{}]. "
    "If you are using the Python cfn-response module, you may need to update your Lambda function code so that "
    "CloudFormation can attach the updated version."
)


class CustomResources:
    """The provisioner of custom resources, by both type names, for an engine whose service answers at `address`."""

    def __init__(self, engine: Engine, address: ServiceAddress, functions: FunctionInvoker) -> None:
        self._engine = engine
        self._address = address
        self._invocations = Invocations(functions)

    def add_to(self, own: OwnTypes) -> None:
        """Add the type and the namespace `Custom` to the own types."""
        own.add(CUSTOM_TYPE, self)
        own.add("Custom::*", self)

    def provisioner(self, scope: Scope, type_name: str) -> OwnProvisioner:
        """See `OwnType.provisioner`."""
        handlers = _CustomResourceHandlers(self._engine, self._address, self._invocations, scope, type_name)
        return OwnProvisioner(load_own_schema(CUSTOM_TYPE), handlers, plain=True, renames=True)


class _CustomResourceHandlers(OwnHandlers):
    """The handlers of one type name in an account and Region: each sends a request to the author's function."""

    def __init__(
        self, engine: Engine, address: ServiceAddress, invocations: Invocations, scope: Scope, type_name: str
    ) -> None:
        self._engine = engine
        self._address = address
        self._answers = CustomResourceAnswers(engine.database)
        self._invocations = invocations
        self._scope = scope
        self._type_name = type_name

    def create(self, call: HandlerCall) -> Outcome:
        """Have the function create the resource."""
        return self._request(call)

    def update(self, call: HandlerCall) -> Outcome:
        """Have the function update the resource."""
        return self._request(call)

    def delete(self, call: HandlerCall) -> Outcome:
        """Have the function delete the resource."""
        return self._request(call)

    def _request(self, call: HandlerCall) -> Outcome:
        now = self._engine.settings.now()
        context = call.context or {}
        if "signature" not in context:
            return self._begin(call, now)
        expected = Expected((call.stack_id or "").rpartition("/")[2], call.token, str(context["signature"]))
        self._answers.expect(expected, now)
        answer = self._answers.find(expected)
        problem = None if answer is not None else self._send(call, context)
        if answer is None and problem is None:
            if now < float(context["until"]):
                return ask_again(call, call.desired, sent=self._is_sent(call, context))
            problem = _NO_ANSWER.format(call.token)
        self._invocations.forget(call.token)
        if answer is None:
            answer = FunctionAnswer(succeeded=False, reason=problem or "", physical_id=None, data={})
        return self._outcome(call, answer)

    def _begin(self, call: HandlerCall, now: float) -> Outcome:
        properties = self._properties(call)
        previous = call.previous_properties or {}
        if call.action == "UPDATE" and previous.get("ServiceToken") != properties.get("ServiceToken"):
            return Failed("NotUpdatable", "Modifying service token is not allowed.", plain=True)
        try:
            seconds = min(_MOST_SECONDS, max(1, int(properties.get("ServiceTimeout", _MOST_SECONDS))))
        except (TypeError, ValueError):
            seconds = _MOST_SECONDS
        return ask_again(call, call.desired, signature=secrets.token_urlsafe(24), until=now + seconds)

    def _send(self, call: HandlerCall, context: Mapping[str, Any]) -> str | None:
        """Send the request unless it was sent before; return the error, or None."""
        if context.get("sent"):
            return None
        properties = self._properties(call)
        url = render_response_url(self._address.read_address(), self._scope, call, str(context["signature"]))
        event = request_event(call, self._type_name, url, properties, self._resolved(call.previous_properties or {}))
        under_way = self._invocations.send(self._scope, str(properties.get("ServiceToken")), event)
        return under_way.result() if under_way.done() else None

    def _is_sent(self, call: HandlerCall, context: Mapping[str, Any]) -> bool:
        """Return whether the function has accepted the request, so that it need not be sent again after a crash."""
        return bool(context.get("sent")) or self._invocations.is_done(call.token)

    def _properties(self, call: HandlerCall) -> Mapping[str, Any]:
        return self._resolved(call.properties)

    def _resolved(self, properties: Mapping[str, Any]) -> Mapping[str, Any]:
        resolved: Mapping[str, Any] = self._engine.settings.references.resolve(self._scope, dict(properties))
        return resolved

    def _outcome(self, call: HandlerCall, answer: FunctionAnswer) -> Outcome:
        current = (call.desired or {}).get(IDENTIFIER)
        identifier = answer.physical_id or current or self._invented(call)
        model = {**answer.data, IDENTIFIER: identifier, **({NO_ECHO: True} if answer.no_echo else {})}
        if not answer.succeeded:
            kept = model if call.action == "CREATE" else None
            return Failed("GeneralServiceException", answer.reason, kept, plain=True)
        return Succeeded(None if call.action == "DELETE" else model)

    def _invented(self, call: HandlerCall) -> str:
        """Invent the physical id of a resource that failed before its function gave one, for its delete request."""
        stack = self._engine.lookups.describe_stack(self._scope, call.stack_id or "")
        return child_name(stack.name, call.logical_id, call.token)
