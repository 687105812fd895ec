"""What hooks answer in a dry run, and the interface of those that are asked (docs/decisions/1325)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from formwork.hook_dry_runs.targets import DryRunTarget, PropertyPath
from formwork.hooks import FailureMode, HookTarget


class Verdict(StrEnum):
    """A hook's verdict on a target. UNDECIDED: it depends on values of the deployment. ERROR: it failed."""

    PASSED = "PASSED"
    SKIPPED = "SKIPPED"
    UNDECIDED = "UNDECIDED"
    REFUSED = "REFUSED"
    ERROR = "ERROR"


class Check(Struct, frozen=True, kw_only=True):
    """A check that failed; `rule` None where the hook has no rules.

    `resource` is the logical id that a check of a template names, `path` the property below the resource's
    properties, where they are known. `undecided` says that the checked value is known only after deployment.
    """

    message: str
    rule: str | None = None
    remediation: str | None = None
    resource: str | None = None
    path: PropertyPath | None = None
    undecided: bool = False


class DryRunAnswer(Struct, frozen=True, kw_only=True):
    """A hook's answer about one target; `rules` are its rules with PASSED, FAILED or SKIPPED."""

    verdict: Verdict
    message: str = ""
    checks: Sequence[Check] = ()
    rules: Sequence[tuple[str, str]] = ()


class DryRunHook(Protocol):
    """A hook that can be tried; `name` is what findings call it."""

    @property
    def name(self) -> str:
        """The hook's type name, or the place of its rules."""
        ...

    @property
    def mode(self) -> FailureMode:
        """Whether a refusal fails or only warns."""
        ...

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of target that it is configured for, such as RESOURCE."""
        ...

    def covers(self, target: HookTarget) -> bool:
        """Whether it is asked about the target."""
        ...

    def ask(self, subject: DryRunTarget) -> DryRunAnswer:
        """Ask it about one target, to the end."""
        ...


class DryRun(Struct, frozen=True, kw_only=True):
    """One hook's answer about one target."""

    hook: str
    mode: FailureMode
    subject: DryRunTarget
    answer: DryRunAnswer

    @property
    def refuses(self) -> bool:
        """Whether the operation would be refused."""
        return self.mode is FailureMode.FAIL and self.answer.verdict in {Verdict.REFUSED, Verdict.ERROR}


def try_hooks(hooks: Sequence[DryRunHook], targets: Sequence[DryRunTarget]) -> list[DryRun]:
    """Ask each hook about the targets that it covers, in the order of the targets."""
    return [
        DryRun(hook=hook.name, mode=hook.mode, subject=subject, answer=hook.ask(subject))
        for subject in targets
        for hook in hooks
        if hook.covers(subject.target)
    ]
