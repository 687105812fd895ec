"""Messages that stand at calls of rules with parameters, which the engine leaves out of its report.

A check without a message of its own has that of the innermost call around it, as in the report of cfn-guard.
"""

import functools
import re
from collections.abc import Sequence

from formwork.hooks.guard.labelled import LabelledCopy, TooManyCallsError, copy_with_labels
from formwork.hooks.guard.structure import CheckKind, GuardCheck, walk
from formwork.hooks.guard.structure_reader import GuardStructureError, read_structure

_WORD = re.compile(r"\w+")


@functools.lru_cache(256)
def copy_with_call_messages(rules: str) -> LabelledCopy | None:
    """Return copies of rules in which checks have the messages of calls; None if there are none, or on a parse error.

    The copy's text contains of the original rules only what the copies need.
    """
    try:
        structure = read_structure(rules)
        checks = [check for rule in structure.rules for check in walk(rule.body.checks)]
        if not any(each.kind is CheckKind.CALL and each.message is not None for each in checks):
            return None
        copy = copy_with_labels(structure, _message_of_call)
    except (GuardStructureError, TooManyCallsError):
        return None
    texts = [*(f"let {name} = {value}" for name, value in structure.variables), copy.added]
    own = [(each.name, rules[each.start : each.end]) for each in structure.rules]
    return LabelledCopy("\n".join(_with_needed(texts, own)), copy.added, copy.copies)


def _message_of_call(check: GuardCheck, calls: Sequence[GuardCheck]) -> str | None:
    if check.message is not None or check.kind is CheckKind.CALL:
        return None
    return next((each.message for each in reversed(calls) if each.message is not None), None)


def _with_needed(texts: Sequence[str], rules: Sequence[tuple[str, str]]) -> Sequence[str]:
    """Return texts with the rules, by name and text, that they name: in conditions, filters, and by reference."""
    found = list(texts)
    left = list(rules)
    at = 0
    while at < len(found):
        words = set(_WORD.findall(found[at]))
        found += (text for name, text in left if name in words)
        left = [each for each in left if each[0] not in words]
        at += 1
    return found
