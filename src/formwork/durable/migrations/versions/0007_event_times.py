"""The events of a stack are at least a millisecond apart."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Give each event of a stack a time of its own, in the order in which they were written."""
    events = sa.table("engine_event", sa.column("number"), sa.column("stack_id"), sa.column("time"))
    connection = op.get_bind()
    last: dict[str, int] = {}
    order = sa.select(events).order_by(events.c.stack_id, events.c.number)
    for number, stack_id, time in connection.execute(order).all():
        last[stack_id] = max(round(time * 1000), last.get(stack_id, 0) + 1)
        connection.execute(events.update().where(events.c.number == number).values(time=last[stack_id] / 1000))
    op.drop_index("engine_event_stack", "engine_event")
    op.create_index("engine_event_time", "engine_event", ["stack_id", "time"], unique=True)
