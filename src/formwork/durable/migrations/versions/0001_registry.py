"""The registry's tables, and the workers of `durable/workflows.py`."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "registry_type",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(204), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("last_number", sa.Integer(), nullable=False),
        sa.Column("default_number", sa.Integer()),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("updated", sa.Float(), nullable=False),
        sa.Column("publisher_id", sa.String(40)),
        sa.Column("original_name", sa.String(204)),
        sa.Column("auto_update", sa.Boolean()),
        sa.Column("major", sa.Integer()),
        sa.UniqueConstraint("account", "region", "kind", "name", name="registry_type_name"),
    )
    op.create_index("registry_type_listing", "registry_type", ["account", "region", "status", "name", "kind"])
    op.create_index("registry_type_public", "registry_type", ["publisher_id", "region", "original_name", "kind"])
    op.create_table(
        "registry_version",
        sa.Column("type_id", sa.Integer(), sa.ForeignKey("registry_type.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("description", sa.Text()),
        sa.Column("provisioning", sa.String(20)),
        sa.Column("public_version", sa.String(64)),
        sa.Column("source_url", sa.Text()),
        sa.Column("documentation_url", sa.Text()),
        sa.Column("execution_role", sa.String(256)),
        sa.Column("log_role", sa.String(256)),
        sa.Column("log_group", sa.String(512)),
        sa.Column("test_status", sa.String(12), nullable=False),
        sa.Column("test_description", sa.Text()),
        sa.Column("package", sa.String(64)),
        sa.Column("schema", sa.Text()),
        sa.PrimaryKeyConstraint("type_id", "number", name="registry_version_key"),
    )
    op.create_index("registry_version_package", "registry_version", ["package"])
    op.create_table(
        "registry_registration",
        sa.Column("token", sa.String(36), primary_key=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("type_id", sa.Integer(), sa.ForeignKey("registry_type.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("description", sa.Text()),
        sa.Column("remark", sa.Text()),
        sa.Column("package_url", sa.Text(), nullable=False),
        sa.Column("client_token", sa.String(128)),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.UniqueConstraint("account", "region", "client_token", name="registry_registration_client_token"),
    )
    op.create_index(
        "registry_registration_listing", "registry_registration", ["account", "region", "status", "created", "token"]
    )
    op.create_index("registry_registration_type", "registry_registration", ["type_id", "number"])
    op.create_table(
        "registry_configuration",
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(204), nullable=False),
        sa.Column("alias", sa.String(256), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("updated", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("account", "region", "kind", "name", "alias", name="registry_configuration_key"),
    )
    op.create_table(
        "registry_publisher",
        sa.Column("account", sa.String(12), primary_key=True),
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("identity", sa.String(20), nullable=False),
        sa.Column("connection_arn", sa.String(256)),
        sa.Column("profile", sa.Text()),
        sa.Column("created", sa.Float(), nullable=False),
        sa.UniqueConstraint("id", name="registry_publisher_id"),
    )
    op.create_table(
        "registry_public_version",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("publisher_id", sa.String(40), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(204), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("description", sa.Text()),
        sa.Column("provisioning", sa.String(20)),
        sa.Column("source_url", sa.Text()),
        sa.Column("documentation_url", sa.Text()),
        sa.Column("package", sa.String(64), nullable=False),
        sa.Column("schema", sa.Text(), nullable=False),
        sa.UniqueConstraint("publisher_id", "region", "kind", "name", "version", name="registry_public_version_key"),
    )
    op.create_index(
        "registry_public_version_listing", "registry_public_version", ["region", "name", "kind", "publisher_id"]
    )
    op.create_index("registry_public_version_package", "registry_public_version", ["package"])
    op.create_table(
        "registry_test",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("type_id", sa.Integer(), sa.ForeignKey("registry_type.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("bucket", sa.String(63)),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_index("registry_test_status", "registry_test", ["status"])
    op.create_table(
        "registry_progress",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("account", sa.String(12), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("bearer_token", sa.String(128), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("message", sa.Text()),
        sa.Column("error_code", sa.String(64)),
        sa.Column("model", sa.Text()),
        sa.Column("client_token", sa.String(128)),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_index("registry_progress_token", "registry_progress", ["account", "region", "bearer_token", "id"])
    op.create_table(
        "worker",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
    )
