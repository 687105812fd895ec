"""The semantic rules, run over a schema that keeps to its meta-schema."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from formwork.diagnostics import Diagnostic, Severity
from formwork.documents import Document
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem, list_nodes
from formwork.schema.findings import one_line
from formwork.schema.rules import NodeRule, SchemaRule, semantic_rules
from formwork.schema.view import SchemaView

if TYPE_CHECKING:  # imported for faulty schemas, and for references to other documents
    from formwork.schema.references import DocumentLoader
    from formwork.schema.sound_part import SoundPart


def check_semantics(
    document: Document,
    kind: ExtensionKind,
    *,
    errors_only: bool = False,
    references: "DocumentLoader | None" = None,
    sound: "SoundPart | None" = None,
) -> list[Diagnostic]:
    """Return what the rules for schemas of `kind` find in `document`, which the meta-schema has accepted.

    Where it has not, `sound` is the part that the rules can judge.
    """
    value = document.value if sound is None else sound.value
    found = []
    with closing(SchemaView(value)) as view:
        checked = Checked(document, kind, value, view, list_nodes(view), references)
        for rule, problem in _problems(checked, errors_only=errors_only):
            severity = problem.severity or rule.SEVERITY
            if errors_only and severity is not Severity.ERROR:
                continue
            if sound is not None and sound.is_echo(rule.CODE, severity, problem):
                continue
            location = document.locate(problem.path, key=problem.key)
            found.append(
                Diagnostic(rule.CODE, severity, one_line(problem.message), location, problem.expected, problem.hint)
            )
    return found


def _problems(checked: Checked, *, errors_only: bool) -> Iterator[tuple[SchemaRule | NodeRule, Problem]]:
    words = set(checked.value).union(*(node.value for node in checked.nodes))
    whole, by_keyword = semantic_rules(checked.kind, words, errors_only=errors_only)
    for rule in whole:
        for problem in rule.check(checked):
            yield rule, problem
    if not by_keyword:
        return
    asked: dict[tuple[str, ...], list[NodeRule]] = {}  # most parts of a schema have one of a few sets of keywords
    for node in checked.nodes:
        keywords = tuple(node.value)
        if keywords not in asked:
            rules = (rule for keyword in keywords for rule in by_keyword.get(keyword, ()))
            asked[keywords] = list({id(rule): rule for rule in rules}.values())
        for node_rule in asked[keywords]:
            for problem in node_rule.check_node(checked, node.path, node.value):
                yield node_rule, problem
