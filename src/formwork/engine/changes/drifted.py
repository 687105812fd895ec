"""Drift in a change set: the actual state of a resource beside the deployed one and the template's.

Source: CloudFormation user guide, "Using drift-aware change sets"; the service's model (`ResourceTargetDefinition`,
`LiveResourceDrift`).
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from formwork.engine.changes.differences import ValueDifference, find_differences, shown
from formwork.engine.changes.values import (
    AttributeChangeType,
    BeforeValueFrom,
    ChangeAction,
    ChangeDetail,
    ChangeScope,
    ChangeSource,
    EvaluationType,
    LiveState,
    PropertyDrift,
    Recreation,
    ResourceChange,
)
from formwork.template.evaluation import Value
from formwork.template.expressions import Path

_COMPARED = frozenset({"IN_SYNC", "MODIFIED"})


def drift_details(
    live: LiveState, deployed: Mapping[str, Value], actual: Mapping[str, Value], details: tuple[ChangeDetail, ...]
) -> tuple[ChangeDetail, ...]:
    """Return the details with the drift of their values, and details for drift that equals the template's new value."""
    drifts = list(find_differences(dict(deployed), dict(actual)))
    found = [_with_drift(each, live, drifts) for each in details]
    changed = [each.path for each in found if each.path is not None]
    found += [each for each in _synced(live, drifts) if not any(_overlap(str(each.path), path) for path in changed)]
    return tuple(found)


def with_live_state(change: ResourceChange, live: LiveState) -> ResourceChange:
    """Return a resource's change with its drift status; its action is SyncWithActual if nothing else changes."""
    change = replace(change, drift_status=_shown_status(live), ignored=live.ignored)
    if change.details and all(each.change_type is AttributeChangeType.SYNC for each in change.details):
        return replace(change, action=ChangeAction.SYNC, replacement=None)
    return change


def _shown_status(live: LiveState) -> str:
    """Return the drift status to show; for a type that can't be read, that drift is not supported."""
    return "UNSUPPORTED" if live.found.status == "NOT_CHECKED" else live.found.status


def _with_drift(detail: ChangeDetail, live: LiveState, drifts: list[ValueDifference]) -> ChangeDetail:
    if detail.path is None:
        return detail
    compared = live.found.status in _COMPARED and not any(_overlap(each.path, detail.path) for each in live.ignored)
    before_from = BeforeValueFrom.ACTUAL if compared else BeforeValueFrom.PREVIOUS
    drift = next((each for each in drifts if _overlap(_pointer(each.path), detail.path)), None)
    return replace(detail, before_from=before_from, drift=None if drift is None else _drift(drift, live))


def _synced(live: LiveState, drifts: list[ValueDifference]) -> Iterator[ChangeDetail]:
    for each in drifts:
        yield ChangeDetail(
            ChangeScope.PROPERTIES,
            EvaluationType.STATIC,
            ChangeSource.NONE,
            Recreation.NEVER,
            name=str(each.path[0]),
            path=_pointer(each.path),
            change_type=AttributeChangeType.SYNC,
            before=shown(each.after),
            after=shown(each.after),
            before_from=BeforeValueFrom.ACTUAL,
            drift=_drift(each, live),
        )


def _drift(difference: ValueDifference, live: LiveState) -> PropertyDrift:
    return PropertyDrift(shown(difference.before), shown(difference.after), live.found.checked)


def _pointer(path: Path) -> str:
    return "/" + "/".join(("Properties", *map(str, path)))


def _overlap(one: str, other: str) -> bool:
    """Return whether one of two pointers is at or above the other."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")
