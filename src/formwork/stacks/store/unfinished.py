"""Whether there is unfinished work with stored times: when it continues, or its deadline."""

from sqlalchemy import Connection, exists, or_, select

from formwork.stacks.store.requests import ENDED
from formwork.stacks.store.tables import change_sets, operations, requests


def has_unfinished_work(connection: Connection) -> bool:
    """Return whether any operation, request or change set is under way."""
    under_way = or_(
        exists().where(operations.c.ended.is_(None)),
        exists().where(requests.c.status.not_in(ENDED)),
        exists().where(change_sets.c.status == "CREATE_IN_PROGRESS"),
    )
    return bool(connection.execute(select(under_way)).scalar())
