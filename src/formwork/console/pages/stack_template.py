"""The page of a stack's template: what failed, what hooks answered and what has drifted is said at its place."""

import json
from collections.abc import Iterable, Iterator, Mapping

from formwork.console.pages.stack import frame
from formwork.console.views.hook_annotations import HookAnnotation, hook_annotations
from formwork.console.views.masking import StackMask
from formwork.console.views.statuses import status_kind
from formwork.console.views.template_lines import LineNote, template_lines
from formwork.console.visits import PageVisit, ShownPage
from formwork.stacks.store.drifts import FoundDrift
from formwork.stacks.store.events import list_operation_events
from formwork.stacks.store.operations import find_operation
from formwork.stacks.store.records import Deployment, EventRecord, ResourceRecord, StackRecord
from formwork.stacks.store.resources import list_resources

_MOST_EVENTS = 20_000


def show_template(visit: PageVisit) -> ShownPage:
    """Show the template as it was given or as it was processed: the stack's, or that of an operation."""
    stack = visit.expect_stack()
    engine = visit.services.engine
    processed = visit.query.get("stage") == "processed"
    named = visit.query.get("operation") or stack.operation_id or ""
    with engine.database.read() as connection:
        operation = find_operation(connection, named)
        if operation is not None and operation.stack_id != stack.id:
            operation = None
        page = list_operation_events(connection, stack.id, named, limit=_MOST_EVENTS) if operation is not None else []
        resources = list_resources(connection, stack.id)
        annotations = hook_annotations(connection, stack.scope, (each for _, each in page if _refused(each)))
    current = engine.lookups.with_shown_deployment(stack).deployed
    attempted = None if operation is None else operation.target
    of_operation = attempted is not None and (bool(visit.query.get("operation")) or current is None)
    deployed = attempted if of_operation else current
    events = [each for _, each in reversed(page)]
    notes = list(_failures(events, stack, annotations))
    if deployed == current:
        notes = [*notes, *_drifts(engine.lookups.list_drifts(stack.scope, stack.arn))]
    values = {
        "source": _lines(visit, stack, deployed, notes, processed=processed),
        "notes": notes,
        "processed": processed,
        "of_operation": operation if of_operation and deployed != current else None,
        "statuses": {name: str(each.status) for name, each in resources.items()},
        "policies": _policies(resources),
        "operation": named if of_operation else "",
    }
    return ShownPage("stack_template.html", {**frame(visit, stack, "template"), **values})


def _lines(
    visit: PageVisit, stack: StackRecord, deployed: Deployment | None, notes: list[LineNote], *, processed: bool
) -> list[object]:
    if deployed is None:
        return []
    mask = StackMask(visit.services.engine, stack, deployed)
    mask.learn_written()
    mask.learn_declared(deployed)
    if processed:
        text = json.dumps(mask.value(deployed.template), indent=2, ensure_ascii=False)
        return [*template_lines(text, text, notes)]
    return [*template_lines(mask.text(deployed.original), deployed.original, notes)]


def _failures(
    events: Iterable[EventRecord], stack: StackRecord, annotations: Mapping[str, list[HookAnnotation]]
) -> Iterator[LineNote]:
    """Yield what hooks, validations and handlers said about resources of an operation; each sentence once."""
    said: set[tuple[str, str]] = set()
    for each in events:
        if each.logical_id == stack.name:
            continue
        note = _note(each, annotations.get(each.details.hook_id or "", []))
        if note is not None and (each.logical_id, note.text) not in said:
            said.add((each.logical_id, note.text))
            yield note


def _refused(event: EventRecord) -> bool:
    return event.details.hook_status in {"HOOK_COMPLETE_FAILED", "HOOK_FAILED"}


def _note(event: EventRecord, annotations: Iterable[HookAnnotation]) -> LineNote | None:
    details, path = event.details, ("Resources", event.logical_id)
    if details.hook_type is not None:
        if not _refused(event):
            return None
        kind = "warn" if details.hook_mode == "WARN" else "bad"
        said = [each.sentence for each in annotations if each.status == "FAILED"]
        text = "\n".join([details.hook_reason or str(details.hook_status), *said])
        return LineNote(path, kind, f"Hook {details.hook_type}", text)
    if details.validation is not None:
        steps = [step.replace("~1", "/").replace("~0", "~") for step in str(details.validation["path"]).split("/")[1:]]
        place = [int(step) if step.isdecimal() else step for step in steps]
        return LineNote(place or path, "bad", str(details.validation["name"]), event.reason or "")
    if status_kind(event.status) == "bad":
        return LineNote(path, "bad", event.status, event.reason or "no reason was given")
    return None


def _drifts(drifts: Mapping[str, FoundDrift]) -> Iterator[LineNote]:
    for name, drift in drifts.items():
        if drift.status == "DELETED":
            yield LineNote(("Resources", name), "drift", "Drift", "the resource was deleted outside of the stack")
        for each in (drift.details or {}).get("differences") or ():
            steps = [int(step) if step.isdecimal() else step for step in str(each["path"]).split("/")[1:]]
            text = f"{each['path']} is {each['actual'] or 'absent'}, expected {each['expected'] or 'absent'}"
            yield LineNote(("Resources", name, "Properties", *steps), "drift", "Drift", text)


def _policies(resources: Mapping[str, ResourceRecord]) -> dict[str, list[str]]:
    """Return the policies that a resource's declaration has for its deletion and replacement."""
    names = ("DeletionPolicy", "UpdateReplacePolicy")
    return {
        name: [f"{each}: {record.declaration[each]}" for each in names if record.declaration.get(each)]
        for name, record in resources.items()
    }
