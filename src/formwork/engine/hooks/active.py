"""A hook that looks at an operation, called as the service calls it.

Source: user guide (seed 002), "Developing hooks" (request, response, error codes).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from formwork.aws.stored_values import UnresolvedReferenceError
from formwork.diagnostics.secrets import marked_secrets, mask_text
from formwork.engine.hooks.settings import FailureMode, HookSettings
from formwork.invoke import HandlerSession
from formwork.invoke.operation import UNFINISHED
from formwork.invoke.session import callback_delay
from formwork.registry.scope import Scope

# The invocation point of each action.
POINTS = {
    "CREATE": "CREATE_PRE_PROVISION",
    "UPDATE": "UPDATE_PRE_PROVISION",
    "DELETE": "DELETE_PRE_PROVISION",
}
NON_COMPLIANT = "NonCompliant"


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """One call of a hook for a resource; `token` is the same for every call about one target."""

    action: str
    target_name: str
    logical_id: str
    model: Mapping[str, Any]
    token: str
    stack_id: str
    context: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class HookWaiting:
    """The hook wants to be called again."""

    seconds: float
    context: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class HookPassed:
    """The hook has nothing against it."""

    message: str


@dataclass(frozen=True, slots=True)
class HookFailed:
    """The hook refuses, or, where it is not `compliant` that is in question, failed itself."""

    message: str
    refused: bool


HookOutcome: TypeAlias = HookWaiting | HookPassed | HookFailed


@dataclass(frozen=True, slots=True)
class ActiveHook:
    """A hook that looks at a target, and how its handlers are called."""

    type_name: str
    version: str
    settings: HookSettings
    session: HandlerSession

    @property
    def mode(self) -> FailureMode:
        """What a refusal does."""
        return self.settings.failure_mode

    def invoke(self, call: HookCall) -> HookOutcome:
        """Call the hook once."""
        try:
            request = self.session.hook_request(
                POINTS[call.action],
                call.target_name,
                call.model,
                target_logical_id=call.logical_id,
                token=call.token,
                callback_context=call.context,
                stack_id=call.stack_id,
            )
        except UnresolvedReferenceError as error:  # of its configuration
            return HookFailed(str(error), refused=False)
        exchange = self.session.send(request)
        event = exchange.event
        if event is None:
            return HookFailed(exchange.problem.message if exchange.problem is not None else "", refused=False)
        message = event.get("message") if isinstance(event.get("message"), str) else ""
        message = mask_text(str(message), marked_secrets(request))
        status = event.get("hookStatus", event.get("status"))
        if status in UNFINISHED:
            context = event.get("callbackContext")
            return HookWaiting(max(0.0, callback_delay(event)), context if isinstance(context, Mapping) else None)
        if status == "SUCCESS":
            return HookPassed(message)
        return HookFailed(message, refused=event.get("errorCode") == NON_COMPLIANT)


class Hooks(Protocol):
    """Finds the hooks that look at a target."""

    def find(
        self, scope: Scope, target_name: str, action: str, *, stack_name: str, role: str | None
    ) -> tuple[ActiveHook, ...]:
        """The hooks that are called before `action` (CREATE, UPDATE, DELETE) on a resource of the type."""
        ...


class NoHooks:
    """There are none."""

    def find(
        self, scope: Scope, target_name: str, action: str, *, stack_name: str, role: str | None
    ) -> tuple[ActiveHook, ...]:
        """()."""
        del scope, target_name, action, stack_name, role
        return ()
