"""Stack policies and termination protection."""

from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.engine.stack_policies import parse_stack_policy
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.operations import get_operation
from formwork.stacks.store.stacks import write_stack


class Protection:
    """Sets stack policies and termination protection. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def set_policy(self, scope: Scope, name: str, text: str) -> None:
        """Replace the policy of the stack."""
        parse_stack_policy(text)
        with self._engine.database.begin() as connection:
            stack = self._engine.lookups.expect(connection, scope, name)
            write_stack(connection, replace(stack, policy=text))

    def get_policy(self, scope: Scope, name: str) -> str | None:
        """Return the policy that applies now; an update may have its own."""
        with self._engine.database.read() as connection:
            stack = self._engine.lookups.expect(connection, scope, name)
            if stack.status.busy and stack.operation_id is not None:
                during = get_operation(connection, stack.operation_id).options.policy
                return stack.policy if during is None else during
        return stack.policy

    def protect(self, scope: Scope, name: str, *, enabled: bool) -> str:
        """Set whether the stack is protected against deletion; return its ARN."""
        with self._engine.database.begin() as connection:
            stack = self._engine.lookups.expect(connection, scope, name)
            if stack.status is StackStatus.DELETE_COMPLETE or stack.status is StackStatus.DELETE_IN_PROGRESS:
                raise StackError(f"TerminationProtection cannot be changed on stack {name} in {stack.status} state")
            if stack.settings.parent_id is not None:
                raise StackError(
                    "TerminationProtection cannot be updated on nested stacks: "
                    f"update it on the root stack [{stack.settings.root_id}]"
                )
            changed = replace(stack.settings, termination_protection=enabled)
            write_stack(connection, replace(stack, settings=changed))
        return stack.arn
