"""Stack sets, their instances, their operations and the results of these."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "engine_stack_set",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("live", sa.Boolean()),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("deleted", sa.Float()),
        sa.Column("token", sa.String(128)),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("definition_json", sa.Text(), nullable=False),
        sa.Column("drift_json", sa.Text()),
        sa.UniqueConstraint("account", "region", "name", "live", name="engine_stack_set_name"),
    )
    op.create_index("engine_stack_set_listing", "engine_stack_set", ["account", "region", "created", "id"])
    op.create_table(
        "engine_stack_instance",
        sa.Column("stack_set_id", sa.String(36), sa.ForeignKey("engine_stack_set.id"), nullable=False),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("instance_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("stack_set_id", "account", "region", name="engine_stack_instance_key"),
    )
    op.create_table(
        "engine_stack_set_operation",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("stack_set_id", sa.String(36), sa.ForeignKey("engine_stack_set.id"), nullable=False),
        sa.Column("id", sa.String(128), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float()),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("more_json", sa.Text(), nullable=False),
        sa.UniqueConstraint("stack_set_id", "id", name="engine_stack_set_operation_id"),
    )
    op.create_table(
        "engine_stack_set_result",
        sa.Column("operation", sa.Integer(), sa.ForeignKey("engine_stack_set_operation.number"), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("result_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("operation", "place", name="engine_stack_set_result_key"),
    )
