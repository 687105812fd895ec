"""The report for machines, as JSON."""

import json
from typing import Any

from formwork.diagnostics import Location
from formwork.diagnostics.visible import visible
from formwork.policies.coverage import CoverageGap, RuleCoverage
from formwork.policies.mutants import MutantGap
from formwork.policies.policy_run import CaseResult, Mismatch, PolicyResult


def render_json(result: PolicyResult) -> str:
    """`{passed, seed, cases, coverage, mutants, unused}` as text."""
    value = {
        "passed": result.passed,
        "seed": result.seed,
        "cases": [_case(each) for each in result.cases],
        "coverage": [_coverage(each) for each in result.coverage],
        "mutants": {
            "tried": result.mutants,
            "possible": result.possible,
            "notRefused": [_mutant(each) for each in result.gaps],
        },
        "unused": list(result.project.unused),
    }
    return visible(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def _case(result: CaseResult) -> dict[str, Any]:
    return {
        "name": result.case.name,
        "outcome": "passed" if result.passed else "failed",
        "problem": result.problem,
        "rules": {rule: sorted(statuses) for rule, statuses in sorted(result.statuses.items())},
        "mismatches": [_mismatch(each) for each in result.mismatches],
    }


def _mismatch(mismatch: Mismatch) -> dict[str, Any]:
    return {
        "rule": mismatch.rule or None,
        "ruleFile": mismatch.rule_file or None,
        "ruleLine": mismatch.rule_line,
        "expected": mismatch.expected,
        "actual": mismatch.actual or None,
        **_place(mismatch.location),
        "checks": [{"message": each.message, **_place(each.location)} for each in mismatch.failed],
    }


def _coverage(coverage: RuleCoverage) -> dict[str, Any]:
    return {
        "file": coverage.file,
        "rules": {"total": coverage.rules, "passed": coverage.passed, "failed": coverage.failed},
        "blocks": {"total": coverage.blocks, "entered": coverage.entered},
        "checks": {"total": coverage.checks, "failed": coverage.refused},
        "gaps": [_gap(each) for each in coverage.gaps],
    }


def _gap(gap: CoverageGap) -> dict[str, Any]:
    return {"kind": gap.kind.name, "line": gap.line, "rule": gap.rule or None, "source": gap.source}


def _mutant(gap: MutantGap) -> dict[str, Any]:
    return {
        "case": gap.case,
        "file": gap.case_file,
        "line": gap.case_line,
        "pointer": gap.pointer,
        "change": gap.change,
        "rule": gap.rule,
        "ruleFile": gap.rule_file,
        "ruleLine": gap.rule_line,
    }


def _place(location: Location) -> dict[str, Any]:
    line = location.start.line if location.start else None
    return {"file": location.file, "line": line, "pointer": location.pointer}
