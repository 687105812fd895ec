import pytest
from acme_sqlite_keyedtables.handlers import judge
from acme_sqlite_keyedtables.models import HookHandlerRequest, TypeConfigurationModel

from cloudformation_cli_python_lib import (
    HandlerErrorCode,
    HookContext,
    HookInvocationPoint,
    OperationStatus,
    exceptions,
)


def judged(table, *, exempt=None, target="Acme::SQLite::Table", point="CREATE_PRE_PROVISION"):
    context = HookContext(
        awsAccountId="123456789012",
        stackId="stack",
        hookTypeName="Acme::SQLite::KeyedTables",
        hookTypeVersion="00000001",
        invocationPoint=HookInvocationPoint[point],
        targetName=target,
        targetType="RESOURCE",
        targetLogicalId="Target",
        targetModel={"resourceProperties": table},
    )
    request = HookHandlerRequest(clientRequestToken="token", hookContext=context)
    return judge(None, request, {}, TypeConfigurationModel(Exempt=exempt))


@pytest.mark.parametrize("point", ["CREATE_PRE_PROVISION", "UPDATE_PRE_PROVISION"])
def test_a_table_with_a_key_passes(point):
    answer = judged({"TableName": "books", "PrimaryKey": ["isbn"]}, point=point)
    assert answer.status is OperationStatus.SUCCESS


@pytest.mark.parametrize("table", [{"TableName": "books"}, {"TableName": "books", "PrimaryKey": []}, None])
def test_a_table_without_one_does_not(table):
    answer = judged(table)
    assert answer.errorCode is HandlerErrorCode.NonCompliant
    assert "PrimaryKey" in answer.message


def test_unless_it_is_exempt():
    assert judged({"TableName": "scratch"}, exempt={"scratch"}).status is OperationStatus.SUCCESS
    assert judged({"TableName": "books"}, exempt={"scratch"}).status is OperationStatus.FAILED


def test_other_targets_are_not_its_own():
    with pytest.raises(exceptions.InvalidRequest):
        judged({}, target="Acme::SQLite::Database")
