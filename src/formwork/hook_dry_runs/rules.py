"""Guard rules tried as a Guard hook evaluates them, with the place of each check that failed."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.hook_dry_runs.dry_run import Check, DryRunAnswer, Verdict
from formwork.hook_dry_runs.targets import DryRunTarget, PropertyPath
from formwork.hooks import FailureMode, HookCall, HookSettings, HookTarget, TargetKind
from formwork.hooks.guard.inputs import guard_input
from formwork.hooks.guard.invocation import split_message
from formwork.hooks.guard.objects import merge
from formwork.hooks.guard.rules import GuardFinding, GuardRulesError, GuardVerdict, RuleFile, evaluate_rules
from formwork.invoke.masking import Masker

_PROPERTIES = "Properties"


class RulesHook(Struct, frozen=True, kw_only=True):
    """Guard rules as a hook; `parameters` are the members that are added to the input of the rules."""

    name: str
    files: Sequence[RuleFile]
    scope: Scope
    settings: HookSettings
    parameters: Mapping[str, Any] = field(default_factory=dict)
    version: str = "1"

    @property
    def mode(self) -> FailureMode:
        """Whether a refusal fails or only warns."""
        return self.settings.failure_mode

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of target that its configuration names."""
        return self.settings.operations

    def covers(self, target: HookTarget) -> bool:
        """Whether the rules are evaluated for a target."""
        return self.settings.covers(target)

    def ask(self, subject: DryRunTarget) -> DryRunAnswer:
        """Evaluate the rules; see `DryRunHook.ask`."""
        call = HookCall(
            target=subject.target,
            model=subject.model,
            payload=subject.payload,
            token="",
            secrets=subject.secrets,
        )
        masker = call.masker()
        try:
            document = guard_input(call, self.scope, self.name, self.version)
            merge(document, self.parameters, "of the dry run")
            verdict = evaluate_rules(self.files, document)
        except GuardRulesError as error:
            return DryRunAnswer(verdict=Verdict.ERROR, message=masker.text(str(error)))
        checks = [_check(each, subject, masker) for each in verdict.findings]
        return DryRunAnswer(verdict=_verdict(verdict, checks), checks=checks, rules=tuple(verdict.rules))


def _verdict(found: GuardVerdict, checks: Sequence[Check]) -> Verdict:
    if any(not each.undecided for each in checks):
        return Verdict.REFUSED
    if checks:
        return Verdict.UNDECIDED
    return Verdict.PASSED if any(status == "PASSED" for _, status in found.rules) else Verdict.SKIPPED


def _check(found: GuardFinding, subject: DryRunTarget, masker: Masker) -> Check:
    said, remediation = split_message(masker.text(found.message).strip())
    path = _path(found, subject)
    decided = path is None or subject.target.kind in {TargetKind.STACK, TargetKind.CHANGE_SET}
    return Check(
        rule=found.rule,
        message=" ".join(said.split()),
        remediation=None if remediation is None else " ".join(remediation.split()),
        resource=found.resource,
        path=path,
        undecided=not decided and subject.is_unknown(path or ()),
    )


def _path(found: GuardFinding, subject: DryRunTarget) -> PropertyPath | None:
    """The checked property, in the terms of the model: names in a Guard path may have dots."""
    if found.path is None:
        return None
    words = found.path.split(".")
    if words[0] != _PROPERTIES:
        return None
    value: Any = subject.properties
    path: list[str | int] = []
    rest = words[1:]
    while rest:
        if isinstance(value, list) and rest[0].isdigit():
            index = int(rest.pop(0))
            value = value[index] if index < len(value) else None
            path.append(index)
            continue
        names = [".".join(rest[:count]) for count in range(len(rest), 0, -1)]
        name = next((each for each in names if isinstance(value, Mapping) and each in value), rest[0])
        value = value.get(name) if isinstance(value, Mapping) else None
        path.append(name)
        rest = rest[name.count(".") + 1 :]
    return tuple(path)
