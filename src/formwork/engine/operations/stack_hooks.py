"""Calls hooks for a whole stack, before an operation that a user requested touches its resources.

Source: the service's hooks guide, "Hook targets", "Evaluating stack operations". The stack's statuses after a
refusal are those after a failed resource.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.engine.operations.event_writing import hash_text
from formwork.engine.operations.services import OperationContext, OperationServices
from formwork.hooks import HookCall, HookTarget, TargetKind, find_hooks
from formwork.hooks.asking import Answers, HookAnswer, consult, read_answers, refusal, store_answers
from formwork.hooks.payloads import stack_payload
from formwork.stacks.store.events import add_event
from formwork.stacks.store.operations import get_step, write_step
from formwork.stacks.store.records import EventDetails, EventRecord, OperationKind
from formwork.stacks.store.steps import Phase, StackHooks, StepRecord, StepState

_ACTIONS = {OperationKind.CREATE: "CREATE", OperationKind.UPDATE: "UPDATE", OperationKind.DELETE: "DELETE"}
_STACK_TYPE = "AWS::CloudFormation::Stack"


def ask_about_stack(services: OperationServices, operation_id: str) -> str | None:
    """Call the hooks until all have answered, as steps of the workflow; return the reason of a refusal, or None."""
    while True:
        state: Mapping[str, Any] = services.work.step("hooks", lambda: _ask(services, operation_id))
        if state["wait"] is None:
            refused: str | None = state["refusal"]
            return refused
        services.work.sleep(min(state["wait"], 5.0))


def _ask(services: OperationServices, operation_id: str) -> dict[str, Any]:
    context = services.contexts.get(services, operation_id)
    target = _target(context)
    answers: Answers = {}
    if target is not None:
        step = _Step(services, context, target)
        answers, due = step.ask()
        if due is not None:
            return {"wait": max(0.0, due - services.now()), "refusal": None}
    return {"wait": None, "refusal": refusal(answers)}


def _target(context: OperationContext) -> HookTarget | None:
    imports = context.operation.kind is OperationKind.IMPORT
    action = _ACTIONS.get(context.operation.kind)
    if imports:  # hooks have no separate handler for imports
        action = "CREATE" if context.before is None else "UPDATE"
    if action is None or context.operation.options.unasked:
        return None
    stack = context.stack
    return HookTarget(
        kind=TargetKind.STACK,
        action=action,
        imports=imports,
        name=str(TargetKind.STACK),
        identifier=stack.name,
        execution=stack.arn,
        stack_name=stack.name,
        role=stack.settings.role_arn,
        change_set=context.operation.options.change_set,
    )


class _Step:
    """The step that holds the answers of the hooks of one operation."""

    def __init__(self, services: OperationServices, context: OperationContext, target: HookTarget) -> None:
        self._services = services
        self._context = context
        self._target = target
        skipped = context.operation.options.skip_stack_hooks
        found = find_hooks(services.hooks, context.stack.scope, target)
        self._hooks = tuple(each for each in found if each.type_name not in skipped)
        operation = context.operation
        with services.database.read() as connection:
            known = get_step(connection, operation.id, Phase.HOOKS, context.stack.name)
        self._record = known or StepRecord(
            operation_id=operation.id,
            phase=Phase.HOOKS,
            logical_id=context.stack.name,
            state=StepState.RUNNING,
            reason=None,
            progress=StackHooks(token=f"{operation.id}/stack"),
        )
        stage = self._record.progress
        assert isinstance(stage, StackHooks)  # the only step of its phase
        self._stage = stage
        self._answers: Answers = read_answers(stage.answers)

    def ask(self) -> tuple[Answers, float | None]:
        """Return the answers so far, and when to call the hooks again."""
        if not self._hooks and not self._answers:
            return {}, None
        services, scope, name = self._services, self._context.stack.scope, f"stacks/{self._record.operation_id}"
        payload = self._payload()
        call = HookCall(
            target=self._target,
            model={},
            token=self._stage.token,
            payload_url=services.payloads.publish(scope, name, payload),
            payload=payload,
            secrets=self._secrets(),
        )
        due = consult(self._hooks, call, self._answers, now=services.now, keep=self._keep)
        if due is None:
            services.payloads.withdraw(scope, name)
        return self._answers, due

    def _payload(self) -> dict[str, Any]:
        operation, before = self._context.operation, self._context.stack.deployed
        template = None if operation.target is None else operation.target.original
        return stack_payload(self._target.action, template, None if before is None else before.original)

    def _secrets(self) -> list[str]:
        views = [self._context.before, self._context.target if self._context.operation.target is not None else None]
        return [value for view in views if view is not None for value in view.no_echo_values()]

    def _keep(self, answers: Answers, news: Sequence[HookAnswer]) -> None:
        progress = replace(self._stage, answers=store_answers(answers))
        ended = StepState.DONE if all(each.done for each in answers.values()) else StepState.RUNNING
        record = replace(self._record, progress=progress, state=ended)
        services, context = self._services, self._context
        with services.database.begin() as connection:
            for each in news:
                add_event(connection, self._event(each))
            services.hook_results.write(connection, context.stack.scope, (self._target, self._hooks, news))
            write_step(connection, record)
        self._record, self._answers = record, answers
        services.hook_results.announce()
        services.observer.changed()

    def _event(self, answer: HookAnswer) -> EventRecord:
        operation, stack = self._context.operation, self._context.stack
        return EventRecord(
            id=f"{operation.id}/{Phase.HOOKS}/{hash_text(answer.id + answer.status)}",
            stack_id=stack.id,
            logical_id=stack.name,
            type=_STACK_TYPE,
            status=f"{self._target.shown_action}_IN_PROGRESS",
            time=self._services.now(),
            physical_id=stack.arn,
            operation_id=operation.id,
            details=EventDetails(
                token=operation.token,
                hook_type=answer.type_name,
                hook_status=answer.status,
                hook_reason=answer.reason,
                hook_point="PRE_PROVISION",
                hook_mode=answer.mode,
                hook_id=answer.id,
            ),
        )
