"""Answers have the form that a client says it takes."""

import pytest

from formwork.editor.protocol.abilities import ClientAbilities
from support.lsp import MODERN
from support.typing_client import Typist

EDIT = {"range": {}, "newText": "x"}


@pytest.mark.parametrize("said", [None, [], {}, {"textDocument": 1, "workspace": {"workspaceEdit": []}}])
def test_a_client_that_says_nothing_gets_the_oldest_forms(said):
    client = ClientAbilities(said)
    assert not client.registers_watched_files
    assert not client.takes_code_actions
    assert client.documentation("**a**") == "**a**"
    assert client.hover_contents("**a**") == "**a**"
    assert client.workspace_edit("file:///a", 7, [EDIT]) == {"changes": {"file:///a": [EDIT]}}


def test_a_client_of_today_gets_markdown_and_versions():
    client = ClientAbilities(MODERN)
    markdown = {"kind": "markdown", "value": "**a**"}
    assert client.takes_code_actions
    assert client.documentation("**a**") == client.hover_contents("**a**") == markdown
    [change] = client.workspace_edit("file:///a", 7, [EDIT])["documentChanges"]
    assert change["textDocument"] == {"uri": "file:///a", "version": 7}


def test_a_client_without_markdown_gets_plain_text():
    plain = {"hover": {"contentFormat": ["plaintext"]}, "completion": {"completionItem": {"documentationFormat": []}}}
    client = ClientAbilities({"textDocument": plain})
    assert client.hover_contents("a") == {"kind": "plaintext", "value": "a"}
    assert client.documentation("a") == "a"


def test_the_server_answers_in_that_form(client, project):
    client.initialize(project, textDocument={}, workspace={})
    document = Typist(client, project / "acme-store-thing.json")
    here = {"textDocument": {"uri": document.uri}, "position": document.position('"/properties/Na')}
    assert client.ask("textDocument/hover", here)["contents"].startswith("**Name**")
    items = client.ask("textDocument/completion", here)["items"]
    assert all(isinstance(each.get("documentation", ""), str) for each in items)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    assert client.ask("textDocument/codeAction", {**here, "range": whole, "context": {"diagnostics": []}}) is None
