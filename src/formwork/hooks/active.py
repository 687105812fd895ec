"""A hook that looks at an operation, called as the service calls it.

Source: user guide (seed 002), "Developing hooks" (request, response, error codes); the service's hooks guide for stacks
and change sets, whose model is fetched from a URL, and for the limits of time.
"""

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.aws.stored_values import UnresolvedReferenceError
from formwork.hooks.settings import FailureMode, HookSettings
from formwork.hooks.target import HookTarget, TargetKind
from formwork.invoke import Exchange, HandlerSession
from formwork.invoke.masking import Masker
from formwork.invoke.operation import UNFINISHED
from formwork.invoke.session import callback_delay
from formwork.invoke.vocabulary import SKIP_STACK_HOOK
from formwork.schema.configuration_secrets import ConfigurationSecrets

# The invocation point of each action.
POINTS = {
    "CREATE": "CREATE_PRE_PROVISION",
    "UPDATE": "UPDATE_PRE_PROVISION",
    "DELETE": "DELETE_PRE_PROVISION",
}
_AGAIN_SECONDS = 1.0
MOST_CALLS = 4  # the first, and three more while a hook says that it is at work
NON_COMPLIANT = "NonCompliant"


class HookCall(Struct, frozen=True, kw_only=True):
    """One call of a hook; `token` is the same for every call about one target.

    `payload_url` says where the model of a stack or a change set is; `payload` is that model, with the change set's
    `previousTemplate`, for hooks that are evaluated in this process. `write_only` are the places of secrets in
    `model`, `public` the values that its schema names, `secrets` others that no message may repeat.
    """

    target: HookTarget
    model: Mapping[str, Any]
    token: str
    invocation: int = 1
    context: Mapping[str, Any] | None = None
    payload_url: str | None = None
    payload: Mapping[str, Any] | None = None
    write_only: Sequence[Sequence[str]] = ()
    public: frozenset[str] = frozenset()
    secrets: Sequence[str] = ()

    def masker(self, configured: ConfigurationSecrets | None = None) -> Masker:
        """Return what masks the call's secrets; `configured` finds those of the hook's configuration in requests."""
        masker = Masker(self.write_only, public=self.public, configured=configured)
        masker.learn({}, self.secrets)
        for model in self.model.values():  # with the marks that are lost in the request's form
            masker.learn_model(model or {})
        return masker


class HookWaiting(Struct, frozen=True):
    """The hook asks for another call after some seconds."""

    seconds: float
    context: Mapping[str, Any] | None


class HookPassed(Struct, frozen=True):
    """The hook allows the operation; `skips_stack` also allows the change set's later execution."""

    message: str
    annotations: Sequence[Mapping[str, Any]] = ()
    skips_stack: bool = False


class HookFailed(Struct, frozen=True):
    """The hook has `refused` the operation, or failed itself."""

    message: str
    refused: bool
    annotations: Sequence[Mapping[str, Any]] = ()


HookOutcome: TypeAlias = HookWaiting | HookPassed | HookFailed


class ActiveHook(Struct, frozen=True, kw_only=True):
    """An enabled hook, and how its handlers are called.

    `targets` are the patterns of type names of each action's handler; `about` are texts of its schema that notices
    show: description, sourceUrl, documentationUrl; of an activated type also originalTypeName. `open_session` starts
    nothing before the first call, and is None where `evaluate` answers in this process in place of handlers. `log` gets
    every exchange with handlers, masked; `configured` finds the secrets of its configuration. After `most_calls` calls
    it must have answered.
    """

    type_name: str
    type_arn: str
    version: str
    configuration_version: str
    settings: HookSettings
    targets: Mapping[str, Sequence[str]]
    open_session: Callable[[], HandlerSession] | None
    evaluate: Callable[[HookCall], HookOutcome] | None = None
    log: Callable[[Exchange], None] = lambda _exchange: None
    about: Mapping[str, str] = field(default_factory=dict)
    configured: ConfigurationSecrets | None = None
    most_calls: int = MOST_CALLS

    @property
    def mode(self) -> FailureMode:
        """What a failure of the hook does."""
        return self.settings.failure_mode

    def covers(self, target: HookTarget) -> bool:
        """Whether the hook is called for the target: it has the handler, and its configuration matches."""
        names = self.targets.get(target.action)
        if names is None:
            return False
        named = not target.kind.holds_resources or any(fnmatch.fnmatchcase(target.name, each) for each in names)
        return named and self.settings.covers(target)

    def invoke(self, call: HookCall) -> HookOutcome:
        """Call the hook once; secrets are masked in its message."""
        if self.evaluate is not None:
            return self.evaluate(call)
        assert self.open_session is not None
        session = self.open_session()
        try:
            request = _request(session, call)
        except UnresolvedReferenceError as error:  # of its configuration
            return HookFailed(str(error), refused=False)
        masker = call.masker(self.configured)
        masker.learn(request)
        exchange = masker.exchange(session.send(request))
        self.log(masker.shown(exchange))
        event = exchange.event
        if event is None:
            problem = exchange.problem
            if problem is not None and problem.killed:
                return HookWaiting(_AGAIN_SECONDS, call.context)  # its answer is unknown
            timed_out = problem is not None and problem.timed_out
            text = "Hook execution timed out" if timed_out else "" if problem is None else problem.message
            return HookFailed(text, refused=False)
        return hook_outcome(event)

    def replay(
        self, request: Mapping[str, Any], write_only: Sequence[Sequence[str]] = (), *, follow_minutes: float = 0.0
    ) -> list[Exchange]:
        """Send a recorded request once more, with the credentials and the configuration of now; the exchanges, masked.

        `write_only` are the places of secrets in the target's model. Callbacks are followed for `follow_minutes`;
        without any there is one exchange.

        Raises:
            LookupError: the hook has no handlers: it is one of AWS's managed ones.
            UnresolvedReferenceError: a dynamic reference of the configuration stands for nothing.
        """
        if self.open_session is None or self.evaluate is not None:
            raise LookupError(f"{self.type_name} has no handlers of its own")
        session = self.open_session()
        fresh = session.hook_request(str(request.get("actionInvocationPoint")), "", None)
        data = request.get("requestData")
        renewed = {"callerCredentials": fresh["requestData"]["callerCredentials"]}
        sent = {
            **request,
            "hookModel": fresh["hookModel"],
            "requestData": {**(data if isinstance(data, Mapping) else {}), **renewed},
        }
        masker = Masker(write_only, configured=self.configured)
        masker.learn(sent)
        shown: list[Exchange] = []

        def hear(exchange: Exchange) -> None:
            shown.append(masker.shown(masker.exchange(exchange)))
            self.log(shown[-1])

        session.drive(sent, max_reinvoke=None if follow_minutes else 0, timeout_minutes=follow_minutes, hear=hear)
        return shown


def _request(session: HandlerSession, call: HookCall) -> dict[str, Any]:
    target = call.target
    request = session.hook_request(
        POINTS[target.action],
        target.name,
        call.model,
        target_type=str(TargetKind.RESOURCE if target.kind.holds_resources else target.kind),
        target_logical_id=target.identifier,
        token=call.token,
        callback_context=call.context,
        change_set_id=target.change_set,
        payload_url=call.payload_url,
        stack_id=target.stack_arn,
    )
    request["stackId"] = target.stack_arn
    request["requestContext"]["invocation"] = call.invocation
    return request


def hook_outcome(event: Mapping[str, Any]) -> HookOutcome:
    """Return the outcome that a hook's response says."""
    status = event.get("hookStatus", event.get("status"))
    if status in UNFINISHED:
        context = event.get("callbackContext")
        return HookWaiting(max(0.0, callback_delay(event)), context if isinstance(context, Mapping) else None)
    given = event.get("annotations")
    annotations = [_annotation(each) for each in given if isinstance(each, Mapping)] if given else []
    message = event.get("message")
    message = message if isinstance(message, str) else ""
    if status in {"SUCCESS", SKIP_STACK_HOOK}:
        return HookPassed(message, annotations, skips_stack=status == SKIP_STACK_HOOK)
    return HookFailed(message, event.get("errorCode") == NON_COMPLIANT, annotations)


def _annotation(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if isinstance(value, str)}


class Hooks(Protocol):
    """Finds the enabled hooks."""

    def active(self, scope: Scope) -> Sequence[ActiveHook]:
        """The hooks that an account and Region has enabled, by name."""
        ...


class NoHooks:
    """Return no hooks: used where none are registered."""

    def active(self, scope: Scope) -> Sequence[ActiveHook]:
        """Return an empty sequence."""
        del scope
        return ()


def find_hooks(hooks: Hooks, scope: Scope, target: HookTarget) -> tuple[ActiveHook, ...]:
    """Return the hooks that are called for a target."""
    return tuple(each for each in hooks.active(scope) if each.covers(target))
