"""What the handler that is called before a update must do."""

from formwork.contract.hook_steps import judge_compliant, judge_non_compliant, judge_unnamed
from formwork.contract.hook_targets import InvocationPoint
from formwork.contract.hook_trial import HookTrial
from formwork.contract.requirement import proves

_POINT = InvocationPoint.PRE_UPDATE


@proves("hook.success", "hook.targets", "hook.progress", "hook.time", needs=(_POINT.marker,))
def contract_pre_update_success(trial: HookTrial) -> None:
    """Every target's compliant models pass."""
    judge_compliant(trial, _POINT)


@proves("hook.failed", "hook.targets", needs=(_POINT.marker,))
def contract_pre_update_failed(trial: HookTrial) -> None:
    """Every target's non-compliant models are refused, with an error code and a message."""
    judge_non_compliant(trial, _POINT)


@proves("hook.unknown", needs=(_POINT.marker,))
def contract_pre_update_failed_unsupported_target(trial: HookTrial) -> None:
    """A target that the handler does not name is refused."""
    judge_unnamed(trial, _POINT)
