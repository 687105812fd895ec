"""The roles of docs/how-to/share-the-work.md can do what they are for, and nothing else."""

import json
import re

import psycopg
import pytest
from psycopg import errors

from support.corpus import REPOSITORY
from support.pages import blocks
from support.registry import THING, resource_package
from support.serving import register, serving

PAGE = REPOSITORY / "docs/how-to/share-the-work.md"
TEMPLATE = json.dumps({"Resources": {"Thing": {"Type": THING, "Properties": {"Name": "one"}}}})
HANDLERS = (
    "def resource(event, context):\n"
    "    return {'status': 'SUCCESS', 'resourceModel': None if event['action'] == 'DELETE' else {'Name': 'one'}}\n"
)
REFUSED = [
    ("formwork_work", "CREATE TABLE mine (id int)"),
    ("formwork_work", "DROP TABLE engine_stack"),
    ("formwork_work", "ALTER TABLE durable_workflow ADD COLUMN mine int"),
    ("formwork_work", "UPDATE alembic_version SET version_num = '9999'"),
    ("formwork_work", "TRUNCATE engine_stack"),
    ("formwork_work", "COPY worker TO PROGRAM 'cat'"),
    ("formwork_work", "SELECT pg_read_file('/etc/passwd')"),
    ("formwork_work", "CREATE ROLE more"),
    ("formwork_read", "DELETE FROM engine_stack"),
    ("formwork_read", "INSERT INTO worker (id, started, seen) VALUES ('x', 0, 0)"),
    ("formwork_read", "SELECT count(*) FROM durable_workflow"),
    ("formwork_read", "SELECT count(*) FROM durable_step"),
    ("formwork_read", "INSERT INTO durable_workflow (id, name, arguments_json, created) VALUES ('x', 'x', '[]', 0)"),
]


@pytest.fixture
def administrator(make_database):
    """The URL of a database of an administrator; the roles of the page, and their database, are removed at the end."""
    url = make_database()
    yield url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS formwork WITH (FORCE)")
        for role in ("formwork_owner", "formwork_work", "formwork_read"):
            connection.execute(f"DROP ROLE IF EXISTS {role}")


def execute(url, statements):
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in re.sub(r"--.*", "", statements).split(";"):
            if statement.strip():
                connection.execute(statement)


def test_the_roles_of_the_page(administrator, tmp_path):
    host = administrator.rpartition("@")[2].partition("/")[0]
    url = {
        role: f"postgresql://{role}@{host}/formwork" for role in ("formwork_owner", "formwork_work", "formwork_read")
    }
    creating, granting = blocks(PAGE.read_text(encoding="utf-8"), "sql")
    execute(administrator, creating)
    with serving(tmp_path, "--database", url["formwork_owner"], forked=True) as server:
        server.stop()
    execute(url["formwork_owner"], granting)
    with serving(tmp_path, "--database", url["formwork_work"], forked=True) as server:
        register(server, content=resource_package(handlers=HANDLERS))
        cloudformation = server.client("cloudformation")
        cloudformation.create_stack(StackName="one", TemplateBody=TEMPLATE)
        cloudformation.get_waiter("stack_create_complete").wait(StackName="one")
        with psycopg.connect(url["formwork_read"]) as connection:
            found = connection.execute("SELECT status FROM engine_stack WHERE name = 'one'").fetchall()
            assert found == [("CREATE_COMPLETE",)]
        cloudformation.delete_stack(StackName="one")
        cloudformation.get_waiter("stack_delete_complete").wait(StackName="one")
        server.stop()
    for role, statement in REFUSED:
        with psycopg.connect(url[role]) as connection, pytest.raises(errors.InsufficientPrivilege):
            connection.execute(statement)
