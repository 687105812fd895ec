"""Proving handlers against the handler contract, clause by clause.

requirements/      the tests, one file per clause group: plain functions of a test case
subject            the resource type or hook under test; `project_subjects` reads it from a project's folder
resource_case      what the tests of a resource type work with; `hook_case` likewise, both on `test_case`
answers            what every single answer must keep
inputs             what resources are created and updated with; `hook_inputs` what hooks are asked about
suite              runs requirements over a subject, without pytest; `plugin` runs them as pytest tests
run_order          runs tests concurrently
verdict            the state of each clause after a run

The clauses, the findings, the events of a run and the reports are in `formwork.contract_results`.
"""

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.inputs import GeneratedInputs, GivenInputs, Inputs
from formwork.contract.memory import Effort, Limits
from formwork.contract.requirement import REQUIREMENTS, Requirement
from formwork.contract.subject import HookSubject, ResourceSubject
from formwork.contract.suite import run_requirement, run_suite

__all__ = [
    "REQUIREMENTS",
    "Effort",
    "GeneratedInputs",
    "GivenInputs",
    "HookInputs",
    "HookSubject",
    "Inputs",
    "Limits",
    "Requirement",
    "ResourceSubject",
    "run_requirement",
    "run_suite",
]
