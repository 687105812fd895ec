"""What `cfn test` needs in a hook's project besides its configuration: its subjects, its log."""

from collections.abc import Callable, Mapping
from typing import Any

from formwork.cli.output import Output
from formwork.cli.reach import Reached
from formwork.contract.hook_project import LoadedHookSubjects, load_hook_subjects
from formwork.contract.patience import Patience
from formwork.contract.subject import Effort, Limits
from formwork.invoke import HandlerSession
from formwork.invoke.masking import Masker
from formwork.invoke.project_masks import write_only_paths
from formwork.project import Project
from formwork.schema import HookSchema


def hook_logger(project: Project, output: Output) -> Callable[[str, str, str], None]:
    """What shows the handlers' logs: with -v, and the targets' secrets masked."""
    masker = Masker(write_only_paths(project))

    def log(_function: str, _request_id: str, line: str) -> None:
        output.detail(f"| {masker.text(line)}")

    return log


def load_hook_tests(  # noqa: PLR0913 - what a run consists of
    project: Project,
    schema: HookSchema,
    reached: Reached,
    *,
    configuration: Mapping[str, Any],
    enforced: float | None,
    effort: str,
    seed: int,
    exports: Mapping[str, str],
    patience: Patience,
) -> LoadedHookSubjects:
    """The subjects of the project, their handlers within reach; `enforced` are the seconds of --enforce-timeout."""
    limits = Limits() if enforced is None else Limits.enforced(enforced)
    session = HandlerSession(
        reached.transport,
        schema.type_name,
        account=reached.account,
        region=reached.region,
        credentials=reached.credentials,
        type_configuration=configuration,
        invocation_timeout=limits.read_seconds + 2.0,
        sleep=patience.sleep,
        clock=patience.clock,
    )
    return load_hook_subjects(
        project,
        schema,
        session,
        limits=limits,
        effort=Effort(effort),
        seed=seed,
        exports=exports,
        patience=patience,
        before_test=reached.reset,
    )
