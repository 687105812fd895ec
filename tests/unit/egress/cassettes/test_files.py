"""Cassettes as files: as a reviewer reads them, and what is wrong with one that was edited."""

import json

import pytest

from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.egress.cassettes.reading import read_cassettes
from formwork.egress.cassettes.recorder import Recorder
from formwork.egress.messages import Reply
from support.egress_calls import Scripted, json_reply, outgoing, xml_reply

CALLS = (
    (
        outgoing(
            "POST",
            "https://api.example.com/v1/things?dry=no",
            {"name": "lämp", "tags": ["a"]},
            authorization="Bearer abcdefgh1",
        ),
        json_reply(
            {"id": 7, "secret": "abcdefgh2"}, 201, location="/v1/things/7", date="now", set_cookie="a=abcdefgh3"
        ),
    ),
    (
        outgoing("GET", "https://api.example.com/v1/things?tag=a&tag=b"),
        Reply(200, b"[]", (("content-type", "application/json"), ("x-a", "1"), ("x-a", "2"))),
    ),
    (
        outgoing("POST", "https://iam.amazonaws.com/", "Action=GetRole&Version=2010-05-08&RoleName=r"),
        xml_reply("<GetRoleResponse>\n  <Arn>arn:aws:iam::123456789012:role/r</Arn>\n</GetRoleResponse>"),
    ),
    (outgoing("PUT", "http://localhost:8080/blob", b"\xff\0"), Reply(204)),
)


def test_cassettes_as_they_are_reviewed(tmp_path, golden):
    recorder = Recorder(tmp_path / "new" / "folder", lambda text: text)
    responder = recorder.around(Scripted(*(reply for _, reply in CALLS)))
    for request, _ in CALLS:
        responder(request)
    written = "".join(f"=== {path.name}\n{path.read_text(encoding='utf-8')}" for path in recorder.close())
    golden("egress/cassettes.txt", written)


@pytest.mark.parametrize(
    ("text", "code", "pointer"),
    [
        ("[]", "cassette.format", ""),
        ('{"cassette": 2, "calls": []}', "cassette.format", ""),
        ('{"cassette": 1, "calls": [1]}', "cassette.call", "/calls/0"),
        ('{"cassette": 1, "calls": [{"request": {}}]}', "cassette.call", "/calls/0"),
        ({"request": []}, "cassette.call", "/calls/0/request"),
        ({"request": {"path": "/"}}, "cassette.unknown-key", "/calls/0/request/path"),
        ({"request": {"method": "get"}}, "cassette.value", "/calls/0/request/method"),
        ({"request": {"url": "/things"}}, "cassette.value", "/calls/0/request/url"),
        ({"request": {"url": "https://a.example/?a=b"}}, "cassette.value", "/calls/0/request/url"),
        ({"request": {"query": {"a": 1}}}, "cassette.value", "/calls/0/request/query"),
        ({"request": {"headers": {"a": 1}}}, "cassette.value", "/calls/0/request/headers"),
        ({"request": {"json": 1, "text": "1"}}, "cassette.value", "/calls/0/request"),
        ({"request": {"base64": "?"}}, "cassette.value", "/calls/0/request/base64"),
        ({"request": {"form": []}}, "cassette.value", "/calls/0/request/form"),
        ({"reply": {"status": 99}}, "cassette.value", "/calls/0/reply/status"),
        ({"reply": {"status": True}}, "cassette.value", "/calls/0/reply/status"),
        ({"reply": {"headers": [["a"]]}}, "cassette.value", "/calls/0/reply/headers"),
        ({"reply": {"json": {}, "layout": "wide"}}, "cassette.value", "/calls/0/reply/layout"),
        ({"during": 1}, "cassette.value", "/calls/0/during"),
        ({"reply": {"text": [1]}}, "cassette.value", "/calls/0/reply/text"),
        ("{", "document.syntax", None),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, code, pointer):
    if isinstance(text, dict):
        call = {"request": {"method": "GET", "url": "https://a.example/"}, "reply": {"status": 200}}
        for name, part in text.items():
            call[name] = {**call[name], **part} if isinstance(part, dict) else part
        text = json.dumps({"cassette": 1, "calls": [call]})
    (tmp_path / "a.cassette.json").write_text(text)
    with pytest.raises(BadInputError) as caught:
        read_cassettes(tmp_path)
    (found,) = caught.value.diagnostics
    assert found.code.partition(".")[0] == code.partition(".")[0]
    assert pointer is None or (found.code, found.location.pointer) == (code, pointer)


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_a_folder_without_cassettes_is_refused(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInputError) as caught:
        read_cassettes(tmp_path / name)
    assert caught.value.diagnostics[0].code == "cassette.none"


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    recorder = Recorder(tmp_path / "file", lambda text: text)
    recorder.around(Scripted(json_reply({})))(outgoing("GET", "https://a.example/"))
    with pytest.raises(EnvironmentProblemError, match="cassettes cannot be written"):
        recorder.close()
