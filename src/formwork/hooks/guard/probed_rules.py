"""What a file of Guard rules is compiled as: its rules, and rules that tell what the engine does not report.

A probe for each rule fails if that rule has passed. The clauses that are in no rule can't be referred to by the name
that the engine gives them: a copy of them has one. Copies of rules have the messages of calls; they are compiled apart,
since the engine reads the text of its rules for each evaluation.
"""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from formwork.hooks.guard.call_messages import copy_with_call_messages
from formwork.hooks.guard.labelled import LabelledCopy
from formwork.hooks.guard.structure_reader import GuardStructureError, read_structure

_PROBE = "formwork_passed_"
_CLAUSES = "formwork_clauses"
_NAMED = re.compile(r"\w+")  # the rule that has no name has a slash in its id


class ProbedRules(Struct, frozen=True):
    """A file as compiled: `text`, and `told` with copies that have the messages of calls ("" if there are none).

    `number` is its own in a set. `probes` are names of probes by the names of rules, `copies` names of rules by those
    of their copies.
    """

    number: int
    name: str
    content: str
    text: str
    told: str
    probes: Mapping[str, str]
    copies: Mapping[str, str] = field(default_factory=dict)

    @property
    def clauses(self) -> str:
        """The name that the engine gives to the clauses that are in no rule."""
        return name_of_clauses(self.name)


def name_of_clauses(file: str) -> str:
    """Return the name that the engine gives to the clauses of a file that are in no rule."""
    return f"{file}/default"


def probe_rules(name: str, content: str, number: int) -> ProbedRules | None:
    """Return a file as it is compiled, None if its structure is not understood."""
    try:
        structure = read_structure(content)
    except GuardStructureError:
        return None
    probed = {each.name: each.name for each in structure.rules if each.parameters is None}
    added = []
    if structure.clauses:
        clauses = "\n".join(content[each[0].start : each[-1].end] for each in structure.clauses)
        probed[name_of_clauses(name)] = f"{_CLAUSES}{number}"
        added.append(f"rule {_CLAUSES}{number} {{\n{clauses}\n}}")
    copy = copy_with_call_messages(content) or LabelledCopy()
    return _compiled(number, name, content, probed, added, copy)


def probe_listed_rules(name: str, content: str, number: int, listed: Sequence[str]) -> ProbedRules:
    """Return a file as it is compiled, given the names that the engine lists."""
    probed = {
        each: each
        for each in listed
        if _NAMED.fullmatch(each)
        and re.search(rf"^\s*rule\s+{re.escape(each)}\s*\(", content, re.MULTILINE) is None  # it has parameters
    }
    return _compiled(number, name, content, probed, [], LabelledCopy())


def is_added(rule: str) -> bool:
    """Return whether a rule is not one of the file's."""
    return rule.startswith((_PROBE, _CLAUSES))


def _compiled(  # noqa: PLR0913, PLR0917 - what differs between the two kinds of files
    number: int, name: str, content: str, probed: Mapping[str, str], added: Sequence[str], copy: LabelledCopy
) -> ProbedRules:
    probes = {rule: f"{_PROBE}{other}" for rule, other in probed.items()}
    texts = [f"rule {_PROBE}{each} when {each} {{ {_PROBE} exists }}" for each in probed.values()]
    text = "\n".join([content, *added, *texts, ""])
    return ProbedRules(number, name, content, text, copy.text, probes, copy.copies)
