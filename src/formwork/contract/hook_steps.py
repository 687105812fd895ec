"""Steps that the tests of the three invocation points share."""

from enum import Enum, auto

from formwork.contract.hook_case import HookTestCase, outcome, passed, refused
from formwork.contract.hook_inputs import HookCase
from formwork.contract.hook_targets import InvocationPoint, TargetUnderTest, unnamed_target
from formwork.contract.marks import ANSWER
from formwork.contract.memory import Effort
from formwork.contract.recording import NotApplicableError, error_code
from formwork.contract_results.findings import ClauseState
from formwork.invoke import Operation

# The handler itself (or the runtime in its place) says that it cannot deal with the target.
_NO_ANSWER = frozenset({"UnsupportedTarget", "InternalFailure", "HandlerInternalFailure", "Unknown"})
# A refusal that a model made from a schema alone may deserve.
_DESERVED = frozenset({"NonCompliant", "InvalidRequest", "ResourceConflict"})


def judge_compliant(test: HookTestCase, point: InvocationPoint) -> None:
    """Call the hook with a valid model of each target, and judge `hook.success` and `hook.targets`."""
    targets, empty = test.subject.targets(point)
    for name in empty:
        _leave_open(test, f"{point} {name}", f'no type at hand matches "{name}"; put schemas into target-schemas/')
    for target in targets:
        more = 1 if test.subject.effort is Effort.QUICK else 8
        cases = test.subject.inputs.compliant(point, target, more=more)
        if not cases:
            _no_cases(test, point, target)
        else:
            _judge_target(test, point, target, cases)


def _no_cases(test: HookTestCase, point: InvocationPoint, target: TargetUnderTest) -> None:
    why = "no input fits its schema" if target.schema is not None else "the project has no schema of it"
    hint = "put it into target-schemas/, or an input into inputs/"
    _leave_open(test, _part(point, target), f"nothing to ask about {target.name}: {why}; {hint}")


def _leave_open(test: HookTestCase, part: str, why: str) -> None:
    for clause in ("hook.targets", "hook.success"):
        test.leave_gap(clause, part, why)


def _part(point: InvocationPoint, target: TargetUnderTest) -> str:
    """Return the name of a point and target, for which clauses about every target are judged separately."""
    return f"{point} {target.name}"


class _Seen(Enum):
    """How a handler answered about a target that may comply."""

    NOTHING = auto()
    PASSED = auto()
    REFUSED = auto()  # which the model may deserve
    WRONG = auto()


def _judge_target(test: HookTestCase, point: InvocationPoint, target: TargetUnderTest, cases: list[HookCase]) -> None:
    part = _part(point, target)
    seen = {_ask(test, point, target, case) for case in cases}
    if seen != {_Seen.NOTHING}:
        test.record.worked.add(ANSWER)
    if _Seen.PASSED in seen:
        test.record.worked.add(point)
    if _Seen.NOTHING in seen:
        for clause in ("hook.targets", "hook.success"):
            why = f"{point.handler} for {target.name} has no answer"
            test.leave_gap(clause, part, why, ClauseState.NOT_TESTED)
        return
    test.fill("hook.targets", part)
    if _Seen.PASSED in seen:
        test.fill("hook.success", part)
    elif _Seen.WRONG not in seen:
        why = f"generated models of {target.name} may be non-compliant; give {_files(point)}, or overrides"
        test.leave_gap("hook.success", part, why)


def _ask(test: HookTestCase, point: InvocationPoint, target: TargetUnderTest, case: HookCase) -> _Seen:
    operation = test.ask(point, target, case)
    what = f"{point.handler} for {target.name} ({case.origin})"
    if not _is_answered(test, operation, what):
        return _Seen.NOTHING
    if passed(operation):
        return _Seen.PASSED
    if case.known or error_code(operation) not in _DESERVED:
        test.violate("hook.success", f"{what} is {outcome(operation)} instead of SUCCESS", [operation])
        return _Seen.WRONG
    return _Seen.REFUSED


def _is_answered(test: HookTestCase, operation: Operation, what: str) -> bool:
    """Return whether the handler answered about the target at all: `hook.targets` demands it."""
    if (passed(operation) or refused(operation)) and error_code(operation) not in _NO_ANSWER:
        return True
    if operation.event is not None and not refused(operation):
        return False  # not an answer, or none yet: a clause `event.*` is about that
    if operation.problem is None or not operation.problem.timed_out:  # `hook.time` is about those
        test.violate("hook.targets", f"{what} has no answer: {outcome(operation)}", [operation])
    return False


def _files(point: InvocationPoint) -> str:
    return f"inputs/inputs_1_{point.handler.replace('pre', 'pre_').lower()}.json"


def judge_non_compliant(test: HookTestCase, point: InvocationPoint) -> None:
    """Invoke the hook with each target's non-compliant models, and judge `hook.failed`."""
    targets, _ = test.subject.targets(point)
    for target in targets:
        cases = test.subject.inputs.non_compliant(point, target)
        if not cases:
            name = _files(point).replace("inputs_1_", "inputs_1_invalid_")
            why = f"not provable with these inputs: nothing says what {point.handler} refuses of {target.name}"
            why = f"{why}; give {name}, or overrides for INVALID"
            test.leave_gap("hook.failed", _part(point, target), why)
        for case in cases:
            operation = test.ask(point, target, case)
            _judge_refusal(test, point, target, case, operation)


def _judge_refusal(
    test: HookTestCase, point: InvocationPoint, target: TargetUnderTest, case: HookCase, operation: Operation
) -> None:
    what = f"{point.handler} for {target.name} ({case.origin})"
    part = _part(point, target)
    if not _is_answered(test, operation, what):
        test.leave_gap("hook.failed", part, f"{what} has no answer", ClauseState.NOT_TESTED)
    elif refused(operation):
        test.fill("hook.failed", part)
        test.hold("hook.failed", marks=[point])
    elif not case.known:
        name = _files(point).replace("inputs_1_", "inputs_1_invalid_")
        test.leave_gap("hook.failed", part, f"{what} passes, which may be right; give {name}")
    else:
        test.violate("hook.failed", f"{what} is {outcome(operation)} instead of FAILED", [operation])


def judge_unnamed(test: HookTestCase, point: InvocationPoint) -> None:
    """Ask about a type that the handler does not name: `hook.unknown`."""
    name = unnamed_target(test.subject.target_names(point))
    if name is None:
        raise NotApplicableError("the handler names every type there is")
    model = {"resourceProperties": {"Name": "unnamed", "Size": 1, "Enabled": True}}
    if point is InvocationPoint.PRE_UPDATE:
        model["previousResourceProperties"] = {"Name": "unnamed", "Size": 2, "Enabled": True}
    case = HookCase(model, known=True, origin="a target that it does not name")
    operation = test.ask(point, TargetUnderTest(name), case, expects_failure=True)
    if refused(operation):
        test.hold("hook.unknown", marks=[point])
    elif operation.event is not None:
        message = f"{point.handler} for {name}, which it does not name, is {outcome(operation)} instead of FAILED"
        test.violate("hook.unknown", message, [operation])
