"""Each handler on its own, without CloudFormation."""

import sqlite3
from contextlib import closing

import pytest
from acme_sqlite_table.handlers import create_handler, delete_handler, list_handler, read_handler, update_handler
from acme_sqlite_table.models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel

from cloudformation_cli_python_lib import HandlerErrorCode, OperationStatus


def request_for(data, *, token="token", next_token=None, **properties):
    return ResourceHandlerRequest(
        clientRequestToken=token,
        desiredResourceState=ResourceModel._deserialize(properties),
        previousResourceState=None,
        desiredResourceTags=None,
        previousResourceTags=None,
        systemTags={"aws:cloudformation:stack-name": "tests"},
        previousSystemTags=None,
        awsAccountId="123456789012",
        logicalResourceIdentifier="Resource",
        typeConfiguration=TypeConfigurationModel(DataFolder=str(data)),
        nextToken=next_token,
        region="us-east-1",
        awsPartition="aws",
        stackId=None,
    )


BOOKS = {"DatabaseName": "shop", "TableName": "books"}
ISBN = {"Name": "isbn", "Type": "TEXT"}


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def create(data, **properties):
    return create_handler(None, request_for(data, **{**BOOKS, "Columns": [ISBN], **properties}), {})


def sql(data, statement):
    with closing(sqlite3.connect(data / "shop.db")) as connection, connection:
        return connection.execute(statement).fetchall()


def test_a_table_is_found_by_its_names_and_by_its_arn(data):
    made = create(data)
    assert made.status is OperationStatus.SUCCESS
    for identifier in (BOOKS, {"Arn": made.resourceModel.Arn}):
        assert read_handler(None, request_for(data, **identifier), {}).resourceModel == made.resourceModel


def test_the_rows_move_along_call_by_call(data):
    create(data)
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)"
    sql(data, f"{numbers} INSERT INTO books SELECT i FROM n")
    wanted = {**BOOKS, "Columns": [{"Name": "isbn", "Type": "INTEGER", "Nullable": False}]}
    event, calls = update_handler(None, request_for(data, **wanted), {}), 0
    while event.status is OperationStatus.IN_PROGRESS:
        assert event.resourceModel.RowCount == 2500
        event = update_handler(None, request_for(data, **event.resourceModel._serialize()), event.callbackContext)
        calls += 1
    assert (event.status, calls, event.resourceModel.RowCount) == (OperationStatus.SUCCESS, 3, 2500)
    assert sql(data, "SELECT DISTINCT typeof(isbn) FROM books") == [("integer",)]


def test_an_update_that_the_rows_do_not_fit_fails_and_changes_nothing(data):
    before = create(data, Columns=[ISBN, {"Name": "price", "Type": "REAL"}]).resourceModel
    sql(data, "INSERT INTO books VALUES ('1', NULL)")
    wanted = {**BOOKS, "Columns": [{"Name": "price", "Type": "REAL", "Nullable": False}]}
    started = update_handler(None, request_for(data, **wanted), {})
    failed = update_handler(None, request_for(data, **BOOKS), started.callbackContext)
    assert failed.errorCode is HandlerErrorCode.InvalidRequest
    after = read_handler(None, request_for(data, **BOOKS), {}).resourceModel
    assert after.Columns == before.Columns


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ({"token": "other"}, HandlerErrorCode.AlreadyExists),
        ({"TableName": "Books", "token": "other"}, HandlerErrorCode.AlreadyExists),
        ({"TableName": "other", "RowCount": 1}, HandlerErrorCode.InvalidRequest),
        ({"TableName": "other", "Columns": [ISBN, ISBN]}, HandlerErrorCode.InvalidRequest),
        ({"TableName": "other", "Indexes": [{"Name": "i", "Columns": ["nowhere"]}]}, HandlerErrorCode.InvalidRequest),
        ({"TableName": "sqlite_mine"}, HandlerErrorCode.InvalidRequest),
    ],
)
def test_a_create_that_cannot_be_is_refused_and_leaves_nothing(data, properties, code):
    create(data)
    assert create(data, **properties).errorCode is code
    assert len(list_handler(None, request_for(data), {}).resourceModels) == 1


def test_the_primary_key_is_for_good_and_a_missing_table_is_not_found(data):
    create(data, PrimaryKey=["isbn"])
    refused = update_handler(None, request_for(data, **BOOKS, Columns=[ISBN], PrimaryKey=["other"]), {})
    assert refused.errorCode is HandlerErrorCode.NotUpdatable
    assert delete_handler(None, request_for(data, **BOOKS), {}).status is OperationStatus.SUCCESS
    for handler in (read_handler, update_handler, delete_handler):
        assert handler(None, request_for(data, **BOOKS), {}).errorCode is HandlerErrorCode.NotFound


def test_a_list_turns_pages_over_all_databases(data):
    for database, table in (("a", "x"), ("a", "y"), ("b", "x")):
        create(data, DatabaseName=database, TableName=table)
    first = list_handler(None, request_for(data), {})
    rest = list_handler(None, request_for(data, next_token=first.nextToken), {})
    found = [(model.DatabaseName, model.TableName) for model in [*first.resourceModels, *rest.resourceModels]]
    assert found == [("a", "x"), ("a", "y"), ("b", "x")]
