"""The exchange of a finding as a sequence diagram: rows, folded polls, calls of services, and which values are marked."""

import re

from formwork.contract_results.clauses import Level
from formwork.contract_results.findings import ABSENT, Finding, ModelDifference
from formwork.contract_results.report.html.exchanges import render_exchanges
from formwork.contract_results.report.html.marks import find_marks
from formwork.contract_results.report.shown import Shown
from formwork.invoke import Answer, Exchange
from formwork.invoke.masking import Masker
from formwork.lambda_host.outgoing_calls import AnsweredBy, OutgoingCall

BUSY = {"status": "IN_PROGRESS", "callbackContext": {"n": 1}, "resourceModel": {"Name": "a"}}
CALL = OutgoingCall("api.example.com", 443, "POST", "/<things>", None, 201, 5.0, AnsweredBy.REAL)


def exchange(action, answer, *, model=None, calls=None, **request):
    data = {"resourceProperties": {"Name": "a", "Size": "3"} if model is None else model}
    sent = {"action": action, "requestData": data, "bearerToken": "t", **request}
    return Exchange(sent, Answer(b"", seconds=0.01, calls=calls, log="said"), answer, None)


def finding(*exchanges, differences=()):
    return Finding("create.echo", Level.MUST, "found", exchanges, differences)


def diagram(found):
    return render_exchanges(found, Shown(Masker(())), "f", None)


def polls(count):
    again = exchange("CREATE", BUSY, model={"Name": "a"}, callbackContext={"n": 1})
    return [again] * count


def test_polls_that_are_answered_alike_are_one_row():
    done = exchange("CREATE", {"status": "SUCCESS"}, model={"Name": "a"}, callbackContext={"n": 1})
    page = diagram(finding(exchange("CREATE", BUSY), *polls(9), done))
    assert re.findall(r'<span class="again">([^<]*)', page) == ["and 8 more polls, each answered IN_PROGRESS"]
    assert page.count("<button") == page.count('class="panel"') == 3
    assert page.count("again, with its callbackContext") == 2


def test_of_very_many_exchanges_the_first_and_the_last_are_shown():
    page = diagram(finding(*(exchange("READ", {"status": "SUCCESS"}) for _ in range(40))))
    assert page.count("<button") == 16
    assert "… 24 invocations more …" in page
    assert 'id="f-40"' in page
    assert re.findall('aria-controls="(f-[0-9]+)" aria-pressed="true"', page) == ["f-40"]


def test_calls_of_services_have_a_life_line():
    page = diagram(finding(exchange("CREATE", {"status": "SUCCESS"}, calls=(CALL,) * 10)))
    assert 'class="sequence three"' in page
    assert page.count('class="arrow out">POST api.example.com/&lt;things&gt;: 201') == 8
    assert "and 2 calls more" in page
    assert "services" not in diagram(finding(exchange("CREATE", {"status": "SUCCESS"})))


def test_the_exchange_that_differs_is_chosen_and_both_sides_are_marked():
    answer = {"status": "SUCCESS", "resourceModel": {"Name": "a", "Size": 4}}
    differences = (ModelDifference("/Size", 3, 4), ModelDifference("/Title", "x", ABSENT))
    found = finding(
        exchange("CREATE", answer), exchange("DELETE", {"status": "SUCCESS"}, model={}), differences=differences
    )
    page = diagram(found)
    assert re.findall('aria-controls="(f-[0-9]+)" aria-pressed="true"', page) == ["f-1"]
    assert page.count('class="differs"') == page.count('class="expected"') == 1
    created, deleted = find_marks(found, Shown(Masker(())))
    assert {path: (mark.kind, mark.note) for path, mark in created.answer.items()} == {
        ("resourceModel", "Size"): ("is", "expected 3"),
        ("resourceModel", "Title"): ("missing", 'expected "x"'),
    }
    assert {path: mark.kind for path, mark in created.request.items()} == {("desired", "Size"): "was"}
    assert not deleted.answer
    assert not deleted.request


def test_a_place_in_the_whole_answer_is_marked_there():
    answer = {"status": "SUCCESS", "resourceModels": [{"Name": "a"}, {}]}
    differences = (
        ModelDifference("/resourceModels/1", "the primary identifier", {}),
        ModelDifference("/resourceModels/0/Name", ABSENT, "a"),
        ModelDifference("/nextToken", "a token", "another"),
    )
    (marks,) = find_marks(finding(exchange("LIST", answer), differences=differences), Shown(Masker(())))
    assert {path: mark.note for path, mark in marks.answer.items()} == {
        ("resourceModels", "1"): 'expected "the primary identifier"',
        ("resourceModels", "0", "Name"): "expected absent",
    }


def test_what_differed_from_an_answer_before_is_marked_in_both():
    first, second = ({"status": "SUCCESS", "resourceModel": {"Name": "a", "At": at}} for at in (1, 2))
    found = finding(exchange("READ", first), exchange("READ", second), differences=[ModelDifference("/At", 1, 2)])
    before, after = find_marks(found, Shown(Masker(())))
    assert {path: mark.kind for path, mark in before.answer.items()} == {("resourceModel", "At"): "was"}
    assert {path: mark.kind for path, mark in after.answer.items()} == {("resourceModel", "At"): "is"}


def test_an_expected_value_that_is_secret_is_masked():
    found = finding(
        exchange("READ", {"status": "SUCCESS", "resourceModel": {}}),
        differences=[ModelDifference("/Secret", "hunter2", ABSENT)],
    )
    shown = Shown(Masker([("Secret",)]))
    (marks,) = find_marks(found, shown)
    assert [mark.note for mark in marks.answer.values()] == ['expected "********"']
    assert "hunter2" not in render_exchanges(found, shown, "f", None)
