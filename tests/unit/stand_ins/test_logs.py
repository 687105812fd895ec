"""Handlers' logs as CloudWatch's clients read them."""

import os

import pytest
from botocore.exceptions import ClientError

from support.api import serve_api

LINES = (
    "2026-11-21T04:00:00.500Z\t[CREATE t1] hello\n2026-11-21T04:00:01.000Z\t[CREATE t1] world\na line without a time\n"
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("state")
    here = folder / "logs" / "111111111111" / "us-east-1"
    for group, stream, text in [
        ("acme-store-thing-logs", "111111111111-us-east-1", LINES),
        ("acme-store-thing-logs", "stack/Thing", "2026-11-21T05:00:00Z\t[READ t2] later\n"),
        ("%2Fmine%2Fgroup", "s", "x\n"),
        ("big", "s", ("x" * 100 + "\n") * 30_000),
        ("CloudFormation", "ContractTestResults/t.zip", "no log"),
    ]:
        path = here / group / stream
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_000_000, 1_000_000))
    with serve_api(folder) as found:
        yield found


@pytest.fixture
def logs(served):
    return served.client("logs", account="111111111111")


def test_groups(served, logs):
    found = logs.describe_log_groups()["logGroups"]
    assert [each["logGroupName"] for each in found] == ["/mine/group", "acme-store-thing-logs", "big"]
    assert found[0]["logGroupArn"] == "arn:aws:logs:us-east-1:111111111111:log-group:/mine/group"
    assert [each["logGroupName"] for each in logs.describe_log_groups(logGroupNamePrefix="acme")["logGroups"]] == [
        "acme-store-thing-logs"
    ]
    pages = logs.get_paginator("describe_log_groups").paginate(PaginationConfig={"PageSize": 1})
    assert sum(len(page["logGroups"]) for page in pages) == 3
    assert served.client("logs", account="222222222222").describe_log_groups()["logGroups"] == []
    assert served.client("logs", account="111111111111", region="eu-west-1").describe_log_groups()["logGroups"] == []


def test_streams(logs):
    found = logs.describe_log_streams(logGroupName="acme-store-thing-logs", descending=True)["logStreams"]
    assert [each["logStreamName"] for each in found] == ["stack/Thing", "111111111111-us-east-1"]


def test_events_of_a_stream(logs):
    named = {"logGroupName": "acme-store-thing-logs", "logStreamName": "111111111111-us-east-1"}
    events = logs.get_log_events(**named, startFromHead=True)["events"]
    assert [each["message"] for each in events] == ["[CREATE t1] hello", "[CREATE t1] world", "a line without a time"]
    assert events[1]["timestamp"] - events[0]["timestamp"] == 500
    assert events[2]["timestamp"] == 1_000_000_000, "the file's"
    assert [each["message"] for each in logs.get_log_events(**named, limit=1)["events"]] == ["a line without a time"]
    first = logs.get_log_events(**named, startFromHead=True, limit=2)
    rest = logs.get_log_events(**named, nextToken=first["nextForwardToken"])["events"]
    assert [each["message"] for each in rest] == ["a line without a time"]


def test_events_of_a_group(logs):
    found = logs.filter_log_events(logGroupName="acme-store-thing-logs", filterPattern='"t1"')["events"]
    assert [each["message"] for each in found] == ["[CREATE t1] hello", "[CREATE t1] world"]
    found = logs.filter_log_events(logGroupName="acme-store-thing-logs", logStreamNamePrefix="stack")["events"]
    assert [each["logStreamName"] for each in found] == ["stack/Thing"]


def test_an_answer_is_bounded(logs):
    events = logs.get_log_events(logGroupName="big", logStreamName="s", startFromHead=True)["events"]
    assert 5000 < len(events) <= 1024 * 1024 / 126


def test_what_is_not_there(logs):
    for call in (
        lambda: logs.get_log_events(logGroupName="none", logStreamName="s"),
        lambda: logs.get_log_events(logGroupName="big", logStreamName="none"),
        lambda: logs.get_log_events(logGroupName="..", logStreamName="111111111111"),
        lambda: logs.get_log_events(logGroupName="big", logStreamName="../big/s"),
    ):
        with pytest.raises(ClientError, match="ResourceNotFoundException"):
            call()
    with pytest.raises(ClientError, match="InvalidParameterException"):
        logs.describe_log_groups(nextToken="x")
    with pytest.raises(ClientError, match="UnknownOperationException"):
        logs.create_log_group(logGroupName="x")
