"""The exchanges with handlers that the console keeps."""

from formwork.console import exchanges as module
from formwork.console.exchanges import RecordedExchanges
from formwork.invoke import Exchange
from formwork.invoke.answer import Answer

ARN = "arn:aws:cloudformation:us-east-1:123456789012:stack/s/1"


def exchange(logical_id="A", *, stack=ARN, log="", action="CREATE"):
    request = {"action": action, "stackId": stack, "bearerToken": "t", "requestData": {"logicalResourceId": logical_id}}
    return Exchange(request, Answer(b"{}", seconds=0.5, log=log), {"status": "SUCCESS"}, None)


def test_a_resource_has_its_exchanges_latest_first():
    kept = RecordedExchanges()
    for each in (exchange(), exchange("B"), exchange(action="READ"), exchange(stack="other")):
        kept.record(each)
    found = kept.of_resource(ARN, "A")
    assert [each.action for each in found] == ["READ", "CREATE"]
    assert (found[0].seconds, found[0].status, found[0].token) == (0.5, "SUCCESS", "t")


def test_number_and_size_are_bounded(monkeypatch):
    monkeypatch.setattr(module, "_MOST", 3)
    kept = RecordedExchanges()
    for number in range(5):
        kept.record(exchange(action=str(number)))
    assert [each.action for each in kept.of_resource(ARN, "A")] == ["4", "3", "2"]
    monkeypatch.setattr(module, "_MOST_BYTES", 1)
    kept.record(exchange())
    assert kept.of_resource(ARN, "A") == []


def test_requests_that_are_not_of_a_resource_are_kept_without_one():
    kept = RecordedExchanges()
    kept.record(Exchange({"requestData": None, "stackId": 3}, Answer(b""), None, None))
    assert kept.of_resource(ARN, "A") == []


def test_the_end_of_each_exchange_is_reported_with_its_stack():
    reported = []
    kept = RecordedExchanges(recorded=reported.append)
    kept.record(exchange())
    kept.record(exchange(stack=None))
    assert reported == [ARN, None]
