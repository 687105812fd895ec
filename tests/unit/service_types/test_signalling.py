"""Creation policies and the URLs of wait condition handles, as values."""

import pytest

from formwork.engine.operations.creation_policies import CreationPolicy
from formwork.service_types.signalling.handles import Handle, parse_handle, render_handle
from formwork.stacks.errors import StackError
from formwork.stacks.store.signals import SignalRecord
from support.engines import HERE

ARN = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop/0a1b"


def read(percent=None, **signal):
    scaling = {} if percent is None else {"AutoScalingCreationPolicy": {"MinSuccessfulInstancesPercent": percent}}
    return CreationPolicy.read({"ResourceSignal": signal, **scaling})


def signals(*statuses):
    return [SignalRecord("s", "R", str(number), status, 0.0) for number, status in enumerate(statuses)]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("PT5M", 300), ("PT1H30M", 5400), ("PT10S", 10), ("PT2H1M3S", 7263), ("PT99H", 12 * 3600)],
)
def test_durations(text, seconds):
    assert read(Timeout=text).seconds == seconds


@pytest.mark.parametrize("text", ["PT", "5M", "P1D", "PT5", "PT-5M", 300, None])
def test_no_durations(text):
    with pytest.raises(StackError, match="must be a duration such as PT15M"):
        read(Timeout=text)


def test_what_is_taken_where_nothing_is_said():
    assert read() == CreationPolicy(count=1, seconds=300, percent=100)
    assert CreationPolicy.read({"StartFleet": True}) is None
    with pytest.raises(StackError, match="Count of a CreationPolicy must be a number"):
        read(Count="many")


@pytest.mark.parametrize(
    ("policy", "told", "late", "verdict"),
    [
        (read(Count=2), ("SUCCESS",), False, False),
        (read(Count=2), ("SUCCESS", "SUCCESS"), False, True),
        (read(Count="2"), ("SUCCESS",), True, "Failed to receive 1 resource signal(s) within the specified duration"),
        (read(Count=4, percent=75), ("SUCCESS", "FAILURE", "SUCCESS", "SUCCESS"), False, True),
        (read(Count=4, percent=75), ("FAILURE",), False, False),
        (
            read(Count=4, percent=75),
            ("FAILURE", "FAILURE"),
            False,
            "Received 2 FAILURE signal(s) out of 4. Unable to satisfy 75% MinSuccessfulInstancesPercent requirement",
        ),
        (read(Count=0), (), False, True),
    ],
)
def test_verdicts(policy, told, late, verdict):
    assert policy.judge(signals(*told), late=late) == verdict


def test_a_handles_url_leads_back_to_it():
    handle = Handle("0a1b", "Handle", "secret-_1", 1_700_000_000)
    url = render_handle("http://127.0.0.1:3001", HERE, ARN, handle)
    assert url.startswith("http://127.0.0.1:3001/cloudformation-waitcondition-eu-west-1/arn%3Aaws%3Acloudformation")
    assert parse_handle(url) == handle
    assert parse_handle(url.removeprefix("http://127.0.0.1:3001")) == handle


@pytest.mark.parametrize(
    "url",
    ["", "http://[", "/cloudformation-waitcondition-x", "/cloudformation-waitcondition-x/a/b/c/d?Expires=x", "/a"],
)
def test_other_urls_lead_nowhere(url):
    assert parse_handle(url) is None
