"""What the tests of the three invocation points do alike."""

from formwork.contract.bench import NotApplicableError, error_code
from formwork.contract.hook_inputs import HookCase
from formwork.contract.hook_targets import HookTarget, InvocationPoint, unnamed_target
from formwork.contract.hook_trial import HookTrial, outcome, passed, refused
from formwork.contract.subject import Effort
from formwork.invoke import Operation

# The handler itself (or the runtime in its place) says that it cannot deal with the target.
_NO_ANSWER = frozenset({"UnsupportedTarget", "InternalFailure", "HandlerInternalFailure", "Unknown"})
# A refusal that a model made from a schema alone may deserve.
_DESERVED = frozenset({"NonCompliant", "InvalidRequest"})


def judge_compliant(trial: HookTrial, point: InvocationPoint) -> None:
    """Ask about each target what should pass: `hook.success`, `hook.targets`."""
    targets, empty = trial.subject.targets(point)
    for name in empty:
        trial.not_provable("hook.targets", f'no type at hand matches "{name}"; put schemas into target-schemas/')
    for target in targets:
        more = 1 if trial.subject.effort is Effort.QUICK else 8
        cases = trial.subject.inputs.compliant(point, target, more=more)
        if not cases:
            _no_cases(trial, target)
        else:
            _judge_target(trial, point, target, cases)
    if "hook.progress" not in trial.record.proved:
        trial.not_provable("hook.progress", "no answer was IN_PROGRESS")


def _no_cases(trial: HookTrial, target: HookTarget) -> None:
    why = "no input fits its schema" if target.schema is not None else "the project has no schema of it"
    hint = "put it into target-schemas/, or an input into inputs/"
    for clause in ("hook.targets", "hook.success"):
        trial.not_provable(clause, f"nothing to ask about {target.name}: {why}; {hint}")


def _judge_target(trial: HookTrial, point: InvocationPoint, target: HookTarget, cases: list[HookCase]) -> None:
    let_through = False
    for case in cases:
        operation = trial.ask(point, target, case)
        if operation.event is None:
            continue
        what = f"{point.handler} for {target.name} ({case.origin})"
        if error_code(operation) in _NO_ANSWER:
            trial.violate("hook.targets", f"{what} has no answer: {outcome(operation)}", [operation])
            continue
        trial.record.proved["hook.targets"] = None
        if passed(operation):
            let_through = True
        elif case.known or error_code(operation) not in _DESERVED:
            trial.violate("hook.success", f"{what} is {outcome(operation)} instead of SUCCESS", [operation])
            let_through = True
    if let_through:
        trial.record.proved["hook.success"] = None
    else:
        why = f"generated models of {target.name} may be non-compliant; give {_files(point)}, or overrides"
        trial.not_provable("hook.success", why)


def _files(point: InvocationPoint) -> str:
    return f"inputs/inputs_1_{point.handler.replace('pre', 'pre_').lower()}.json"


def judge_non_compliant(trial: HookTrial, point: InvocationPoint) -> None:
    """Ask about each target what must be refused: `hook.failed`."""
    targets, _ = trial.subject.targets(point)
    for target in targets:
        cases = trial.subject.inputs.non_compliant(point, target)
        if not cases:
            name = _files(point).replace("inputs_1_", "inputs_1_invalid_")
            why = f"not provable with these inputs: nothing says what {point.handler} refuses of {target.name}"
            trial.not_provable("hook.failed", f"{why}; give {name}, or overrides for INVALID")
        for case in cases:
            operation = trial.ask(point, target, case)
            if operation.event is not None:
                _judge_refusal(trial, point, target, case, operation)


def _judge_refusal(
    trial: HookTrial, point: InvocationPoint, target: HookTarget, case: HookCase, operation: Operation
) -> None:
    what = f"{point.handler} for {target.name} ({case.origin})"
    if error_code(operation) in _NO_ANSWER:
        trial.violate("hook.targets", f"{what} has no answer: {outcome(operation)}", [operation])
        return
    message = f"{what} is {outcome(operation)} instead of FAILED"
    trial.judge("hook.failed", refused(operation), message, [operation])


def judge_unnamed(trial: HookTrial, point: InvocationPoint) -> None:
    """Ask about a type that the handler does not name: `hook.unknown`."""
    name = unnamed_target(trial.subject.target_names(point))
    if name is None:
        raise NotApplicableError("the handler names every type there is")
    model = {"resourceProperties": {"Name": "unnamed", "Size": 1, "Enabled": True}}
    if point is InvocationPoint.PRE_UPDATE:
        model["previousResourceProperties"] = {"Name": "unnamed", "Size": 2, "Enabled": True}
    case = HookCase(model, known=True, origin="a target that it does not name")
    operation = trial.ask(point, HookTarget(name), case, expects_failure=True)
    if operation.event is not None:
        message = f"{point.handler} for {name}, which it does not name, is {outcome(operation)} instead of FAILED"
        trial.judge("hook.unknown", refused(operation), message, [operation])
