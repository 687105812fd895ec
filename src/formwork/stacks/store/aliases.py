"""Rows of stacks' aliases."""

from sqlalchemy import ColumnElement, Connection, select

from formwork.aws.scope import Scope
from formwork.stacks.store.tables import aliases, stacks


def insert_alias(connection: Connection, scope: Scope, alias: str, stack_id: str) -> None:
    """Give a stack an alias.

    Raises:
        IntegrityError: the stack has one, or another existing stack has this one.
    """
    gone = select(stacks.c.id).where(stacks.c.live.is_not(True))
    connection.execute(aliases.delete().where(_here(scope), aliases.c.alias == alias, aliases.c.stack_id.in_(gone)))
    connection.execute(
        aliases.insert().values(account=scope.account, region=scope.region, alias=alias, stack_id=stack_id)
    )


def delete_alias(connection: Connection, scope: Scope, alias: str) -> bool:
    """Delete an alias; return whether there was one."""
    return connection.execute(aliases.delete().where(_here(scope), aliases.c.alias == alias)).rowcount > 0


def list_aliases(connection: Connection, scope: Scope) -> dict[str, str]:
    """Return the aliases of an account and Region by the stack's id."""
    rows = connection.execute(select(aliases.c.stack_id, aliases.c.alias).where(_here(scope)))
    return {row.stack_id: row.alias for row in rows}


def _here(scope: Scope) -> ColumnElement[bool]:
    return (aliases.c.account == scope.account) & (aliases.c.region == scope.region)
