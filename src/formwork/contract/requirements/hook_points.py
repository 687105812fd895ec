"""Tests of a hook's handlers, one group per invocation point."""

from collections.abc import Callable

from formwork.contract.hook_case import HookTestCase
from formwork.contract.hook_steps import judge_compliant, judge_non_compliant, judge_unnamed
from formwork.contract.hook_targets import InvocationPoint
from formwork.contract.requirement import Body, proves


def _passes(point: InvocationPoint) -> Callable[[Body], Body]:
    return proves(
        "hook.success",
        "hook.targets",
        "hook.progress",
        "hook.time",
        needs=(point.marker,),
        provable_where="an input, overrides or the schema give a model of each target, and the inputs say that it "
        "complies",
        refuted_by="the handler has no answer about a target, is late, or does not pass what the inputs call compliant",
    )


def _refuses(point: InvocationPoint) -> Callable[[Body], Body]:
    return proves(
        "hook.failed",
        "hook.targets",
        needs=(point.marker,),
        provable_where="inputs or overrides give a non-compliant model of each target, and the handler passes another",
        refuted_by="the handler passes what the inputs call non-compliant, or fails without a code or a message",
    )


def _refuses_unnamed(point: InvocationPoint) -> Callable[[Body], Body]:
    return proves(
        "hook.unknown",
        needs=(point.marker,),
        provable_where="the handler does not name every type, and passes a target that it names",
        refuted_by="the handler passes a target that it does not name",
    )


@_passes(InvocationPoint.PRE_CREATE)
def contract_pre_create_success(test: HookTestCase) -> None:
    """Every target's compliant models pass."""
    judge_compliant(test, InvocationPoint.PRE_CREATE)


@_refuses(InvocationPoint.PRE_CREATE)
def contract_pre_create_failed(test: HookTestCase) -> None:
    """Every target's non-compliant models are refused, with an error code and a message."""
    judge_non_compliant(test, InvocationPoint.PRE_CREATE)


@_refuses_unnamed(InvocationPoint.PRE_CREATE)
def contract_pre_create_failed_unsupported_target(test: HookTestCase) -> None:
    """A target that the handler does not name is refused."""
    judge_unnamed(test, InvocationPoint.PRE_CREATE)


@_passes(InvocationPoint.PRE_DELETE)
def contract_pre_delete_success(test: HookTestCase) -> None:
    """Every target's compliant models pass."""
    judge_compliant(test, InvocationPoint.PRE_DELETE)


@_refuses(InvocationPoint.PRE_DELETE)
def contract_pre_delete_failed(test: HookTestCase) -> None:
    """Every target's non-compliant models are refused, with an error code and a message."""
    judge_non_compliant(test, InvocationPoint.PRE_DELETE)


@_refuses_unnamed(InvocationPoint.PRE_DELETE)
def contract_pre_delete_failed_unsupported_target(test: HookTestCase) -> None:
    """A target that the handler does not name is refused."""
    judge_unnamed(test, InvocationPoint.PRE_DELETE)


@_passes(InvocationPoint.PRE_UPDATE)
def contract_pre_update_success(test: HookTestCase) -> None:
    """Every target's compliant models pass."""
    judge_compliant(test, InvocationPoint.PRE_UPDATE)


@_refuses(InvocationPoint.PRE_UPDATE)
def contract_pre_update_failed(test: HookTestCase) -> None:
    """Every target's non-compliant models are refused, with an error code and a message."""
    judge_non_compliant(test, InvocationPoint.PRE_UPDATE)


@_refuses_unnamed(InvocationPoint.PRE_UPDATE)
def contract_pre_update_failed_unsupported_target(test: HookTestCase) -> None:
    """A target that the handler does not name is refused."""
    judge_unnamed(test, InvocationPoint.PRE_UPDATE)
