"""`cfn test --faults`: a run in which the handlers' calls fail."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from formwork.command_context.output import CommandOutput
from formwork.contract.memory import Effort
from formwork.contract.subject import AnySubject, ResourceSubject
from formwork.contract_results.run_events import RunEvent
from formwork.contract_runs.running import test_progress
from formwork.diagnostics import UsageError
from formwork.extensions import ExtensionKind
from formwork.project import Project

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult
    from formwork.faults.setup import FaultSetup


def prepare_faults(arguments: argparse.Namespace, project: Project) -> "FaultSetup | None":
    """Return the setup for a run with injected failures; None if `--faults` is not given.

    Raises:
        UsageError: the project is not a resource type's.
    """
    if arguments.faults is None:
        return None
    if project.kind is not ExtensionKind.RESOURCE:
        raise UsageError("--faults is for resource types: this project is a hook")
    from formwork.faults.setup import NO_RETRIES, FaultSetup

    quick = arguments.effort == Effort.QUICK
    return FaultSetup(environment=NO_RETRIES if quick else {})


def run_faults(
    arguments: argparse.Namespace,
    subjects: Sequence[tuple[str, AnySubject]],
    output: CommandOutput,
    setup: "FaultSetup",
) -> "SuiteResult":
    """Run the scenarios with the first input set, and return the result.

    Raises:
        BadInputError: the handlers do not succeed without failures.
    """
    from formwork.contract_results.suite_result import SuiteResult
    from formwork.faults.run import FaultRun

    subject = subjects[0][1]
    assert isinstance(subject, ResourceSubject)
    result = SuiteResult()
    progress = test_progress(arguments, output)

    def receive(event: RunEvent) -> None:
        result.receive(event)
        if progress is not None:
            progress.receive(event)

    try:
        FaultRun(subject, setup.injector, setup.world, arguments.wanted_faults, receive).run()
    finally:
        if progress is not None:
            progress.clear()
    return result
