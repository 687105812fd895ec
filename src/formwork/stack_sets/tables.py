"""The tables of stack sets, beside the engine's; `durable/migrations` makes them."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)

from formwork.durable.sealed_text import SealedText
from formwork.stacks.store.tables import metadata

stack_sets = Table(
    "engine_stack_set",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("name", String(128), nullable=False),
    Column("live", Boolean),  # true until it is deleted, then null: a name is taken once among those that live
    Column("created", Float, nullable=False),
    Column("deleted", Float),
    Column("token", String(128)),
    Column("request", String(64), nullable=False),
    Column("definition_json", SealedText, nullable=False),
    Column("drift_json", SealedText),
    UniqueConstraint("account", "region", "name", "live", name="engine_stack_set_name"),
    Index("engine_stack_set_listing", "account", "region", "created", "id"),
)

instances = Table(
    "engine_stack_instance",
    metadata,
    Column("stack_set_id", String(36), ForeignKey("engine_stack_set.id"), nullable=False),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("instance_json", SealedText, nullable=False),  # Instance
    PrimaryKeyConstraint("stack_set_id", "account", "region", name="engine_stack_instance_key"),
)

operations = Table(
    "engine_stack_set_operation",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("stack_set_id", String(36), ForeignKey("engine_stack_set.id"), nullable=False),
    Column("id", String(128), nullable=False),
    Column("action", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("started", Float, nullable=False),
    Column("ended", Float),
    Column("request", String(64), nullable=False),
    Column("more_json", SealedText, nullable=False),
    UniqueConstraint("stack_set_id", "id", name="engine_stack_set_operation_id"),
)

results = Table(
    "engine_stack_set_result",
    metadata,
    Column("operation", Integer, ForeignKey("engine_stack_set_operation.number"), nullable=False),
    Column("place", Integer, nullable=False),  # the order in which they are gone through
    Column("result_json", SealedText, nullable=False),  # Result
    PrimaryKeyConstraint("operation", "place", name="engine_stack_set_result_key"),
)
