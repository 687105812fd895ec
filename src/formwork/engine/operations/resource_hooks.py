"""Hooks before a handler is called: each is asked, each answer is told, and a refusal stops the resource.

Source: user guide (seed 002), "Hook" and "Testing hooks in your AWS account"; texts and members of the events as
recorded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from formwork.engine.operations.event_writing import Happening, HookHappening
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
from formwork.stacks.store.records import Phase, ResourceRecord

_DONE = {
    "CREATE": "Hook invocations complete. Resource creation initiated",
    "UPDATE": "Hook invocations complete. Resource update initiated",
    "DELETE": "Hook invocations complete. Resource deletion initiated",
    "IMPORT": "Hook invocations complete. Resource import initiated",
}


def ask_hooks(step: Step) -> None:
    """Ask the hooks that have not answered yet; go on to the handler when all have.

    Raises:
        StackError: a dynamic reference leads nowhere.
    """
    action, resource = _subject(step)
    answers = read_answers(step.progress.hooks)
    target = _target(step, action, resource)
    hooks = find_hooks(step.parts.hooks, step.context.stack.scope, target) if target is not None else ()
    if target is not None and (hooks or answers):
        call = _call(step, target, resource)
        due = consult(hooks, call, answers, now=step.parts.now, keep=_Keeper(step, hooks, target, resource))
        if due is not None:
            step.save(replace(step.progress, due=due))
            return
    if (reason := refusal(read_answers(step.progress.hooks))) is not None:
        step.fail(action, reason, resource=step.doing())
    else:  # not kept: whoever goes on from here finds the answers, and comes here again
        step.go_on(replace(step.progress, stage="read" if action == "IMPORT" else "call", due=0.0))


def _subject(step: Step) -> tuple[str, ResourceRecord]:
    """What is asked about: where the old resource has to go first, the new one, while there is a way back."""
    if step.phase is Phase.DEPLOY and step.progress.note["action"] == "DELETE":
        return "CREATE", ResourceRecord.from_value(step.progress.note["new"])
    return str(step.progress.note["action"]), step.doing()


def _target(step: Step, action: str, resource: ResourceRecord) -> HookTarget | None:
    """Only of a user's own operation: what clean-ups and rollbacks do is nobody's to refuse."""
    asked = step.phase is Phase.DEPLOY or (step.phase is Phase.DELETE and not step.undoes)
    if not asked or step.context.operation.options.unasked or step.progress.note.get("deleted"):
        return None
    stack = step.context.stack
    return HookTarget(
        kind=TargetKind.RESOURCE,
        action="CREATE" if action == "IMPORT" else action,
        imports=action == "IMPORT",
        name=resource.type,
        identifier=step.logical_id,
        execution=stack.arn,
        stack_name=stack.name,
        role=stack.settings.role_arn,
        change_set=step.context.operation.options.change_set,
    )


def _call(step: Step, target: HookTarget, resource: ResourceRecord) -> HookCall:
    provisioner = step.find(resource.type)
    schema = None if provisioner is None else provisioner.schema

    def model_of(record: ResourceRecord) -> Mapping[str, Any]:
        resolved = step.resolve(record.properties)
        return resolved if schema is None else coerce_properties(schema, resolved)

    model: dict[str, Any] = {"resourceProperties": model_of(resource)}
    if target.action == "UPDATE":
        before = ResourceRecord.from_value(step.progress.note["before"])
        model["previousResourceProperties"] = model_of(before)
    write_only = () if schema is None else schema.write_only
    return HookCall(
        target=target,
        model=model,
        token=step.progress.token,
        write_only=write_only,
        public=frozenset() if schema is None else schema.public_values,
        secrets=step.secrets(resource),
    )


class _Keeper:
    """Keeps what hooks have answered so far: in the step, in the events, and in the book."""

    def __init__(self, step: Step, hooks: Sequence[ActiveHook], target: HookTarget, resource: ResourceRecord) -> None:
        self._step = step
        self._hooks = hooks
        self._target = target
        self._resource = resource

    def __call__(self, answers: Answers, news: Sequence[HookAnswer]) -> None:
        step = self._step
        step.parts.work.check()  # a hook that was ended with the process has not failed
        events = [self._happening(each) for each in news]
        if all(each.done for each in answers.values()) and refusal(answers) is None:
            action = self._target.shown_action
            events.append(Happening(_status(step, action), _DONE[action], self._resource.physical_id, None))
        step.save(
            replace(step.progress, hooks=store_answers(answers)),
            events=events,
            hook_news=(self._target, self._hooks, news),
        )
        step.parts.checkpoint("hooks-told" if any(each.done for each in news) else "hooks-begun")

    def _happening(self, answer: HookAnswer) -> Happening:
        told = HookHappening(answer.type_name, answer.status, answer.reason, answer.mode, answer.id)
        status = _status(self._step, self._target.shown_action)
        return Happening(status, None, self._resource.physical_id, None, told)


def _status(step: Step, action: str) -> str:
    """A replacement is part of an update, whatever its handlers are."""
    replaces = action == "CREATE" and step.progress.note.get("before") is not None
    return "UPDATE_IN_PROGRESS" if replaces else f"{action}_IN_PROGRESS"
