"""Resources with a CreationPolicy: once made, they are complete when enough signals have come."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from formwork.engine.operations.creation_policies import CreationPolicy
from formwork.engine.operations.event_writing import Happening
from formwork.engine.operations.step import Step
from formwork.stacks.store.records import Phase, ResourceRecord
from formwork.stacks.store.signals import SUCCESS, list_signals

_SOON, _LATER = 0.05, 1.0


def is_awaited(step: Step) -> bool:
    """Whether the resource that the handler has just made is complete only when it is signalled."""
    note = step.progress.note
    made = step.phase is Phase.DEPLOY and note.get("action") == "CREATE"
    return made and note.get("signals") is not None and step.progress.stage != "signals"


def begin_waiting(
    step: Step,
    made: ResourceRecord,
    model: Mapping[str, Any],
    events: Sequence[Happening],
    shown: ResourceRecord | None,
) -> None:
    """From now on the signals count; those that came while the handler was at work count too."""
    policy = CreationPolicy(**step.progress.note["signals"])
    progress = replace(
        step.progress,
        stage="signals",
        model=model,
        context={"told": [], "asked": 0},
        deadline=step.parts.now() + policy.seconds,
        due=0.0,
        note={**step.progress.note, "doing": made.to_value()},
    )
    step.save(progress, resource=shown, events=events)


def look_for_signals(step: Step) -> tuple[str | bool, Sequence[Happening]]:
    """What has come of the waiting, and what is to be told of new signals; a failure's reason is a text."""
    note, context = step.progress.note, step.progress.context or {}
    with step.parts.database.read() as connection:
        found = list_signals(connection, step.stack_id, step.logical_id, since=note["since"])
    doing = step.doing()
    told = set(context["told"])
    status = "UPDATE_IN_PROGRESS" if note.get("before") is not None else "CREATE_IN_PROGRESS"
    events = [
        Happening(
            status,
            f"Received {'SUCCESS' if each.status == SUCCESS else 'FAILURE'} signal with UniqueId {each.unique_id}",
            doing.physical_id,
            note.get("shown"),
        )
        for each in found
        if each.unique_id not in told
    ]
    deadline = step.progress.deadline
    late = deadline is not None and step.parts.now() >= deadline
    verdict = CreationPolicy(**note["signals"]).judge(found, late=late)
    if verdict is False:
        asked = int(context["asked"])
        wait = min(_LATER, _SOON * 2.0 ** min(asked, 16))
        progress = replace(
            step.progress,
            context={"told": [each.unique_id for each in found], "asked": asked + 1},
            due=step.parts.now() + wait,
        )
        step.save(progress, events=events)
    return verdict, events
