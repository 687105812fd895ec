"""Messages that stand at calls of rules with parameters, which the engine leaves out of its report.

A check without a message of its own has that of the innermost call around it, as in the report of cfn-guard.
"""

import functools
from collections.abc import Sequence

from formwork.hooks.guard.labelled import LabelledCopy, TooManyCallsError, copy_with_labels
from formwork.hooks.guard.structure import CheckKind, GuardCheck, walk
from formwork.hooks.guard.structure_reader import GuardStructureError, read_structure


@functools.lru_cache(64)
def copy_with_call_messages(rules: str) -> LabelledCopy | None:
    """Return a copy of rules whose checks have the messages of calls; None without any, or if not understood."""
    try:
        structure = read_structure(rules)
        checks = [check for rule in structure.rules for check in walk(rule.body.checks)]
        if not any(each.kind is CheckKind.CALL and each.message is not None for each in checks):
            return None
        return copy_with_labels(structure, _message_of_call)
    except (GuardStructureError, TooManyCallsError):
        return None


def _message_of_call(check: GuardCheck, calls: Sequence[GuardCheck]) -> str | None:
    if check.message is not None or check.kind is CheckKind.CALL:
        return None
    return next((each.message for each in reversed(calls) if each.message is not None), None)
