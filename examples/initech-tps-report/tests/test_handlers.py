"""Each handler on its own, without CloudFormation."""

import pytest
from initech_tps_report.handlers import create_handler, delete_handler, list_handler, read_handler, update_handler
from initech_tps_report.models import ResourceHandlerRequest, ResourceModel, TypeConfigurationModel

from cloudformation_cli_python_lib import HandlerErrorCode, OperationStatus, exceptions


def request_for(cabinet, *, token="token", next_token=None, **properties):
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
        typeConfiguration=TypeConfigurationModel(Folder=str(cabinet)),
        nextToken=next_token,
        region="us-east-1",
        awsPartition="aws",
        stackId=None,
    )


@pytest.fixture
def cabinet(tmp_path):
    return tmp_path / "cabinet"


def create(cabinet, **more):
    filed = create_handler(None, request_for(cabinet, Title="one", TestCode="NOT_STARTED", **more), {})
    assert filed.status is OperationStatus.IN_PROGRESS
    again = request_for(cabinet, **filed.resourceModel._serialize())
    return create_handler(None, again, filed.callbackContext).resourceModel._serialize()


def test_a_report_is_filed_then_approved_and_reads_back_the_same(cabinet):
    report = create(cabinet, token="a", SecondCopyOfMemo={"Heading": "for the other boss"})
    assert report["ApprovalDate"]
    assert "SecondCopyOfMemo" not in report
    read = read_handler(None, request_for(cabinet, TPSCode=report["TPSCode"]), {})
    assert read.resourceModel._serialize() == report


def test_what_the_cabinet_gives_cannot_be_set(cabinet):
    with pytest.raises(exceptions.InvalidRequest, match="TPSCode"):
        create(cabinet, TPSCode="TPS20260101-0000")


def test_an_update_replaces(cabinet):
    report = create(cabinet, Authors=["Peter"])
    changed = update_handler(
        None, request_for(cabinet, TPSCode=report["TPSCode"], Title="two", TestCode="CANCELLED"), {}
    ).resourceModel._serialize()
    expected = {**report, "Title": "two", "TestCode": "CANCELLED"}
    del expected["Authors"]
    assert changed == expected


def test_a_deleted_report_is_not_found(cabinet):
    code = create(cabinet)["TPSCode"]
    taken = delete_handler(None, request_for(cabinet, TPSCode=code), {})
    assert taken.status is OperationStatus.IN_PROGRESS
    shredded = delete_handler(None, request_for(cabinet, TPSCode=code), taken.callbackContext)
    assert (shredded.status, shredded.resourceModel) == (OperationStatus.SUCCESS, None)
    for handler in (read_handler, update_handler, delete_handler):
        assert handler(None, request_for(cabinet, TPSCode=code), {}).errorCode is HandlerErrorCode.NotFound


def test_a_list_turns_pages(cabinet):
    codes = [create(cabinet, token=token)["TPSCode"] for token in "abc"]
    first = list_handler(None, request_for(cabinet), {})
    rest = list_handler(None, request_for(cabinet, next_token=first.nextToken), {})
    assert [model.TPSCode for model in [*first.resourceModels, *rest.resourceModels]] == codes
    assert rest.nextToken is None
