"""Tests of Guard rules: cases that must pass and fail, what of the rules they cover, and mutants of them.

The reasons are in docs/decisions/1323.
"""

from formwork.policies.case import PolicyCase
from formwork.policies.coverage import CoverageGap, RuleCoverage, rule_names
from formwork.policies.mutants import MutantGap
from formwork.policies.policy_project import PolicyProject, find_policy_project, is_policy_project
from formwork.policies.policy_run import CaseResult, PolicyResult, run_policies

__all__ = [
    "CaseResult",
    "CoverageGap",
    "MutantGap",
    "PolicyCase",
    "PolicyProject",
    "PolicyResult",
    "RuleCoverage",
    "find_policy_project",
    "is_policy_project",
    "rule_names",
    "run_policies",
]
