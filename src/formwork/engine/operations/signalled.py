"""Resources with a CreationPolicy: after their creation they wait until enough signals are received."""

from collections.abc import Sequence

from msgspec.structs import replace

from formwork.engine.operations.creation_policies import CreationPolicy
from formwork.engine.operations.event_writing import EventDraft
from formwork.engine.operations.step import Step
from formwork.stacks.store.signals import SUCCESS, list_signals
from formwork.stacks.store.steps import AwaitingSignals, ExpectedSignals, HandlerAction, HandlerOperation, Phase

_SOON, _LATER = 0.05, 1.0


def awaited_signals(step: Step, doing: HandlerOperation) -> ExpectedSignals | None:
    """Return the stage in which a created resource waits for signals; None if it needs none."""
    return doing.plan.signals if step.phase is Phase.DEPLOY and doing.action is HandlerAction.CREATE else None


def look_for_signals(step: Step, stage: AwaitingSignals) -> tuple[str | bool, Sequence[EventDraft]]:
    """Return the result of waiting (True, False, or the reason of a failure) and the events of new signals.

    Signals that were received while the handler ran count too.
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
