"""Calls hooks before a handler is called: each answer becomes an event, and a refusal fails the resource.

Source: user guide (seed 002), "Hook" and "Testing hooks in your AWS account"; texts and members of the events as
recorded.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.engine.operations.event_writing import EventDraft, HookEventDraft
from formwork.engine.operations.step import Step
from formwork.hooks import ActiveHook, HookCall, HookTarget, TargetKind, find_hooks
from formwork.hooks.asking import (
    Answers,
    HookAnswer,
    consult,
    read_answers,
    refusal,
    store_answers,
)
from formwork.schema.coercion import coerce_properties
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.steps import AskingHooks, Calling, HandlerAction, HandlerOperation, Phase, Plan, Reading

_DONE = {
    "CREATE": "Hook invocations complete. Resource creation initiated",
    "UPDATE": "Hook invocations complete. Resource update initiated",
    "DELETE": "Hook invocations complete. Resource deletion initiated",
    "IMPORT": "Hook invocations complete. Resource import initiated",
}


def ask_hooks(step: Step, stage: AskingHooks) -> None:
    """Call the hooks that have not answered yet; when all have, the handler is next.

    Raises:
        StackError: a dynamic reference can't be resolved.
    """
    doing = stage.doing
    action, resource = _subject(step, doing)
    answers = read_answers(stage.answers)
    target = _target(step, doing.plan, action, resource)
    hooks = find_hooks(step.services.hooks, step.context.stack.scope, target) if target is not None else ()
    if target is not None and (hooks or answers):
        keeper = _Keeper(step, stage, hooks, target, resource)
        due = consult(hooks, _call(step, doing, target, resource), answers, now=step.services.now, keep=keeper)
        stage, answers = keeper.stage, read_answers(keeper.stage.answers)
        if due is not None:
            step.save(replace(stage, due=due))
            return
    if (reason := refusal(answers)) is not None:
        step.fail(action, reason, resource=doing.resource)
    else:  # this stage is not stored: a process that resumes the step finds the answers and gets here again
        step.go_on(Reading(doing=doing) if action is HandlerAction.IMPORT else Calling(doing=doing))


def _subject(step: Step, doing: HandlerOperation) -> tuple[HandlerAction, ResourceRecord]:
    """Return the resource to show to hooks: the new one, also if the old one is deleted first, before that is done."""
    if step.phase is Phase.DEPLOY and doing.action is HandlerAction.DELETE:
        assert doing.plan.replacement is not None
        return HandlerAction.CREATE, doing.plan.replacement
    return doing.action, doing.resource


def _target(step: Step, plan: Plan, action: HandlerAction, resource: ResourceRecord) -> HookTarget | None:
    """Return the target of the hooks; None in clean-ups and rollbacks, which hooks can't refuse."""
    asked = step.phase is Phase.DEPLOY or (step.phase is Phase.DELETE and not step.undoes)
    if not asked or step.context.operation.options.unasked or plan.old_deleted:
        return None
    stack = step.context.stack
    return HookTarget(
        kind=TargetKind.RESOURCE,
        action=HandlerAction.CREATE if action is HandlerAction.IMPORT else action,
        imports=action is HandlerAction.IMPORT,
        name=resource.type,
        identifier=step.logical_id,
        execution=stack.arn,
        stack_name=stack.name,
        role=stack.settings.role_arn,
        change_set=step.context.operation.options.change_set,
    )


def _call(step: Step, doing: HandlerOperation, target: HookTarget, resource: ResourceRecord) -> HookCall:
    provisioner = step.find(resource.type)
    schema = None if provisioner is None else provisioner.schema

    def model_of(record: ResourceRecord) -> Mapping[str, Any]:
        resolved = step.resolve(record.properties)
        return resolved if schema is None else coerce_properties(schema, resolved)

    model: dict[str, Any] = {"resourceProperties": model_of(resource)}
    if target.action == HandlerAction.UPDATE:
        assert doing.plan.before is not None
        model["previousResourceProperties"] = model_of(doing.plan.before)
    write_only = () if schema is None else schema.write_only
    return HookCall(
        target=target,
        model=model,
        token=doing.token,
        write_only=write_only,
        public=frozenset() if schema is None else schema.public_values,
        secrets=step.secrets(resource),
    )


class _Keeper:
    """Stores the answers of hooks: in the step, as events, and as hook results."""

    def __init__(
        self, step: Step, stage: AskingHooks, hooks: Sequence[ActiveHook], target: HookTarget, resource: ResourceRecord
    ) -> None:
        self.stage = stage
        self._step = step
        self._hooks = hooks
        self._target = target
        self._resource = resource

    def __call__(self, answers: Answers, news: Sequence[HookAnswer]) -> None:
        step = self._step
        step.services.work.check()  # a hook that ended with the process has not failed
        events = [self._draft(each) for each in news]
        if all(each.done for each in answers.values()) and refusal(answers) is None:
            action = self._target.shown_action
            events.append(EventDraft(self._status(action), _DONE[action], self._resource.physical_id, None))
        self.stage = replace(self.stage, answers=store_answers(answers))
        step.save(self.stage, events=events, hook_news=(self._target, self._hooks, news))
        step.services.observer.checkpoint("hooks-told" if any(each.done for each in news) else "hooks-begun")

    def _draft(self, answer: HookAnswer) -> EventDraft:
        told = HookEventDraft(answer.type_name, answer.status, answer.reason, answer.mode, answer.id)
        status = self._status(self._target.shown_action)
        return EventDraft(status, None, self._resource.physical_id, None, told)

    def _status(self, action: str) -> str:
        """Return the status for the event; a replacement's is that of an update, although it calls other handlers."""
        replaces = action == HandlerAction.CREATE and self.stage.doing.plan.replaces
        return "UPDATE_IN_PROGRESS" if replaces else f"{action}_IN_PROGRESS"
