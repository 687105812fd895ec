"""The engine's tables."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "engine_stack",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("live", sa.Boolean()),
        sa.Column("status", sa.String(64), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("updated", sa.Float()),
        sa.Column("deleted", sa.Float()),
        sa.Column("settings_json", sa.Text(), nullable=False),
        sa.Column("deployed_json", sa.Text()),
        sa.Column("outputs_json", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text()),
        sa.Column("drift_status", sa.String(16), nullable=False),
        sa.Column("drift_checked", sa.Float()),
        sa.Column("operation_id", sa.String(36)),
        sa.UniqueConstraint("account", "region", "name", "live", name="engine_stack_name"),
    )
    op.create_index("engine_stack_listing", "engine_stack", ["account", "region", "created", "id"])
    op.create_table(
        "engine_resource",
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.Column("logical_id", sa.String(255), nullable=False),
        sa.Column("type", sa.String(204), nullable=False),
        sa.Column("physical_id", sa.Text()),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("updated", sa.Float(), nullable=False),
        sa.Column("declaration_json", sa.Text(), nullable=False),
        sa.Column("properties_json", sa.Text(), nullable=False),
        sa.Column("model_json", sa.Text(), nullable=False),
        sa.Column("module_json", sa.Text()),
        sa.Column("version", sa.String(8)),
        sa.Column("drift_status", sa.String(16), nullable=False),
        sa.Column("drift_checked", sa.Float()),
        sa.Column("drift_json", sa.Text()),
        sa.PrimaryKeyConstraint("stack_id", "logical_id", name="engine_resource_key"),
    )
    op.create_table(
        "engine_leftover",
        sa.Column("id", sa.String(120), primary_key=True),
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.Column("logical_id", sa.String(255), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("resource_json", sa.Text(), nullable=False),
    )
    op.create_index("engine_leftover_stack", "engine_leftover", ["stack_id", "number"])
    op.create_table(
        "engine_event",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(160), nullable=False),
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.Column("operation_id", sa.String(36)),
        sa.Column("time", sa.Float(), nullable=False),
        sa.Column("logical_id", sa.String(255), nullable=False),
        sa.Column("physical_id", sa.Text()),
        sa.Column("type", sa.String(204), nullable=False),
        sa.Column("status", sa.String(64), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("more_json", sa.Text(), nullable=False),
        sa.UniqueConstraint("id", name="engine_event_id"),
    )
    op.create_index("engine_event_stack", "engine_event", ["stack_id", "number"])
    op.create_table(
        "engine_operation",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("token", sa.String(128)),
        sa.Column("request", sa.String(64)),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float()),
        sa.Column("target_json", sa.Text()),
        sa.Column("options_json", sa.Text(), nullable=False),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("stack_id", "token", name="engine_operation_token"),
    )
    op.create_index("engine_operation_stack", "engine_operation", ["stack_id", "started"])
    op.create_table(
        "engine_step",
        sa.Column("operation_id", sa.String(36), sa.ForeignKey("engine_operation.id"), nullable=False),
        sa.Column("phase", sa.String(12), nullable=False),
        sa.Column("logical_id", sa.String(255), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("progress_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("operation_id", "phase", "logical_id", name="engine_step_key"),
    )
    op.create_table(
        "engine_change_set",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("status", sa.String(24), nullable=False),
        sa.Column("execution_status", sa.String(24), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("request_json", sa.Text(), nullable=False),
        sa.Column("target_json", sa.Text()),
        sa.Column("changes_json", sa.Text(), nullable=False),
        sa.UniqueConstraint("stack_id", "name", name="engine_change_set_name"),
    )
    op.create_table(
        "engine_drift_detection",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.Column("status", sa.String(24), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("drift_status", sa.String(16), nullable=False),
        sa.Column("drifted", sa.Integer(), nullable=False),
        sa.Column("names_json", sa.Text()),
        sa.Column("started", sa.Float(), nullable=False),
    )
    op.create_table(
        "engine_request",
        sa.Column("token", sa.String(36), primary_key=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("type", sa.String(204), nullable=False),
        sa.Column("operation", sa.String(8), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("identifier", sa.Text()),
        sa.Column("client_token", sa.String(128)),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("error_code", sa.String(64)),
        sa.Column("message", sa.Text()),
        sa.Column("updated", sa.Float(), nullable=False),
        sa.Column("progress_json", sa.Text(), nullable=False),
        sa.UniqueConstraint("account", "region", "client_token", name="engine_request_client_token"),
    )
    op.create_index("engine_request_listing", "engine_request", ["account", "region", "updated", "token"])
    op.create_table(
        "engine_simulated",
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("type", sa.String(204), nullable=False),
        sa.Column("identifier", sa.String(512), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(128), nullable=False),
        sa.Column("model_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account", "region", "type", "identifier", name="engine_simulated_key"),
    )
