"""What `cfn serve` says of errors that nobody foresaw: class and place, since a message may repeat a secret."""

import contextlib
import re
import sqlite3

import pytest
from botocore.exceptions import ClientError

from support.serving import serving

SECRET = "CanaryThatNobodyMaySee"
TEMPLATE = '{"Resources": {"Handle": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}'


def test_an_internal_error_of_a_request_is_told_without_its_message(tmp_path):
    with serving(tmp_path, forked=True) as server:
        cloudformation = server.client("cloudformation")
        cloudformation.create_stack(StackName="shop", TemplateBody=TEMPLATE)
        cloudformation.get_waiter("stack_create_complete").wait(StackName="shop")
        with contextlib.closing(sqlite3.connect(tmp_path / "state" / "formwork.db")) as connection, connection:
            connection.execute("UPDATE engine_stack SET status = ?", (SECRET,))  # a value that no status has
        with pytest.raises(ClientError) as caught:
            cloudformation.describe_stacks(StackName="shop")
        code, said = server.stop()
    assert code == 0, said
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 500
    assert re.search(r"internal error: ValueError \(.+\.py:\d+\)\nTraceback", said), said
    assert SECRET not in said + str(caught.value.response)
