"""Copies of Guard rules whose checks have labels in place of messages: what tells which check of a file failed.

A rule that is called with arguments is copied for each call, so that a label knows its calls, too. Rules that are
referred to by name are not: a copy asks the original.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from formwork.hooks.guard.structure import CheckKind, GuardBlock, GuardCheck, GuardRule, GuardStructure

_COPY = "formwork_copy"  # begins the names of copies
_MARKER = "formwork_marker"
_MOST_COPIES = 1000

Label = Callable[[GuardCheck, Sequence[GuardCheck]], str | None]
"""The message of a check, given the calls that lead to it, outermost first; None leaves it as it is."""
Entered = Callable[[GuardBlock], str]
"""The message by which a block is known to be entered."""


class TooManyCallsError(Exception):
    """Rules that call each other so often that their copies would be too many."""


class LabelledCopy(Struct):
    """A file with copies of its rules: its whole text, the `added` part, and the copies' names with their rules'."""

    text: str = ""
    added: str = ""
    copies: dict[str, str] = field(default_factory=dict)


def copy_with_labels(
    structure: GuardStructure, label: Label, entered: Entered | None = None, *, tag: str = ""
) -> LabelledCopy:
    """Return a file with copies of its named rules; `tag` makes their names unique among files.

    With `entered` each block that is not an alternative fails with its message when it is entered, and alternatives of
    one check have the label of the first of them. Without it a check for what a block selects has the block's label:
    the engine reports a block that is missing without a message.

    Raises:
        TooManyCallsError: the calls lead to too many copies.
    """
    writer = _Writer(structure, label, entered, f"{_COPY}{tag}")
    for rule in structure.rules:
        if rule.parameters is None:
            writer.copy(rule, ())
    marker = [f"let {_MARKER} = 1"] if entered is not None else []
    added = "\n".join([*marker, *writer.texts, ""])
    return LabelledCopy(f"{structure.text}\n{added}", added, writer.names)


class _Writer:
    def __init__(self, structure: GuardStructure, label: Label, entered: Entered | None, prefix: str) -> None:
        self.texts: list[str] = []
        self.names: dict[str, str] = {}
        self._structure = structure
        self._label = label
        self._entered = entered
        self._prefix = prefix
        self._called = {each.name: each for each in structure.rules if each.parameters is not None}
        self._edits: list[tuple[int, int, str]] = []

    def copy(self, rule: GuardRule, calls: Sequence[GuardCheck], of: GuardCheck | None = None) -> str:
        """Add the copy of a rule as it is called, and return its name; `of` labels all of its checks."""
        if len(self.names) >= _MOST_COPIES:
            raise TooManyCallsError
        name = f"{self._prefix}{len(self.names)}_{rule.name}"
        self.names[name] = rule.name
        outer, self._edits = self._edits, [(rule.name_start, rule.name_start + len(rule.name), name)]
        self._block(rule.body, calls, of)
        text, at = "", rule.start
        for start, end, instead in sorted(self._edits):
            text += self._structure.text[at:start] + instead
            at = end
        self.texts.append(text + self._structure.text[at : rule.end])
        self._edits = outer
        return name

    def _block(self, block: GuardBlock, calls: Sequence[GuardCheck], of: GuardCheck | None) -> None:
        if self._entered is not None and of is None and block.start >= 0:
            marker = f" %{_MARKER} == 2 <<{self._entered(block)}>>\n"
            self._edits.append((block.start, block.start, marker))
        for alternatives in block.checks:
            first = alternatives[0] if len(alternatives) > 1 and self._entered is not None else None
            for check in alternatives:
                if len(alternatives) == 1 and self._entered is None and check.kind is CheckKind.BLOCK:
                    self._ask_for(check, calls)
                self._check(check, calls, of or first)

    def _ask_for(self, block: GuardCheck, calls: Sequence[GuardCheck]) -> None:
        label = self._label(block, calls)
        if label is not None:
            self._edits.append((block.start, block.start, f"{block.subject} exists <<{label}>>\n"))

    def _check(self, check: GuardCheck, calls: Sequence[GuardCheck], of: GuardCheck | None) -> None:
        if check.body is not None:
            self._block(check.body, calls, of)
            return
        rule = self._called.get(check.subject) if check.kind is CheckKind.CALL else None
        if rule is not None and not check.negated and all(each.subject != check.subject for each in calls):
            name = self.copy(rule, (*calls, check), of)
            start = self._structure.text.index(check.subject, check.start)
            self._edits.append((start, start + len(check.subject), name))
        label = self._label(of or check, calls)
        if label is None:
            return
        if check.message_span is not None:
            self._edits.append((*check.message_span, f"<<{label}>>"))
        else:
            self._edits.append((check.end, check.end, f" <<{label}>>"))
