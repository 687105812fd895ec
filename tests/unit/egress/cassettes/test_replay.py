"""Calls are recorded and answered again: in sequence, with other generated names, and only as they were recorded."""

import datetime as dt
import json

import pytest

from formwork.egress.cassettes.recorder import Recorder
from formwork.egress.cassettes.replay import open_replay
from formwork.egress.messages import NoRecordingError, Reply
from support.egress_calls import Scripted, json_reply, outgoing, xml_reply

API = "https://api.example.com"


@pytest.fixture
def taped(tmp_path):
    """Record (request, reply) pairs and return what replays them."""

    def tape(*pairs):
        recorder = Recorder(tmp_path, lambda text: text)
        responder = recorder.around(Scripted(*(reply for _, reply in pairs)))
        for request, reply in pairs:
            assert responder(request) == reply
        recorder.close()
        return open_replay(tmp_path)

    return tape


def value(reply):
    return json.loads(reply.body)


def test_what_was_recorded_is_answered(taped):
    replay = taped(
        (outgoing("POST", f"{API}/things", {"name": "a"}), json_reply({"id": 7}, 201, location="/things/7")),
        (outgoing("GET", f"{API}/things/7"), json_reply({"id": 7, "name": "a"})),
        (outgoing("DELETE", f"{API}/things/7"), Reply(204)),
        (outgoing("GET", f"{API}/things/7"), json_reply({"message": "gone"}, 404)),
    )
    made = replay(outgoing("POST", f"{API}/things", {"name": "a"}))
    assert (made.status, value(made), dict(made.headers)["location"]) == (201, {"id": 7}, "/things/7")
    assert value(replay(outgoing("GET", f"{API}/things/7"))) == {"id": 7, "name": "a"}
    assert replay(outgoing("DELETE", f"{API}/things/7")) == Reply(204)
    assert replay(outgoing("GET", f"{API}/things/7")).status == 404
    assert replay.stale == ()


def test_what_changes_by_nature_is_not_compared(taped):
    replay = taped(
        (
            outgoing(
                "POST",
                f"{API}/things?X-Amz-Signature=a&X-Amz-Date=20260101T000000Z&at=2026-01-01T00:00:00Z",
                {"name": "a", "clientToken": "one", "sent": 1767225600, "trace": {"requestId": "q"}},
                authorization="Bearer one",
                user_agent="sdk/1",
                idempotency_key="k1",
                amz_sdk_invocation_id="1",
            ),
            json_reply({"id": 7}),
        ),
    )
    request = outgoing(
        "POST",
        f"{API}/things?X-Amz-Signature=b&at=2026-02-03T04:05:06.789Z",
        {"name": "a", "clientToken": "two", "sent": 1793491200, "trace": {}},
        user_agent="sdk/2",
    )
    assert value(replay(request)) == {"id": 7}


@pytest.mark.parametrize(
    ("request_", "difference"),
    [
        (outgoing("PUT", f"{API}/things/lamp?size=2", {"n": 1}), "method: POST, not PUT"),
        (outgoing("POST", f"{API}/things/desk?size=2", {"n": 1}), 'path: "/things/lamp", not "/things/desk"'),
        (outgoing("POST", "https://api.example.org/things/lamp?size=2", {"n": 1}), 'host: "api.example.com"'),
        (outgoing("POST", f"{API}/things/lamp?size=3", {"n": 1}), 'query/size: "2", not "3"'),
        (outgoing("POST", f"{API}/things/lamp", {"n": 1}), 'query/size: "2", not sent'),
        (outgoing("POST", f"{API}/things/lamp?size=2", {"n": 2}), "body/n: 1, not 2"),
        (outgoing("POST", f"{API}/things/lamp?size=2", {"n": True}), "body/n: 1, not True"),
        (outgoing("POST", f"{API}/things/lamp?size=2", {"n": 1, "m": []}), "body/m: [], not recorded"),
        (outgoing("POST", f"{API}/things/lamp?size=2", "n=1"), "body: json, not form"),
        (outgoing("POST", f"{API}/things/lamp?size=2", {"n": 1}, if_match="x"), 'header/if-match: "x", not recorded'),
    ],
)
def test_another_request_has_no_recording_and_the_nearest_is_named(taped, request_, difference):
    replay = taped((outgoing("POST", f"{API}/things/lamp?size=2", {"n": 1}), json_reply({})))
    with pytest.raises(NoRecordingError) as caught:
        replay(request_)
    message = str(caught.value)
    assert f"no recorded call is {request_.request.method} {request_.host}{request_.path}" in message
    assert "api.example.com.cassette.json, call 1" in message
    assert difference in message
    assert len(replay.stale) == 1


def test_polls_are_answered_in_sequence_and_the_last_again(taped):
    poll = outgoing("GET", f"{API}/things/7")
    replay = taped(*((poll, json_reply({"state": state})) for state in ("CREATING", "CREATING", "READY")))
    assert [value(replay(poll))["state"] for _ in range(5)] == ["CREATING", "CREATING", "READY", "READY", "READY"]


def test_fewer_polls_than_recorded_are_not_stale(taped):
    poll = outgoing("GET", f"{API}/things/7")
    replay = taped(*((poll, json_reply({"state": state})) for state in ("CREATING", "READY")))
    replay(poll)
    assert replay.stale == ()


def test_a_read_after_a_write_has_the_answer_of_after_the_write(taped):
    read, write = outgoing("GET", f"{API}/things/lamp7"), outgoing("DELETE", f"{API}/things/lamp7")
    replay = taped(
        (read, json_reply({"state": "CREATING"})),
        (read, json_reply({"state": "READY"})),
        (write, Reply(204)),
        (read, json_reply({}, 404)),
    )
    assert value(replay(read)) == {"state": "CREATING"}
    replay(write)
    assert [replay(read).status for _ in range(2)] == [404, 404]


def test_a_write_about_something_else_does_not_move_reads_on(taped):
    read = outgoing("GET", f"{API}/things/lamp7")
    replay = taped(
        (read, json_reply({"state": "CREATING"})),
        (outgoing("DELETE", f"{API}/things/desk8"), Reply(204)),
        (read, json_reply({"state": "READY"})),
    )
    replay(outgoing("DELETE", f"{API}/things/desk8"))
    assert [value(replay(read))["state"] for _ in range(2)] == ["CREATING", "READY"]


def test_a_write_is_answered_as_often_as_it_was_recorded(taped):
    write = outgoing("POST", f"{API}/things", {"name": "a"})
    replay = taped((write, json_reply({"id": 1})), (write, json_reply({"id": 2})))
    assert [value(replay(write))["id"] for _ in range(2)] == [1, 2]
    with pytest.raises(NoRecordingError, match=r"was recorded 2 times \(.*\) and is sent 3 times"):
        replay(write)


def test_tokens_and_reads_of_aws_are_answered_again(taped):
    token = outgoing("POST", f"{API}/oauth/token", "grant_type=client_credentials&client_secret=s3cr3ts")
    describe = outgoing(
        "POST", "https://dynamodb.us-east-1.amazonaws.com/", {}, x_amz_target="DynamoDB_2012.DescribeTable"
    )
    get = outgoing("POST", "https://iam.amazonaws.com/", "Action=GetRole&Version=2010-05-08&RoleName=a")
    replay = taped(*((each, json_reply({})) for each in (token, describe, get)))
    assert [replay(each).status for each in (token, describe, get) for _ in range(2)] == [200] * 6


def test_generated_names_are_this_runs_in_requests_and_replies(taped):
    replay = taped(
        (
            outgoing("POST", f"{API}/things", {"name": "thing-Ab12Cd34Ef56", "owner": "123456789012"}),
            json_reply({"id": "id-1", "arn": "arn:x:thing-Ab12Cd34Ef56", "owner": "123456789012"}),
        ),
        (outgoing("GET", f"{API}/things/thing-Ab12Cd34Ef56"), json_reply({"name": "thing-Ab12Cd34Ef56"})),
        (outgoing("GET", f"{API}/ids/id-1"), json_reply({"thing-Ab12Cd34Ef56": [{"of": "Ab12Cd34Ef56"}]})),
    )
    made = replay(outgoing("POST", f"{API}/things", {"name": "thing-Zz98Yy76Xx54", "owner": "999900001111"}))
    assert value(made) == {"id": "id-1", "arn": "arn:x:thing-Zz98Yy76Xx54", "owner": "999900001111"}
    assert value(replay(outgoing("GET", f"{API}/things/thing-Zz98Yy76Xx54"))) == {"name": "thing-Zz98Yy76Xx54"}
    assert value(replay(outgoing("GET", f"{API}/ids/id-1"))) == {"thing-Zz98Yy76Xx54": [{"of": "Zz98Yy76Xx54"}]}
    with pytest.raises(NoRecordingError):
        replay(outgoing("GET", f"{API}/things/thing-Qq11Ww22Ee33"))


def test_two_generated_names_are_told_apart(taped):
    pairs = [
        (outgoing("PUT", f"{API}/things/thing-Ab12Cd34Ef56"), json_reply({"at": 1})),
        (outgoing("PUT", f"{API}/things/thing-Gh12Ij34Kl56"), json_reply({"at": 2})),
        (outgoing("GET", f"{API}/things/thing-Gh12Ij34Kl56"), json_reply({"at": 2})),
        (outgoing("GET", f"{API}/things/thing-Ab12Cd34Ef56"), json_reply({"at": 1})),
    ]
    replay = taped(*pairs)
    for method, name, at in (("PUT", "Mn12", 1), ("PUT", "Op34", 2), ("GET", "Mn12", 1), ("GET", "Op34", 2)):
        assert value(replay(outgoing(method, f"{API}/things/thing-{name}{name}{name}"))) == {"at": at}


def test_uuids_of_handlers_stand_for_each_other(taped):
    one, other = "8a6e0804-2bd0-4672-b79d-d97027f9071a", "11111111-2222-4333-8444-555555555555"
    replay = taped((outgoing("PUT", f"{API}/things/{one}", {"id": one}), json_reply({"id": one})))
    with pytest.raises(NoRecordingError):
        replay(outgoing("PUT", f"{API}/things/{other}", {"id": one.replace("8", "9")}))
    assert value(replay(outgoing("PUT", f"{API}/things/{other}", {"id": other}))) == {"id": other}


def test_a_generated_bucket_in_the_host(taped, tmp_path):
    put = "https://logs-1a2b3c4d5e6f.s3.us-east-1.amazonaws.com/key"
    replay = taped((outgoing("PUT", put, b"body"), Reply(200)))
    assert [path.name for path in tmp_path.iterdir()] == ["bucket.s3.us-east-1.amazonaws.com.cassette.json"]
    assert replay(outgoing("PUT", put.replace("1a2b3c4d5e6f", "6f5e4d3c2b1a"), b"body")).status == 200


def test_items_may_have_another_order(taped):
    tags = [{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}]
    replay = taped((outgoing("POST", f"{API}/tags", {"Tags": tags}), json_reply({})))
    assert replay(outgoing("POST", f"{API}/tags", {"Tags": tags[::-1]})).status == 200


def test_credentials_of_a_recording_are_valid_in_this_run(taped):
    xml = "<R><Expiration>2020-01-01T00:00:00Z</Expiration><Created>2020-01-01T00:00:00Z</Created></R>"
    sts = outgoing("POST", "https://sts.amazonaws.com/", "Action=AssumeRole&RoleArn=a&RoleSessionName=x")
    token = outgoing("POST", f"{API}/token", "grant_type=x")
    replay = taped((sts, xml_reply(xml)), (token, json_reply({"expires_at": 1600000000, "expires_in": 3600})))
    text = replay(
        outgoing("POST", "https://sts.amazonaws.com/", "Action=AssumeRole&RoleArn=a&RoleSessionName=y")
    ).body.decode()
    until = dt.datetime.fromisoformat(text.partition("<Expiration>")[2].partition("<")[0])
    now = dt.datetime.now(dt.UTC)
    assert until > now
    assert "<Created>2020-01-01T00:00:00Z</Created>" in text
    found = value(replay(token))
    assert (found["expires_at"] > now.timestamp(), found["expires_in"]) == (True, 3600)


def test_unused_writes_are_stale(taped):
    replay = taped(
        (outgoing("POST", f"{API}/things", {"name": "a"}), json_reply({"id": 1})),
        (outgoing("GET", f"{API}/things/1"), json_reply({})),
        (outgoing("DELETE", f"{API}/things/1"), Reply(204)),
    )
    replay(outgoing("GET", f"{API}/things/1"))
    assert [str(each) for each in replay.stale] == [
        "api.example.com.cassette.json, call 1: POST https://api.example.com/things",
        "api.example.com.cassette.json, call 3: DELETE https://api.example.com/things/1",
    ]


def test_failures_are_not_recorded(tmp_path):
    recorder = Recorder(tmp_path, lambda text: text)

    def fails(_request):
        raise ConnectionError

    with pytest.raises(ConnectionError):
        recorder.around(fails)(outgoing("GET", f"{API}/"))
    assert recorder.close() == ()


def test_a_new_recording_replaces_that_of_its_host_only(taped):
    taped((outgoing("GET", f"{API}/old"), json_reply({})), (outgoing("GET", "https://other.example/"), json_reply({})))
    replay = taped((outgoing("GET", f"{API}/new"), json_reply({})))
    assert [str(each).partition(": ")[2] for each in replay.stale] == [
        "GET https://api.example.com/new",
        "GET https://other.example/",
    ]


def test_what_is_too_large_is_left_out_and_named(taped):
    big = outgoing("GET", f"{API}/big")
    replay = taped((big, Reply(200, b"x" * (4 * 1024 * 1024 + 1))))
    with pytest.raises(NoRecordingError, match=r"the reply to GET api\.example\.com/big was not recorded"):
        replay(big)


def test_a_long_recording_has_parts(taped, tmp_path):
    pairs = [(outgoing("GET", f"{API}/big/{n}"), Reply(200, b"x" * 3_000_000)) for n in range(4)]
    replay = taped(*pairs)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "api.example.com.cassette.json",
        "api.example.com.part02.cassette.json",
    ]
    assert all(replay(request) == reply for request, reply in pairs)
    taped(pairs[0])
    assert [path.name for path in tmp_path.iterdir()] == ["api.example.com.cassette.json"]


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1}',
        '{"a": 1}',
        '{\n  "a": [\n    1\n  ]\n}',
        '{"a" :1}',
        '[ "h\\u00e4" ]\n',
    ],
)
def test_a_stored_document_has_its_text_again(taped, text):
    document = Reply(200, text.encode(), (("content-type", "application/json"),))
    assert (
        taped((outgoing("GET", f"{API}/document"), document))(outgoing("GET", f"{API}/document")).body == text.encode()
    )


def test_a_secret_of_this_run_is_where_the_recording_is_masked(tmp_path):
    recorder = Recorder(
        tmp_path, lambda text: text.replace("hunter2-first", "********").replace("hunter2-next", "********")
    )
    calls = [
        (outgoing("POST", f"{API}/first", {"text": "hunter2-first"}), json_reply({})),
        (outgoing("POST", f"{API}/next", {"text": "hunter2-next"}), json_reply({})),
        (outgoing("GET", f"{API}/first"), json_reply({"text": "kms:hunter2-first"})),
        (outgoing("GET", f"{API}/next"), json_reply({"text": "kms:hunter2-next", "n": [1]})),
    ]
    responder = recorder.around(Scripted(*(reply for _, reply in calls)))
    for request, _ in calls:
        responder(request)
    (file,) = recorder.close()
    assert "hunter2" not in file.read_text()
    replay = open_replay(tmp_path)
    for part, secret in (("first", "correct"), ("next", "horse")):
        replay(outgoing("POST", f"{API}/{part}", {"text": secret}))
    assert value(replay(outgoing("GET", f"{API}/first"))) == {"text": "kms:correct"}
    assert value(replay(outgoing("GET", f"{API}/next"))) == {"text": "kms:horse", "n": [1]}


def test_a_part_of_the_run_has_its_own_answers(tmp_path):
    recorder = Recorder(tmp_path, lambda text: text)
    responder = recorder.around(Scripted(*(json_reply({"n": number}) for number in range(3))))
    for part in ("one", "two", "three"):
        recorder.begin(part)
        responder(outgoing("GET", f"{API}/counter"))
    recorder.close()
    replay = open_replay(tmp_path)
    for part, number in (("three", 2), ("one", 0), ("another", 1)):  # a part without a recording has any answer
        replay.begin(part)
        assert value(replay(outgoing("GET", f"{API}/counter"))) == {"n": number}
