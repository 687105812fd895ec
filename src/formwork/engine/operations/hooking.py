"""Hooks before a handler is called: each is asked, each answer is told, and a refusal stops the resource.

Source: user guide (seed 002), "Hook"; texts and members of the events as recorded.
"""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from formwork.engine.coercion import coerce_properties
from formwork.engine.hooks import ActiveHook, FailureMode, HookCall, HookFailed, HookPassed, HookWaiting
from formwork.engine.operations.event_writing import Happening, HookHappening
from formwork.engine.operations.step import TOKENS, Step
from formwork.engine.store.records import Phase, ResourceRecord

_VERBS = {"CREATE": "CREATE_IN_PROGRESS", "UPDATE": "UPDATE_IN_PROGRESS", "DELETE": "DELETE_IN_PROGRESS"}


def ask_hooks(step: Step) -> None:
    """Ask the hooks that have not answered yet; go on to the handler when all have."""
    action = str(step.progress.note["action"])
    doing = step.doing()
    answers: dict[str, Any] = dict(step.progress.hooks)
    for hook in _hooks(step, action, doing):
        state = answers.get(hook.type_name, {})
        if state.get("done"):
            continue
        if not state:
            state = {"token": str(uuid.uuid5(TOKENS, f"{step.progress.token}/{hook.type_name}"))}
            begun = _told(hook, action, "HOOK_IN_PROGRESS", None)
            answers[hook.type_name] = state
            step.save(replace(step.progress, hooks=dict(answers)), events=[begun])
        answers[hook.type_name] = state = _ask(step, hook, action, doing, state)
        if "due" in state:
            step.save(replace(step.progress, hooks=dict(answers), due=state.pop("due")))
            return
        event = _told(hook, action, state["status"], state["reason"])
        step.save(replace(step.progress, hooks=dict(answers)), events=[event])
    failed = sorted(name for name, each in answers.items() if each.get("stops"))
    if failed:
        step.fail(action, f"The following hook(s) failed: [{', '.join(failed)}]", resource=doing)
    else:  # not kept: whoever goes on from here finds the answers, and comes here again
        step.go_on(replace(step.progress, stage="call", due=0.0))


def _hooks(step: Step, action: str, doing: ResourceRecord) -> tuple[ActiveHook, ...]:
    """Those of a user's own operation: what clean-ups and rollbacks do is nobody's to refuse."""
    asked = step.phase is Phase.DEPLOY or (step.phase is Phase.DELETE and not step.undoes)
    if not asked or (step.phase is Phase.DEPLOY and action == "DELETE"):
        return ()
    stack = step.context.stack
    return step.parts.hooks.find(stack.scope, doing.type, action, stack_name=stack.name, role=stack.settings.role_arn)


def _ask(step: Step, hook: ActiveHook, action: str, doing: ResourceRecord, state: Mapping[str, Any]) -> dict[str, Any]:
    call = HookCall(
        action=action,
        target_name=doing.type,
        logical_id=step.logical_id,
        model=_target_model(step, action, doing),
        token=state["token"],
        stack_id=step.context.stack.arn,
        context=state.get("context"),
    )
    outcome = hook.invoke(call)
    match outcome:
        case HookWaiting():
            return {**state, "context": outcome.context, "due": step.parts.now() + outcome.seconds}
        case HookPassed():
            reason = f"Hook succeeded with message: {outcome.message}"
            return {**state, "done": True, "status": "HOOK_COMPLETE_SUCCEEDED", "reason": reason}
        case HookFailed():
            reason = f"Hook failed with message: {outcome.message}"
            stops = hook.mode is FailureMode.FAIL
            if not stops:
                reason += ". Failure was ignored under WARN mode."
            status = "HOOK_COMPLETE_FAILED" if outcome.refused else "HOOK_FAILED"
            return {**state, "done": True, "status": status, "reason": reason, "stops": stops}


def _target_model(step: Step, action: str, doing: ResourceRecord) -> dict[str, Any]:
    schema = step.provisioner(doing.type).schema
    resolved = step.parts.resolve(step.context.stack.scope, doing.properties)
    model: dict[str, Any] = {"resourceProperties": coerce_properties(schema, resolved)}
    if action == "UPDATE":
        before = ResourceRecord.from_value(step.progress.note["before"])
        previous = step.parts.resolve(step.context.stack.scope, before.properties)
        model["previousResourceProperties"] = coerce_properties(schema, previous)
    return model


def _told(hook: ActiveHook, action: str, status: str, reason: str | None) -> Happening:
    details = HookHappening(hook.type_name, status, reason, str(hook.mode))
    return Happening(_VERBS[action], None, None, None, details)
