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

The names below are imported when they are first used; they lead to layers above this one (docs/decisions/1337).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formwork.contract.memory import Effort
    from formwork.contract_results.findings import ClauseResult, ClauseState
    from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, UsageError
    from formwork.documents import DocumentSource
    from formwork.library.contract_tests import ContractFinding, ContractReport, prove_handlers, prove_project

__all__ = [
    "BadInputError",
    "ClauseResult",
    "ClauseState",
    "ContractFinding",
    "ContractReport",
    "Diagnostic",
    "DocumentSource",
    "Effort",
    "EnvironmentProblemError",
    "UsageError",
    "prove_handlers",
    "prove_project",
]

_HOMES = {
    **dict.fromkeys(("BadInputError", "Diagnostic", "EnvironmentProblemError", "UsageError"), "diagnostics"),
    **dict.fromkeys(("ClauseResult", "ClauseState"), "contract_results.findings"),
    "DocumentSource": "documents",
    "Effort": "contract.memory",
    **dict.fromkeys(("ContractFinding", "ContractReport", "prove_handlers", "prove_project"), "library.contract_tests"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"formwork.{_HOMES[name]}"), name)
