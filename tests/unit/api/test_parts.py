"""The small parts of the API: accounts of keys, waiters, tables that start late."""

import threading

import pytest

from formwork.api.caller import account_of_key
from formwork.api.dispatch import LazyOperationTable
from formwork.api.long_polling import IN_PROGRESS, seconds_to_hold


def test_accounts_of_keys():
    assert account_of_key("999999999999") == "999999999999"
    assert account_of_key("ASIA999999999999ABCD") == "999999999999"
    for other in ("AKIAIOSFODNN7EXAMPLE", "99999999999", "9" * 13, "ASIA999999999999ABC", "٩" * 12, ""):
        assert account_of_key(other) == "123456789012"


def test_waiters_by_their_user_agent():
    assert seconds_to_hold(
        "Boto3/1.44.5 md/Botocore#1.44.5 ua/2.1 os/linux lang/python#3.11 cfg/retry-mode#legacy m/Z,B,b"
    )
    assert seconds_to_hold("aws-cli/1.46 m/B", 7.0) == 7.0
    assert 0 < seconds_to_hold("aws-sdk-js/3.1 os/linux aws-cdk/2.1148.1 m/E,n") < 5
    for other in ("Boto3/1.44.5 m/Z,b", "m/BB", "Mozilla/5.0 B", "", "xm/B"):
        assert not seconds_to_hold(other)


@pytest.mark.parametrize(
    ("operation", "output", "moving"),
    [
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "CREATE_IN_PROGRESS"}]}, True),
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "REVIEW_IN_PROGRESS"}]}, False),
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "CREATE_COMPLETE"}]}, False),
        (("cloudformation", "DescribeStacks"), {"Stacks": [{"StackStatus": "CREATE_IN_PROGRESS"}] * 2}, False),
        (("cloudformation", "DescribeChangeSet"), {"Status": "CREATE_PENDING"}, True),
        (("cloudformation", "DescribeChangeSet"), {"Status": "FAILED"}, False),
        (("cloudcontrol", "GetResourceRequestStatus"), {"ProgressEvent": {"OperationStatus": "PENDING"}}, True),
        (("cloudcontrol", "GetResourceRequestStatus"), {"ProgressEvent": {"OperationStatus": "SUCCESS"}}, False),
    ],
)
def test_what_is_held(operation, output, moving):
    assert IN_PROGRESS[operation](output) is moving


def test_a_table_is_made_once():
    made = []
    gate = threading.Event()

    def make():
        gate.wait()
        made.append(1)
        return {}

    late = LazyOperationTable(make)
    threads = [threading.Thread(target=late.expect) for _ in range(5)]
    for each in threads:
        each.start()
    late.begin()
    gate.set()
    for each in threads:
        each.join(10)
    late.close()
    assert made == [1]


def test_a_table_that_nobody_wanted_is_never_made():
    late = LazyOperationTable(lambda: pytest.fail("nobody wants it"))
    late.close()
    with pytest.raises(RuntimeError, match="the server ends"):
        late.expect()
