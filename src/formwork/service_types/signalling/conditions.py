"""`WaitConditionHandle` and `WaitCondition`: a stack that goes on when enough programs have told it to.

Source: CloudFormation user guide, "Create wait conditions in a CloudFormation template"; the texts are the service's.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.provisioning import HandlerCall, OwnProvisioner, OwnTypes
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import ask_again, load_own_schema
from formwork.service_types.signalling.handles import Handle, parse_handle, render_handle
from formwork.stacks.store.signals import SignalRecord, delete_signals, list_signals

_VALID_SECONDS = 24 * 3600
HANDLE_TYPE = "AWS::CloudFormation::WaitConditionHandle"
CONDITION_TYPE = "AWS::CloudFormation::WaitCondition"


class WaitConditions:
    """Both types for an engine whose service answers at `address`."""

    def __init__(self, engine: Engine, address: Callable[[], str]) -> None:
        self._engine = engine
        self._address = address

    def add_to(self, own: OwnTypes) -> None:
        """Have them found among the own types."""
        own.add(HANDLE_TYPE, self._handles)
        own.add(CONDITION_TYPE, self._conditions)

    def _handles(self, scope: Scope, type_name: str) -> OwnProvisioner:
        handlers = {
            "CREATE": lambda call: self._create_handle(scope, call),
            "UPDATE": lambda call: Succeeded(call.desired),
            "DELETE": self._delete_handle,
        }
        return OwnProvisioner(load_own_schema(type_name), handlers, plain=True)

    def _conditions(self, _scope: Scope, type_name: str) -> OwnProvisioner:
        def refuse(_call: HandlerCall) -> Outcome:
            return Failed("NotUpdatable", f"Update to resource type {type_name} is not supported.", plain=True)

        handlers = {"CREATE": self._wait, "UPDATE": refuse, "DELETE": lambda _: Succeeded(None)}
        return OwnProvisioner(load_own_schema(type_name), handlers, plain=True)

    # -- handles

    def _create_handle(self, scope: Scope, call: HandlerCall) -> Outcome:
        signature = (call.context or {}).get("signature")
        if signature is None:  # kept before anybody sees it: asked again, it is the same
            expires = int(self._engine.settings.now()) + _VALID_SECONDS
            return ask_again(call, None, signature=secrets.token_urlsafe(24), expires=expires)
        stack_arn = call.stack_id or ""
        assert call.context is not None
        handle = Handle(stack_arn.rpartition("/")[2], call.logical_id, str(signature), int(call.context["expires"]))
        return Succeeded({"Id": render_handle(self._address(), scope, stack_arn, handle)})

    def _delete_handle(self, call: HandlerCall) -> Outcome:
        handle = parse_handle(str((call.desired or {}).get("Id", "")))
        if handle is not None:
            with self._engine.database.begin() as connection:
                delete_signals(connection, handle.stack_id, handle.logical_id)
        return Succeeded(None)

    # -- conditions

    def _wait(self, call: HandlerCall) -> Outcome:
        properties: Mapping[str, Any] = call.desired or {}
        model = {**properties, "Id": f"{call.stack_id}/{call.logical_id}"}
        if "Handle" not in properties:  # its CreationPolicy says what it waits for
            return Succeeded({**model, "Data": "{}"})
        handle = parse_handle(properties["Handle"])
        if handle is None:
            return Failed(
                "InvalidRequest", f"{properties['Handle']} is not the URL of a wait condition handle", plain=True
            )
        if call.context is None:
            return ask_again(call, model, began=self._engine.settings.now())
        with self._engine.database.read() as connection:
            signals = list_signals(connection, handle.stack_id, handle.logical_id)
        return self._judge(call, model, signals, float(call.context["began"]))

    def _judge(self, call: HandlerCall, model: Mapping[str, Any], signals: list[SignalRecord], began: float) -> Outcome:
        expected = int(model.get("Count", 1))
        for each in signals:
            if not each.succeeded:
                told = f"WaitCondition received failed message: '{each.reason or ''}' for uniqueId: {each.unique_id}"
                return Failed("NotStabilized", told, model, plain=True)
        if len(signals) >= expected:
            data = {each.unique_id: each.data or "" for each in signals}
            return Succeeded({**model, "Data": json.dumps(data, separators=(",", ":"))})
        if self._engine.settings.now() >= began + int(model.get("Timeout", 0)):
            told = f"WaitCondition timed out. Received {len(signals)} conditions when expecting {expected}"
            return Failed("NotStabilized", told, model, plain=True)
        return ask_again(call, model)
