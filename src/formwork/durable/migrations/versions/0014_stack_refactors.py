"""Stack refactors."""

import sqlalchemy as sa
from alembic import op

from formwork.durable.sealed_text import SealedText

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "engine_stack_refactor",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("status", sa.String(24), nullable=False),
        sa.Column("execution_status", sa.String(24), nullable=False),
        sa.Column("refactor_json", SealedText(), nullable=False),
    )
    op.create_index("engine_stack_refactor_listing", "engine_stack_refactor", ["account", "region", "created", "id"])
