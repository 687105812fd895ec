"""Values that stacks share: exports, and outputs by the name of their stack.

Source: CloudFormation template reference, "Fn::ImportValue" and "Fn::GetStackOutput". A role in another account
selects that account; permissions are not checked.
"""

from formwork.aws.partitions import partition_of
from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.engine.deployed.exports import find_exporter
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.stacks import find_stack
from formwork.template.evaluation import StackOutput

_ARN_PARTS = 6


class SeenStacks:
    """`OtherStacks` as a stack of one account and Region sees them."""

    def __init__(self, database: Database, scope: Scope) -> None:
        self._database = database
        self._scope = scope

    def export(self, name: str) -> str:
        """See `OtherStacks.export`."""
        with self._database.read() as connection:
            found = find_exporter(connection, self._scope, name)
        if found is None:
            raise KeyError(name)
        return found[1]

    def output(self, wanted: StackOutput) -> str:
        """See `OtherStacks.output`."""
        scope = self._place(wanted)
        with self._database.read() as connection:
            stack = find_stack(connection, scope, wanted.stack_name)
        if stack is None or stack.status is StackStatus.DELETE_COMPLETE:
            raise LookupError(f"Stack with id {wanted.stack_name} does not exist")
        value = stack.outputs.get(wanted.output_name, (None,))[0]
        if value is None:
            raise LookupError(f"Output {wanted.output_name} of stack {wanted.stack_name} does not exist")
        return value

    def _place(self, wanted: StackOutput) -> Scope:
        """Return the role's account and the Region; both default to the stack's own."""
        account, region = self._scope.account, wanted.region or self._scope.region
        if wanted.role_arn is not None:
            parts = wanted.role_arn.split(":")
            if len(parts) != _ARN_PARTS or parts[2] != "iam":
                raise LookupError(f"{wanted.role_arn} is not the ARN of a role")
            account = parts[4]
        if partition_of(region) != self._scope.partition:
            raise LookupError(f"Fn::GetStackOutput cannot refer to a stack in {region}: it is of another partition")
        return Scope(account, region)
