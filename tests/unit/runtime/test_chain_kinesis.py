"""The user guide's Kinesis sample, driven as CloudFormation drives it: each operation once, wherever it is resumed."""

import pytest

from .kinesis_service import MUTATING, Kinesis, check_created, drive


def test_the_stream_is_created_by_callbacks():
    kinesis = Kinesis()
    responses, _ = drive(kinesis)
    check_created(kinesis, responses[-1])
    waits = [response for response in responses if response["status"] == "IN_PROGRESS"]
    assert len(waits) >= 4
    assert all(response["resourceModel"]["Name"] for response in waits), "every event carries the identifier"
    assert kinesis.now < 45


def test_limits_that_are_throttling_are_waited_out():
    kinesis = Kinesis(throttles=["add_tags_to_stream", "start_stream_encryption", "start_stream_encryption"])
    responses, _ = drive(kinesis)
    check_created(kinesis, responses[-1])


@pytest.mark.parametrize("victim", [*MUTATING, "describe_stream"])
def test_a_process_that_dies_before_any_call_loses_nothing(victim):
    kinesis = Kinesis(dies_before=[victim])
    responses, deaths = drive(kinesis, checkpoint=True)
    check_created(kinesis, responses[-1])
    assert deaths == 1


def test_processes_that_die_everywhere_lose_nothing():
    kinesis = Kinesis(dies_before=[*MUTATING, *["describe_stream"] * 10])
    responses, deaths = drive(kinesis, checkpoint=True)
    check_created(kinesis, responses[-1])
    assert deaths == 14


def test_a_stream_that_exists_fails_with_the_services_reason():
    kinesis = Kinesis()
    kinesis.create_stream("other", 1)
    responses, _ = drive(kinesis)
    assert responses[-1]["status"] == "FAILED"
    assert responses[-1]["errorCode"] == "ResourceConflict"
    assert "ResourceInUseException" in responses[-1]["message"]
