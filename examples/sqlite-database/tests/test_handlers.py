"""Each handler on its own, without CloudFormation."""

import sqlite3
from contextlib import closing

import pytest
from acme_sqlite_database.handlers import create_handler, delete_handler, list_handler, read_handler, update_handler
from acme_sqlite_database.models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel

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


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def finish(handler, data, event):
    """Call the handler again as CloudFormation does, with the model and the context that it returned."""
    while event.status is OperationStatus.IN_PROGRESS:
        event = handler(None, request_for(data, **event.resourceModel._serialize()), event.callbackContext)
    return event


def create(data, **properties):
    return finish(create_handler, data, create_handler(None, request_for(data, **properties), {}))


def test_a_database_is_made_in_steps(data):
    made = create_handler(None, request_for(data, DatabaseName="library", JournalMode="WAL"), {})
    assert made.status is OperationStatus.IN_PROGRESS
    so_far = read_handler(None, request_for(data, DatabaseName="library"), {})
    assert so_far.resourceModel.JournalMode == "DELETE"
    done = finish(create_handler, data, made)
    assert (done.status, done.resourceModel.JournalMode) == (OperationStatus.SUCCESS, "WAL")
    by_arn = read_handler(None, request_for(data, Arn=done.resourceModel.Arn), {})
    assert by_arn.resourceModel == done.resourceModel


def test_a_name_is_made_up_from_the_token_so_that_a_retry_finds_its_database(data):
    names = {create(data, token=token).resourceModel.DatabaseName for token in ("a", "a", "b")}
    assert len(names) == 2


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"DatabaseName": "library", "token": "other"}, HandlerErrorCode.AlreadyExists),
        ({"DatabaseName": "new", "Arn": "arn:x"}, HandlerErrorCode.InvalidRequest),
    ],
)
def test_a_create_that_cannot_be_is_refused_by_name(data, wanted, code):
    create(data, DatabaseName="library")
    refused = create(data, AccessKey="not to be shown", **wanted)
    assert (refused.errorCode, refused.resourceModel.DatabaseName) == (code, wanted["DatabaseName"])
    assert refused.resourceModel.AccessKey is None


def test_what_is_for_good_is_not_updatable(data):
    create(data, DatabaseName="library")
    refused = update_handler(None, request_for(data, DatabaseName="library", PageSize=512), {})
    assert refused.errorCode is HandlerErrorCode.NotUpdatable
    rewritten = finish(
        update_handler, data, update_handler(None, request_for(data, DatabaseName="library", AutoVacuum="FULL"), {})
    )
    assert (rewritten.status, rewritten.resourceModel.AutoVacuum) == (OperationStatus.SUCCESS, "FULL")


def test_a_locked_or_broken_database_is_told_apart(data):
    create(data, DatabaseName="library")
    (data / "broken.db").write_bytes(b"no database at all, just bytes" * 40)
    broken = read_handler(None, request_for(data, DatabaseName="broken"), {})
    assert broken.errorCode is HandlerErrorCode.GeneralServiceException
    with closing(sqlite3.connect(data / "library.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        locked = read_handler(None, request_for(data, DatabaseName="library"), {})
    assert locked.errorCode is HandlerErrorCode.ResourceConflict


def test_a_deleted_database_is_not_found_and_a_list_turns_pages(data):
    for name in ("a", "b", "c"):
        create(data, DatabaseName=name, token=name)
    first = list_handler(None, request_for(data), {})
    rest = list_handler(None, request_for(data, next_token=first.nextToken), {})
    assert [model.DatabaseName for model in [*first.resourceModels, *rest.resourceModels]] == ["a", "b", "c"]
    deleted = delete_handler(None, request_for(data, DatabaseName="a"), {})
    assert (deleted.status, deleted.resourceModel) == (OperationStatus.SUCCESS, None)
    for handler in (read_handler, update_handler, delete_handler):
        assert handler(None, request_for(data, DatabaseName="a"), {}).errorCode is HandlerErrorCode.NotFound
