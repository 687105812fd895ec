"""The table of signals that programs send for resources."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "engine_signal",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.Column("logical_id", sa.String(255), nullable=False),
        sa.Column("unique_id", sa.String(255), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("data", sa.Text()),
        sa.UniqueConstraint("stack_id", "logical_id", "unique_id", name="engine_signal_key"),
    )
