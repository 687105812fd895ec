"""What a hook is asked about: a resource, a stack, a change set, or a resource of Cloud Control.

Source: the service's hooks guide, "Hook targets", "Target actions"; `HookTarget` and `HookResultSummary` of its model.
"""

from enum import StrEnum

from msgspec import Struct


class TargetKind(StrEnum):
    """The operations that hooks look at, as TargetOperations names them."""

    RESOURCE = "RESOURCE"
    STACK = "STACK"
    CHANGE_SET = "CHANGE_SET"
    CLOUD_CONTROL = "CLOUD_CONTROL"

    @property
    def holds_resources(self) -> bool:
        """Whether the target is a resource, not a template."""
        return self in {TargetKind.RESOURCE, TargetKind.CLOUD_CONTROL}


class HookTarget(Struct, frozen=True, kw_only=True):
    """A target, and the operation it belongs to.

    `action` is CREATE, UPDATE or DELETE, which says what handler is called: what `imports` has none of its own, and is
    asked about with that of what it comes to for the stack. `name` is a resource's type, else STACK or CHANGE_SET;
    `identifier` the logical id, the stack's name, the change set's ARN, or what Cloud Control's requests construct.
    `execution` is the stack's ARN, of Cloud Control the hooks request token. What belongs to no stack has no
    `stack_name`.
    """

    kind: TargetKind
    action: str
    name: str
    identifier: str
    execution: str
    stack_name: str | None = None
    role: str | None = None
    change_set: str | None = None
    imports: bool = False

    @property
    def shown_action(self) -> str:
        """The action in results and events."""
        return "IMPORT" if self.imports else self.action

    @property
    def listed_as(self) -> str:
        """The TargetId that its results are listed under."""
        match self.kind:
            case TargetKind.RESOURCE | TargetKind.CHANGE_SET:
                return self.identifier
            case TargetKind.STACK | TargetKind.CLOUD_CONTROL:
                return self.execution

    @property
    def stack_arn(self) -> str | None:
        """The ARN of the stack, None for a target of Cloud Control."""
        return None if self.kind is TargetKind.CLOUD_CONTROL else self.execution
