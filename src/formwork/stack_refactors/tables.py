"""The table of stack refactors, beside the engine's; `durable/migrations` makes it."""

from sqlalchemy import Column, Float, Index, String, Table

from formwork.durable.sealed_text import SealedText
from formwork.stacks.store.tables import metadata

refactors = Table(
    "engine_stack_refactor",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("created", Float, nullable=False),
    Column("status", String(24), nullable=False),
    Column("execution_status", String(24), nullable=False),
    Column("refactor_json", SealedText, nullable=False),  # StackRefactor
    Index("engine_stack_refactor_listing", "account", "region", "created", "id"),
)
