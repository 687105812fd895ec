"""What hooks found in detail: the annotations of their results, by the events of the invocations."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from sqlalchemy import Connection

from formwork.aws.scope import Scope
from formwork.hooks.rows import get_hook_result
from formwork.stacks.store.records import EventRecord

_MOST = 200  # results that are read for a page


class HookAnnotation(Struct, frozen=True):
    """One finding of a hook; the texts are "" where the hook gave none."""

    name: str
    status: str
    message: str
    remediation: str
    severity: str

    @property
    def sentence(self) -> str:
        """The finding as one text."""
        fix = f"(fix: {self.remediation})" if self.remediation else ""
        parts = (f"{self.name}:" if self.name else "", self.message or self.status, fix)
        return " ".join(each for each in parts if each)


def hook_annotations(
    connection: Connection, scope: Scope, events: Iterable[EventRecord]
) -> Mapping[str, list[HookAnnotation]]:
    """Return the annotations of the invocations that events are about, by the ids of the invocations."""
    ids = list(dict.fromkeys(each.details.hook_id for each in events if each.details.hook_id is not None))
    found = {}
    for each in ids[:_MOST]:
        result = get_hook_result(connection, scope, each)
        if result is not None and result.annotations:
            found[each] = [_annotation(given) for given in result.annotations]
    return found


def _annotation(given: Mapping[str, str]) -> HookAnnotation:
    return HookAnnotation(
        name=given.get("annotationName", ""),
        status=given.get("status", ""),
        message=given.get("statusMessage", ""),
        remediation=given.get("remediationMessage", ""),
        severity=given.get("severityLevel", ""),
    )
