"""A document against its meta-schema, in our own words."""

from collections.abc import Iterator

from formwork.diagnostics import Diagnostic, get_at
from formwork.documents import Document
from formwork.extensions import ExtensionKind
from formwork.schema.findings import Path, SchemaViolation, list_findings, one_line
from formwork.schema.metaschemas import meta_validator
from formwork.schema.rules import structure_rules


def check_structure(document: Document, kind: ExtensionKind) -> list[Diagnostic]:
    """Return the meta-schema's errors in `document`, each fault once, at its place."""
    validator = meta_validator(kind)
    if validator.is_valid(document.value):
        return []
    findings = list_findings(validator.iter_errors(document.value), document.value)
    return list(_diagnostics(document, findings))


def _diagnostics(document: Document, findings: list[SchemaViolation]) -> Iterator[Diagnostic]:
    mistyped = {finding.path for finding in findings if finding.slug == "wrong-type"}
    seen: set[tuple[str, Path, str]] = set()
    for finding in findings:
        if finding.slug != "wrong-type" and finding.path in mistyped:
            continue  # once its type is fixed the rest may be right
        for rule in structure_rules():
            explained = rule.explain(finding, get_at(document.value, finding.path))
            if explained is not None:
                break
        else:
            raise AssertionError(finding)
        mark = (rule.CODE, explained.path, explained.message)
        if mark not in seen:
            seen.add(mark)
            location = document.locate(explained.path, key=explained.key)
            yield Diagnostic(
                rule.CODE, rule.SEVERITY, one_line(explained.message), location, explained.expected, explained.hint
            )
