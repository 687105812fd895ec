"""The table of notices, which waits for their delivery: events about the answers of hooks."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "engine_notice",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("busy_until", sa.Float(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.UniqueConstraint("id", name="engine_notice_id"),
    )
