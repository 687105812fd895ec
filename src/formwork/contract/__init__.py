"""Proving a resource type's handlers against the handler contract, clause by clause.

clauses       every clause, with its id and level
requirements/ the tests, one file a clause group: plain functions of a trial
inputs        what the tests create and update with
suite         runs requirements over a subject, without pytest; `plugin` runs them as pytest tests
report/       results as text, JSON, JUnit XML and one HTML page
"""

from formwork.contract.clauses import CLAUSES, Clause, Level
from formwork.contract.findings import ClauseState, Finding
from formwork.contract.hook_inputs import HookInputs
from formwork.contract.hook_subject import HookSubject
from formwork.contract.inputs import GeneratedInputs, GivenInputs, Inputs
from formwork.contract.requirement import REQUIREMENTS, Requirement
from formwork.contract.subject import Effort, Limits, Subject
from formwork.contract.suite import SuiteResult, run_requirement, run_suite
from formwork.contract.test_result import TestResult

__all__ = [
    "CLAUSES",
    "REQUIREMENTS",
    "Clause",
    "ClauseState",
    "Effort",
    "Finding",
    "GeneratedInputs",
    "GivenInputs",
    "HookInputs",
    "HookSubject",
    "Inputs",
    "Level",
    "Limits",
    "Requirement",
    "Subject",
    "SuiteResult",
    "TestResult",
    "run_requirement",
    "run_suite",
]
