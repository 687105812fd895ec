"""Seals the options of operations, which may contain a macro's error message and ids of imported resources."""

from alembic import op

from formwork.durable.sealing_columns import seal_columns

revision = "0011"
down_revision = "0010"

_SEALED = {"engine_operation": (["id"], ["options_json"])}


def upgrade() -> None:
    """Seal unencrypted texts, where the database has a key."""
    seal_columns(op.get_bind(), _SEALED)
