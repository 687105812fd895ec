"""The registry's tables; `durable/migrations` makes them, and a test compares the two.

Times are seconds since the epoch. A type is known by account, Region, kind and name for ever: when it is deregistered
its row stays DEPRECATED, so that version numbers are never used again. An activated public type is a type like any
other, with the columns of its publisher set.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from formwork.durable.sealed_text import SealedText

metadata = MetaData()

types = Table(
    "registry_type",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("name", String(204), nullable=False),
    Column("status", String(12), nullable=False),  # PENDING until a version is there, FAILED, LIVE, DEPRECATED
    Column("last_number", Integer, nullable=False),
    Column("default_number", Integer),
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Column("publisher_id", String(40)),  # set for activated types, with the three that follow
    Column("original_name", String(204)),
    Column("auto_update", Boolean),
    Column("major", Integer),
    UniqueConstraint("account", "region", "kind", "name", name="registry_type_name"),
    Index("registry_type_listing", "account", "region", "status", "name", "kind"),
    Index("registry_type_public", "publisher_id", "region", "original_name", "kind"),
)

versions = Table(
    "registry_version",
    metadata,
    Column("type_id", Integer, ForeignKey("registry_type.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", String(12), nullable=False),  # PENDING, FAILED, LIVE, DEPRECATED
    Column("created", Float, nullable=False),
    Column("description", Text),
    Column("provisioning", String(20)),
    Column("public_version", String(64)),  # of an activated type
    Column("source_url", Text),
    Column("documentation_url", Text),
    Column("execution_role", String(256)),
    Column("log_role", String(256)),
    Column("log_group", String(512)),
    Column("test_status", String(12), nullable=False),
    Column("test_description", SealedText),
    Column("package", String(64)),  # SHA-256 of the archive
    Column("schema", Text),
    PrimaryKeyConstraint("type_id", "number", name="registry_version_key"),
    Index("registry_version_package", "package"),
)

registrations = Table(
    "registry_registration",
    metadata,
    Column("token", String(36), primary_key=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("type_id", Integer, ForeignKey("registry_type.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", String(12), nullable=False),  # IN_PROGRESS, COMPLETE, FAILED
    Column("description", Text),
    Column("remark", Text),  # what the caller should know besides
    Column("package_url", Text, nullable=False),
    Column("client_token", String(128)),
    Column("request", String(64), nullable=False),  # a digest of what was asked, to know a token's second use
    Column("created", Float, nullable=False),
    UniqueConstraint("account", "region", "client_token", name="registry_registration_client_token"),
    Index("registry_registration_listing", "account", "region", "status", "created", "token"),
    Index("registry_registration_type", "type_id", "number"),
)

configurations = Table(
    "registry_configuration",
    metadata,
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("name", String(204), nullable=False),
    Column("alias", String(256), nullable=False),
    Column("content", SealedText, nullable=False),
    Column("updated", Float, nullable=False),
    PrimaryKeyConstraint("account", "region", "kind", "name", "alias", name="registry_configuration_key"),
)

publishers = Table(
    "registry_publisher",
    metadata,
    Column("account", String(12), primary_key=True),
    Column("id", String(40), nullable=False),
    Column("identity", String(20), nullable=False),
    Column("connection_arn", String(256)),
    Column("profile", Text),
    Column("created", Float, nullable=False),
    UniqueConstraint("id", name="registry_publisher_id"),
)

public_versions = Table(
    "registry_public_version",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("publisher_id", String(40), nullable=False),
    Column("region", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("name", String(204), nullable=False),
    Column("version", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("description", Text),
    Column("provisioning", String(20)),
    Column("source_url", Text),
    Column("documentation_url", Text),
    Column("package", String(64), nullable=False),
    Column("schema", Text, nullable=False),
    UniqueConstraint("publisher_id", "region", "kind", "name", "version", name="registry_public_version_key"),
    Index("registry_public_version_listing", "region", "name", "kind", "publisher_id"),
    Index("registry_public_version_package", "package"),
)

tests = Table(
    "registry_test",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("type_id", Integer, ForeignKey("registry_type.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", String(12), nullable=False),  # IN_PROGRESS, PASSED, FAILED
    Column("bucket", String(63)),
    Column("created", Float, nullable=False),
    Index("registry_test_status", "status"),
)

progress = Table(
    "registry_progress",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("bearer_token", String(128), nullable=False),
    Column("status", String(12), nullable=False),
    Column("message", SealedText),
    Column("error_code", String(64)),
    Column("model", SealedText),
    Column("client_token", String(128)),
    Column("created", Float, nullable=False),
    Index("registry_progress_token", "account", "region", "bearer_token", "id"),
)
