"""What can be done to a stack: each action is one operation of the API, with its equivalent lines."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from formwork.console.parts import CallRefusedError
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.stacks.statuses import DRIFT_CHECKABLE, KEPT, StackStatus
from formwork.stacks.store.records import StackRecord

_ALLOW_ALL = '{"Statement": [{"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"}]}'
_CANCELLABLE = frozenset({StackStatus.UPDATE_IN_PROGRESS})
_CONTINUABLE = frozenset({StackStatus.UPDATE_ROLLBACK_FAILED})


def _lives(stack: StackRecord) -> bool:
    return stack.deleted is None and stack.settings.parent_id is None


def _protected(stack: StackRecord) -> bool:
    return stack.settings.termination_protection


class StackAction(Struct, frozen=True):
    """An action on a stack; `consequence` is what the page for its confirmation says.

    `confirms` says that the stack's name must be typed. `allowed` says in which statuses it can be called, `cfn` are
    the words of our command, None where there is none. `setting` is for actions that change a setting of the stack.
    """

    name: str
    label: str
    operation: str
    consequence: str
    allowed: Callable[[StackRecord], bool]
    cfn: tuple[str, ...] | None = None
    confirms: bool = False
    setting: bool = False


ACTIONS = {
    each.name: each
    for each in (
        StackAction(
            "detect-drift",
            "Detect drift",
            "DetectStackDrift",
            "Every resource is read and compared with the template. Nothing is changed.",
            lambda stack: stack.status in DRIFT_CHECKABLE,
            ("stack", "drift"),
        ),
        StackAction(
            "cancel-update",
            "Cancel the update",
            "CancelUpdateStack",
            "The update stops, and what it has changed is rolled back.",
            lambda stack: stack.status in _CANCELLABLE,
        ),
        StackAction(
            "continue-rollback",
            "Continue the rollback",
            "ContinueUpdateRollback",
            "The rollback that failed is tried again. Resources that are named are skipped and stay as they are.",
            lambda stack: stack.status in _CONTINUABLE,
        ),
        StackAction(
            "roll-back",
            "Roll back",
            "RollbackStack",
            "The stack returns to the last state that was complete.",
            lambda stack: stack.status in KEPT,
        ),
        StackAction(
            "delete",
            "Delete",
            "DeleteStack",
            "All resources of the stack are deleted, except those that the template retains.",
            lambda stack: not stack.status.busy and stack.status is not StackStatus.DELETE_COMPLETE,
            ("stack", "delete"),
            confirms=True,
        ),
        StackAction(
            "set-policy",
            "Set the stack policy",
            "SetStackPolicy",
            "The policy says which resources updates may change. A policy can be replaced, but not removed.",
            _lives,
            setting=True,
        ),
        StackAction(
            "protect",
            "Protect it from termination",
            "UpdateTerminationProtection",
            "The stack can't be deleted until the protection is ended.",
            lambda stack: _lives(stack) and not _protected(stack),
            setting=True,
        ),
        StackAction(
            "unprotect",
            "End the termination protection",
            "UpdateTerminationProtection",
            "The stack can be deleted again.",
            lambda stack: _lives(stack) and _protected(stack),
            setting=True,
        ),
    )
}


def actions_of(stack: StackRecord) -> list[StackAction]:
    """Return what can be done to a stack in its status."""
    return [each for each in ACTIONS.values() if not each.setting and each.allowed(stack)]


def settings_actions(stack: StackRecord) -> list[StackAction]:
    """Return the settings of a stack that can be changed."""
    return [each for each in ACTIONS.values() if each.setting and each.allowed(stack)]


def confirm(visit: PageVisit) -> ShownPage:
    """Show what an action does, its equivalent lines, and the form that starts it."""
    stack, action = visit.expect_stack(), _action(visit)
    return _confirmation(visit, stack, action, problem=None)


def act(visit: PageVisit) -> ShownPage | Redirection:
    """Call the operation of an action."""
    stack, action = visit.expect_stack(), _action(visit)
    if action.confirms and visit.field("confirmation") != stack.name:
        return _confirmation(visit, stack, action, problem=f'Type "{stack.name}" to confirm.')
    try:
        visit.call(stack.scope, action.operation, **_members(visit, stack, action, stack.arn))
    except CallRefusedError as error:
        return _confirmation(visit, stack, action, problem=error.message)
    return Redirection(f"/stacks/{stack.id}/values" if action.setting else f"/stacks/{stack.id}")


def _action(visit: PageVisit) -> StackAction:
    action = ACTIONS.get(visit.path["action"])
    if action is None:
        raise NotShownError("this action does not exist")
    return action


def _members(visit: PageVisit, stack: StackRecord, action: StackAction, name: str) -> Mapping[str, Any]:
    members: dict[str, Any] = {"StackName": name}
    listed = visit.field("resources").replace(",", " ").split()
    if action.name == "continue-rollback" and listed:
        members["ResourcesToSkip"] = listed
    if action.name == "delete" and listed:
        members["RetainResources"] = listed
    if action.name == "delete" and stack.status is StackStatus.DELETE_FAILED and visit.field("force") == "1":
        members["DeletionMode"] = "FORCE_DELETE_STACK"
    if action.name == "set-policy":
        members["StackPolicyBody"] = visit.field("policy", stack.policy or _ALLOW_ALL)
    if action.operation == "UpdateTerminationProtection":
        members["EnableTerminationProtection"] = action.name == "protect"
    return members


def _confirmation(visit: PageVisit, stack: StackRecord, action: StackAction, *, problem: str | None) -> ShownPage:
    cfn = None if action.cfn is None else cfn_line(*action.cfn, stack.name, scope=stack.scope)
    members = _members(visit, stack, action, stack.name)
    lines = EquivalentCall(stack.scope, visit.parts.api, action.operation, members).lines(cfn)
    listing = {
        "continue-rollback": "Resources to skip (logical ids)",
        "delete": "Resources to retain (logical ids)" if stack.status is StackStatus.DELETE_FAILED else None,
    }.get(action.name)
    values = {
        "stack": stack,
        "action": action,
        "lines": lines,
        "problem": problem,
        "listing": listing,
        "policy": members.get("StackPolicyBody"),
    }
    return ShownPage("confirm.html", values, 200 if problem is None else 400)
