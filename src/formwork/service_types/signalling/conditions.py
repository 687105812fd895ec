"""`WaitConditionHandle` and `WaitCondition`: a stack that waits until enough programs have signalled.

Source: CloudFormation user guide, "Create wait conditions in a CloudFormation template"; the texts are the service's.
"""

import json
import secrets
from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.provisioning import HandlerCall, OwnProvisioner, OwnTypes
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import OwnHandlers, ServiceAddress, ask_again, load_own_schema
from formwork.service_types.signalling.handles import Handle, parse_handle, render_handle
from formwork.stacks.store.signals import SignalRecord, delete_signals, list_signals

_VALID_SECONDS = 24 * 3600
HANDLE_TYPE = "AWS::CloudFormation::WaitConditionHandle"
CONDITION_TYPE = "AWS::CloudFormation::WaitCondition"


class WaitConditions:
    """The provisioner of wait conditions and their handles for an engine whose service answers at `address`."""

    def __init__(self, engine: Engine, address: ServiceAddress) -> None:
        self._engine = engine
        self._address = address

    def add_to(self, own: OwnTypes) -> None:
        """Add both types to the own types."""
        own.add(HANDLE_TYPE, self)
        own.add(CONDITION_TYPE, self)

    def provisioner(self, scope: Scope, type_name: str) -> OwnProvisioner:
        """See `OwnType.provisioner`."""
        handlers = (
            _WaitHandleHandlers(self._engine, self._address, scope)
            if type_name == HANDLE_TYPE
            else _WaitConditionHandlers(self._engine)
        )
        return OwnProvisioner(load_own_schema(type_name), handlers, plain=True)


class _WaitHandleHandlers(OwnHandlers):
    """Handlers of `WaitConditionHandle` in an account and Region."""

    def __init__(self, engine: Engine, address: ServiceAddress, scope: Scope) -> None:
        self._engine = engine
        self._address = address
        self._scope = scope

    def create(self, call: HandlerCall) -> Outcome:
        """Invent the handle, which is a URL that programs signal at."""
        signature = (call.context or {}).get("signature")
        if signature is None:  # stored before it is shown, so that a repeated call returns the same one
            expires = int(self._engine.settings.now()) + _VALID_SECONDS
            return ask_again(call, None, signature=secrets.token_urlsafe(24), expires=expires)
        stack_arn = call.stack_id or ""
        assert call.context is not None
        handle = Handle(stack_arn.rpartition("/")[2], call.logical_id, str(signature), int(call.context["expires"]))
        return Succeeded({"Id": render_handle(self._address.read_address(), self._scope, stack_arn, handle)})

    def update(self, call: HandlerCall) -> Outcome:
        """Change nothing: the URL stays."""
        return Succeeded(call.desired)

    def delete(self, call: HandlerCall) -> Outcome:
        """Delete the signals that came at the handle."""
        handle = parse_handle(str((call.desired or {}).get("Id", "")))
        if handle is not None:
            with self._engine.database.begin() as connection:
                delete_signals(connection, handle.stack_id, handle.logical_id)
        return Succeeded(None)


class _WaitConditionHandlers(OwnHandlers):
    """Handlers of `WaitCondition`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def create(self, call: HandlerCall) -> Outcome:
        """Wait for as many signals as the condition counts."""
        properties: Mapping[str, Any] = call.desired or {}
        if "Handle" not in properties:  # its CreationPolicy says what it waits for
            return Succeeded({**properties, "Id": f"{call.stack_id}/{call.logical_id}", "Data": "{}"})
        handle = parse_handle(properties["Handle"])
        if handle is None:
            return Failed(
                "InvalidRequest", f"{properties['Handle']} is not the URL of a wait condition handle", plain=True
            )
        model = {**properties, "Id": f"{call.stack_id}/{handle.logical_id}"}  # the service names it after the handle
        if call.context is None:
            return ask_again(call, model, began=self._engine.settings.now())
        with self._engine.database.read() as connection:
            signals = list_signals(connection, handle.stack_id, handle.logical_id)
        return self._judge(call, model, signals, float(call.context["began"]))

    def update(self, call: HandlerCall) -> Outcome:
        """Refuse the update, as the service does."""
        del call
        return Failed("NotUpdatable", f"Update to resource type {CONDITION_TYPE} is not supported.", plain=True)

    def delete(self, call: HandlerCall) -> Outcome:
        """Delete nothing: the signals belong to the handle."""
        del call
        return Succeeded(None)

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
