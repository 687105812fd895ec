"""Resources with a CreationPolicy: once made, they are complete when enough signals have come."""

from collections.abc import Sequence
from dataclasses import replace

from formwork.engine.operations.creation_policies import CreationPolicy
from formwork.engine.operations.event_writing import EventDraft
from formwork.engine.operations.step import Step
from formwork.stacks.store.signals import SUCCESS, list_signals
from formwork.stacks.store.steps import AwaitingSignals, ExpectedSignals, HandlerAction, HandlerOperation, Phase

_SOON, _LATER = 0.05, 1.0


def awaited_signals(step: Step, doing: HandlerOperation) -> ExpectedSignals | None:
    """What the resource that the handler has just made waits for; None where it is complete without signals."""
    return doing.plan.signals if step.phase is Phase.DEPLOY and doing.action is HandlerAction.CREATE else None


def look_for_signals(step: Step, stage: AwaitingSignals) -> tuple[str | bool, Sequence[EventDraft]]:
    """What has come of the waiting, and what is to be told of new signals; a failure's reason is a text.

    Signals that came while the handler was at work count too.
    """
    plan, expected = stage.doing.plan, stage.doing.plan.signals
    assert expected is not None
    with step.services.database.read() as connection:
        found = list_signals(connection, step.stack_id, step.logical_id, since=expected.since)
    status = "UPDATE_IN_PROGRESS" if plan.replaces else "CREATE_IN_PROGRESS"
    events = [
        EventDraft(
            status,
            f"Received {'SUCCESS' if each.status == SUCCESS else 'FAILURE'} signal with UniqueId {each.unique_id}",
            stage.doing.resource.physical_id,
            plan.shown,
        )
        for each in found
        if each.unique_id not in stage.told
    ]
    policy = CreationPolicy(expected.count, expected.seconds, expected.percent)
    verdict = policy.judge(found, late=step.services.now() >= stage.deadline)
    if verdict is False:
        told = [each.unique_id for each in found]
        due = step.services.now() + min(_LATER, _SOON * 2.0 ** min(stage.looks, 16))
        step.save(replace(stage, told=told, looks=stage.looks + 1, due=due), events=events)
    return verdict, events
