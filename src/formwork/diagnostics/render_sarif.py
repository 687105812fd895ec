"""Diagnostics as SARIF 2.1.0, for code scanning services."""

import json
from collections.abc import Iterable
from typing import Any, assert_never
from urllib.parse import quote

from formwork.diagnostics.catalogue import DOCUMENTATION, describe_code
from formwork.diagnostics.diagnostic import Diagnostic, Location, Severity


def render_sarif(diagnostics: Iterable[Diagnostic], *, version: str) -> str:
    """Return a SARIF log with one run; `version` is the toolkit's."""
    listed = list(diagnostics)
    levels = {each.code: _level(each.severity) for each in reversed(listed)}
    rules = [_rule(code, levels[code]) for code in sorted(levels)]
    driver = {"name": "formwork", "version": version, "informationUri": DOCUMENTATION + "README.md", "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [_result(each) for each in listed]}
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(code: str, level: str) -> dict[str, Any]:
    """Return the description of a code: what code scanning services show beside a finding."""
    rule: dict[str, Any] = {"id": code, "defaultConfiguration": {"level": level}}
    entry = describe_code(code)
    if entry is None:
        return rule
    detail = entry.detail or entry.title
    return rule | {
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": detail},
        "help": {"text": f"{detail}\n{entry.address}", "markdown": f"{detail}\n\n[{code}]({entry.address})"},
        "helpUri": entry.address,
    }


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    sentences = [diagnostic.message]
    if diagnostic.expected is not None:
        sentences.append(f"expected: {diagnostic.expected}")
    if diagnostic.hint is not None:
        sentences.append(f"help: {diagnostic.hint}")
    place = _location(diagnostic.location)
    return {
        "ruleId": diagnostic.code,
        "level": _level(diagnostic.severity),
        "message": {"text": "\n".join([*sentences, *diagnostic.notes])},
        **({"locations": [place]} if place else {}),
    }


def _level(severity: Severity) -> str:
    match severity:
        case Severity.ERROR:
            return "error"
        case Severity.WARNING:
            return "warning"
        case Severity.INFO:
            return "note"
        case _:
            assert_never(severity)


def _location(location: Location) -> dict[str, Any]:
    if location.file is None:
        return {}
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(location.file.replace("\\", "/"))}}
    physical["region"] = {"startLine": 1}  # of a whole file: services show no finding without a region
    if location.start is not None:
        region = {"startLine": location.start.line, "startColumn": location.start.column}
        if location.end is not None:
            region |= {"endLine": location.end.line, "endColumn": location.end.column}
        physical["region"] = region
    logical = [{"fullyQualifiedName": location.pointer}] if location.pointer is not None else []
    return {"physicalLocation": physical, **({"logicalLocations": logical} if logical else {})}
