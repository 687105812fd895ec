"""The column that says which process runs an operation."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add it."""
    op.add_column("engine_operation", sa.Column("owner", sa.String(64)))
