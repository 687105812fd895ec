"""The id of the key that texts with secrets are sealed with."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table; unencrypted texts are sealed when they are next written."""
    op.create_table("durable_key", sa.Column("id", sa.String(16), primary_key=True))
