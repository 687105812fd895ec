"""The invocations of hooks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "engine_hook_result",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("target_kind", sa.String(16), nullable=False),
        sa.Column("target_id", sa.String(1600), nullable=False),
        sa.Column("type_arn", sa.String(1024), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("invoked", sa.Float(), nullable=False),
        sa.Column("more_json", sa.Text(), nullable=False),
        sa.UniqueConstraint("id", name="engine_hook_result_id"),
    )
    where = ["account", "region"]
    op.create_index("engine_hook_result_listing", "engine_hook_result", [*where, "number"])
    op.create_index("engine_hook_result_type", "engine_hook_result", [*where, "type_arn", "number"])
    op.create_index("engine_hook_result_target", "engine_hook_result", [*where, "target_kind", "target_id"])
