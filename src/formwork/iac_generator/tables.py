"""The tables of the IaC generator, beside the engine's; `durable/migrations` makes them."""

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

scans = Table(
    "engine_resource_scan",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("status", String(16), nullable=False),
    Column("started", Float, nullable=False),
    Column("token", String(128)),
    Column("scan_json", SealedText, nullable=False),  # Scan
    UniqueConstraint("account", "region", "token", name="engine_resource_scan_token"),
    Index("engine_resource_scan_listing", "account", "region", "started", "id"),
)

scanned = Table(
    "engine_scanned_resource",
    metadata,
    Column("scan_id", String(36), ForeignKey("engine_resource_scan.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("type", String(204), nullable=False),
    Column("managed", Boolean, nullable=False),
    Column("resource_json", SealedText, nullable=False),  # ScannedResource
    PrimaryKeyConstraint("scan_id", "number", name="engine_scanned_resource_key"),
)

templates = Table(
    "engine_generated_template",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("name", String(128), nullable=False),
    Column("status", String(24), nullable=False),
    Column("created", Float, nullable=False),
    Column("template_json", SealedText, nullable=False),  # GeneratedTemplate
    UniqueConstraint("account", "region", "name", name="engine_generated_template_name"),
    Index("engine_generated_template_listing", "account", "region", "created", "id"),
)
