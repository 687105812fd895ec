"""One phase of an operation for one resource, advanced call by call.

The input of a call is stored before the call, its result and events directly after it. After a crash, another process
can therefore continue a step where it was, with the same client request token. `advance` does all that is possible
without waiting.
"""

from collections.abc import Callable
from typing import assert_never

from formwork.diagnostics.internal_errors import internal_failure
from formwork.engine.operations.calling import await_signals, call_handler, read_resource
from formwork.engine.operations.resource_deploying import begin_deploy
from formwork.engine.operations.resource_hooks import ask_hooks
from formwork.engine.operations.resource_undoing import begin_delete, begin_rollback
from formwork.engine.operations.services import OperationServices
from formwork.engine.operations.step import Step
from formwork.stacks.errors import StackError
from formwork.stacks.store.steps import (
    AskingHooks,
    AwaitingSignals,
    Calling,
    Ended,
    HandlerAction,
    NotStarted,
    Phase,
    Reading,
    StackHooks,
    StepState,
)


def advance(
    services: OperationServices,
    operation_id: str,
    phase: Phase,
    logical_id: str,
    cancelled: Callable[[], bool] = lambda: False,
) -> float | StepState:
    """Advance a step as far as possible; return the seconds to wait before the next call, or how the step has ended.

    If it would have to wait but is `cancelled`, since another resource has failed, it ends unfinished.
    """
    step = Step(services, operation_id, phase, logical_id)
    while step.record.state is StepState.RUNNING:
        wait = step.record.due - services.now()
        if wait <= 0:
            services.work.check()
            _go_on(step)
        elif cancelled():
            step.cancel()
        else:
            return wait
    return step.record.state


def break_off(
    services: OperationServices, operation_id: str, phase: Phase, logical_id: str, error: Exception
) -> StepState:
    """End a step after an unexpected error; return how it has ended."""
    step = Step(services, operation_id, phase, logical_id)
    if step.record.state is StepState.RUNNING:
        action, resource = HandlerAction.DELETE, step.current
        if step.record.doing is not None:
            action, resource = step.record.doing.action, step.record.doing.resource
        elif phase is Phase.DEPLOY:
            action = HandlerAction.CREATE if resource is None else HandlerAction.UPDATE
        step.fail(action, internal_failure(error), resource=resource)
    return step.record.state


def _go_on(step: Step) -> None:
    stage = step.record.progress
    match stage:
        case NotStarted():
            _begin(step)
        case AskingHooks():
            _ask_hooks(step, stage)
        case Calling():
            call_handler(step, stage)
        case Reading():
            read_resource(step, stage)
        case AwaitingSignals():
            await_signals(step, stage)
        case Ended() | StackHooks():
            raise AssertionError("the step of a resource that runs has not ended")
        case _:
            assert_never(stage)


def _ask_hooks(step: Step, stage: AskingHooks) -> None:
    try:
        ask_hooks(step, stage)
    except StackError as error:  # a dynamic reference can't be resolved
        step.fail(stage.doing.action, error.message, resource=stage.doing.resource)


def _begin(step: Step) -> None:
    match step.phase:
        case Phase.DEPLOY:
            begin_deploy(step)
        case Phase.ROLLBACK:
            begin_rollback(step)
        case Phase.CLEANUP | Phase.DELETE:
            begin_delete(step)
        case Phase.HOOKS:
            raise AssertionError("the hooks of a stack have no step of a resource")
        case _:
            assert_never(step.phase)
