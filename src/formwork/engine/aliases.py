"""Aliases of stacks: other names by which all operations find them.

Source: the documentation of SetAlias and RemoveAlias. A stack has at most one, which differs from the names and the
aliases of all stacks of the account and Region; it changes neither the stack's ARN nor its resources.
"""

import re

from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.engine.engine import Engine
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.aliases import delete_alias, insert_alias, list_aliases
from formwork.stacks.store.stacks import find_stack

_ALIAS = re.compile("[a-zA-Z][-a-zA-Z0-9]{0,127}", re.ASCII)


class StackAliases:
    """The aliases of an engine's stacks. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def set_alias(self, scope: Scope, name: str, alias: str) -> None:
        """Give a stack an alias."""
        if _ALIAS.fullmatch(alias) is None:
            raise StackError(
                f"1 validation error detected: Value '{alias}' at 'aliasName' failed to satisfy constraint: "
                "Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"
            )
        try:
            with self._engine.database.begin() as connection:
                stack = self._engine.lookups.expect(connection, scope, name)
                if stack.status is StackStatus.DELETE_COMPLETE:
                    raise StackError(f"Stack with id {name} does not exist")
                if stack.id in list_aliases(connection, scope):
                    message = f"Stack {stack.name} already has an alias. Remove the existing alias first."
                    raise StackError(message, code="LimitExceededException")
                if find_stack(connection, scope, alias) is not None:
                    raise _taken(alias)
                insert_alias(connection, scope, alias, stack.id)
        except IntegrityError as error:  # another client has taken the alias meanwhile
            raise _taken(alias) from error

    def remove_alias(self, scope: Scope, alias: str) -> None:
        """Remove an alias from its stack."""
        with self._engine.database.begin() as connection:
            if not delete_alias(connection, scope, alias):
                raise StackError(f"Alias {alias} does not exist")

    def by_stack(self, scope: Scope) -> dict[str, str]:
        """Return the aliases of an account and Region by the stack's id."""
        with self._engine.database.read() as connection:
            return list_aliases(connection, scope)


def _taken(alias: str) -> StackError:
    return StackError(f"A stack or an alias of the name {alias} already exists", code="AlreadyExistsException")
