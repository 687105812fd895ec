"""The session: its order, its errors, what is open, and what is published about it."""

import json
import threading

import pytest

from formwork.editor.features import FEATURES
from formwork.editor.protocol.addresses import address_of
from formwork.editor.protocol.wire import ErrorCode
from formwork.editor.session import EditorSession
from formwork.project.check import check_path
from support.lsp import LspError
from support.random_edits import defects
from support.typing_client import SCHEMA, applied

FAULTY = {**SCHEMA, "createOnlyProperties": ["/properties/Nome"]}


@pytest.fixture
def project(project):
    (project / "acme-store-thing.json").write_text(json.dumps(FAULTY, indent=4))
    (project / "inputs" / "inputs_1_create.json").write_text('{\n  "Name": 5\n}\n')
    return project


def test_a_session(client):
    result = client.initialize()
    assert result["capabilities"]["positionEncoding"] == "utf-16"
    assert client.close() == 0


def test_order_of_a_session(client):
    with pytest.raises(LspError) as before:
        client.ask("textDocument/hover", {"textDocument": {"uri": "a"}, "position": {"line": 0, "character": 0}})
    assert before.value.code == ErrorCode.NOT_INITIALIZED
    client.notify("textDocument/didOpen", {"textDocument": {"uri": "a", "languageId": "", "version": 1, "text": ""}})
    client.initialize(encodings=["utf-8"])
    with pytest.raises(LspError, match="once") as again:
        client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert again.value.code == ErrorCode.INVALID_REQUEST
    client.ask("shutdown")
    with pytest.raises(LspError, match="shut down"):
        client.ask("shutdown")
    client.notify("exit")
    assert client._finish() == 0


def test_a_client_that_hangs_up(client):
    client.initialize()
    assert client.hang_up() == 1


def test_what_is_not_a_message_is_answered_and_the_session_resumes(client):
    client.initialize()
    client.send_bytes(b"Content-Length: 1\r\n\r\n{")
    client.send({"id": 77, "method": 5})
    client.send({"method": "$/unknown"})
    client.send({"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///none"}}})
    with pytest.raises(LspError) as unknown:
        client.ask("textDocument/unknown", {})
    assert unknown.value.code == ErrorCode.METHOD_NOT_FOUND
    client.send({"id": 78, "method": "textDocument/formatting", "params": []})
    with pytest.raises(LspError) as params:
        client.end(78)
    assert params.value.code == ErrorCode.INVALID_PARAMS
    with pytest.raises(LspError):
        client.end(77)
    assert client.close() == 0


def test_a_request_that_was_taken_back_is_not_begun(client, monkeypatch):
    began, go = threading.Event(), threading.Event()

    def slow(_workspace, _params, check):
        began.set()
        go.wait(60)
        check()

    monkeypatch.setitem(FEATURES, "formwork/slow", slow)
    client.initialize()
    first = client.begin("formwork/slow", {})
    assert began.wait(60)
    second = client.begin("formwork/slow", {})
    client.notify("$/cancelRequest", {"id": second})
    client.notify("$/cancelRequest", {"id": first})
    client.send_bytes(b"Content-Length: 2\r\n\r\n{}")  # answered by the thread that waits: what is before it was read
    began.clear()
    threading.Timer(0.2, go.set).start()
    for each in (first, second):
        with pytest.raises(LspError) as error:
            client.end(each)
        assert error.value.code == ErrorCode.CANCELLED
    assert not began.is_set()
    assert client.close() == 0


def test_a_defect_is_reported_without_what_it_was_about(client, monkeypatch):
    def broken(_workspace, _params, _check):
        raise KeyError("s3cret")

    monkeypatch.setitem(FEATURES, "formwork/broken", broken)
    client.initialize()
    with pytest.raises(LspError, match="a bug in Formwork") as error:
        client.ask("formwork/broken", {})
    assert error.value.code == ErrorCode.INTERNAL
    logged = client.notifications.get(timeout=60)["params"]["message"]
    assert "KeyError (editor/test_server.py:" in logged
    assert "s3cret" not in logged
    assert client.close() == 0


def test_a_project_is_checked_while_it_is_typed(client, project):
    client.initialize(project)
    uri = client.open(project / "acme-store-thing.json")
    assert "schema.pointer-not-found" in client.codes(uri, 1)
    inputs = address_of(project / "inputs" / "inputs_1_create.json")
    assert client.codes(inputs) == ["model.wrong-type"]
    before = (project / "acme-store-thing.json").read_text()
    line = before.splitlines().index('        "/properties/Nome"')
    change = {"start": {"line": line, "character": 22}, "end": {"line": line, "character": 23}}
    client.change(uri, 2, {"range": change, "text": "a"})
    assert "schema.pointer-not-found" not in client.codes(uri, 2)
    client.replace(uri, 3, "{")
    assert client.codes(uri, 3) == ["document.syntax"]
    assert (project / "acme-store-thing.json").read_text() == before
    assert client.close() == 0


def test_a_text_broken_at_the_sight_of_its_diagnostics_is_completed_from_the_one_before(client, project, monkeypatch):
    check = EditorSession.check

    def check_and_linger(session, target, **how):
        check(session, target, **how)
        threading.Event().wait(0.2)

    monkeypatch.setattr(EditorSession, "check", check_and_linger)
    client.initialize(project)
    uri = client.open(project / "acme-store-thing.json")
    client.diagnostics(uri, 1)
    client.replace(uri, 2, '{"primaryIdentifier": ["')
    found = client.at("textDocument/completion", uri, 0, 24)
    assert "/properties/Size" in [each["label"] for each in found["items"]]
    assert client.close() == 0


def test_published_is_what_validate_finds(client, project):
    client.initialize(project)
    uri = client.open(project / "acme-store-thing.json")
    shown = client.diagnostics(uri, 1)
    found = [each for each in check_path(project).diagnostics if each.location.file.endswith("thing.json")]
    assert [each["code"] for each in shown] == [each.code for each in found]
    for one, other in zip(shown, found, strict=True):
        start = {"line": other.location.start.line - 1, "character": other.location.start.column - 1}
        assert one["range"]["start"] == start
        assert one["message"].startswith(other.message)
        assert one["codeDescription"]["href"].startswith("https://")


def test_closing_shows_what_is_saved(client, project):
    client.initialize(project)
    uri = client.open(project / "acme-store-thing.json", "{")
    assert client.codes(uri, 1) == ["document.syntax"]
    other = client.open(project / ".rpdk-config")
    client.diagnostics(other, 1)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.until(uri, [each.code for each in check_path(project).diagnostics if each.code.startswith("schema.")])
    assert client.close() == 0


def test_documents_without_a_project(client, tmp_path):
    client.initialize()
    uri = client.open("untitled:1", json.dumps(FAULTY, indent=1))
    assert "schema.pointer-not-found" in client.codes(uri, 1)
    package = client.open(tmp_path / "package.json", '{"name": "x", "version": 1}')
    assert client.codes(package, 1) == []
    template = client.open(
        tmp_path / "t.yaml", "Resources:\n  A:\n    Type: AWS::S3::Bucket\n    Properties: {Nme: a}\n", language="yaml"
    )
    assert client.codes(template, 1) == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.close() == 0
    assert client.published[uri]["diagnostics"] == []


def test_watched_files_and_folders(client, project):
    client.initialize(project, workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
    uri = client.open(project / ".rpdk-config")
    assert client.codes(uri, 1) == []
    (project / "acme-store-thing.json").unlink()
    event = {"uri": address_of(project / "acme-store-thing.json"), "type": 3}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
    client.until(event["uri"], ["project.schema-missing"])
    removed = [{"uri": address_of(project), "name": "a"}]
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": removed}})
    assert client.close() == 0
    assert [each["method"] for each in client.requests] == ["client/registerCapability"]


def test_formatting_of_models(client, tmp_path):
    client.initialize()
    uri = client.open(tmp_path / "a.smithy", '$version:"2"\nnamespace a\nstring   B\n', language="smithy")
    options = {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}
    edits = client.ask("textDocument/formatting", options)
    assert applied('$version:"2"\nnamespace a\nstring   B\n', edits) == '$version: "2"\n\nnamespace a\n\nstring B\n'
    client.replace(uri, 2, "namespace {")
    assert client.ask("textDocument/formatting", options) == []
    other = client.open(tmp_path / "a.json", "{}")
    assert client.ask("textDocument/formatting", {**options, "textDocument": {"uri": other}}) is None
    assert client.close() == 0


def test_a_model_that_is_not_text_is_a_finding(tmp_path, client):
    client.initialize(tmp_path)
    uri = client.open(tmp_path / "a.smithy", '$version: "2"\nnamespace a\nstring \ud800\n', language="smithy")
    assert [each["code"] for each in client.diagnostics(uri, 1)] == ["smithy.not-utf-8"]
    assert defects(client) == []
