"""Resource scans, generated templates, and aliases of stacks."""

import sqlalchemy as sa
from alembic import op

from formwork.durable.sealed_text import SealedText

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "engine_resource_scan",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("token", sa.String(128)),
        sa.Column("scan_json", SealedText(), nullable=False),
        sa.UniqueConstraint("account", "region", "token", name="engine_resource_scan_token"),
    )
    op.create_index("engine_resource_scan_listing", "engine_resource_scan", ["account", "region", "started", "id"])
    op.create_table(
        "engine_scanned_resource",
        sa.Column("scan_id", sa.String(36), sa.ForeignKey("engine_resource_scan.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(204), nullable=False),
        sa.Column("managed", sa.Boolean(), nullable=False),
        sa.Column("resource_json", SealedText(), nullable=False),
        sa.PrimaryKeyConstraint("scan_id", "number", name="engine_scanned_resource_key"),
    )
    op.create_table(
        "engine_generated_template",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("status", sa.String(24), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("template_json", SealedText(), nullable=False),
        sa.UniqueConstraint("account", "region", "name", name="engine_generated_template_name"),
    )
    op.create_index(
        "engine_generated_template_listing", "engine_generated_template", ["account", "region", "created", "id"]
    )
    op.create_table(
        "engine_stack_alias",
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("alias", sa.String(128), nullable=False),
        sa.Column("stack_id", sa.String(36), sa.ForeignKey("engine_stack.id"), nullable=False),
        sa.PrimaryKeyConstraint("account", "region", "alias", name="engine_stack_alias_key"),
        sa.UniqueConstraint("stack_id", name="engine_stack_alias_stack"),
    )
