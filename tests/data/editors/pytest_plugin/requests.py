"""pytest-lsp as a client of `cfn lsp`, with the capabilities of several editors: every request, edits and broken texts.

FORMWORK_CFN is the command, FORMWORK_PROJECT a project whose files are not written.
"""

import os
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

CFN, PROJECT = os.environ["FORMWORK_CFN"], Path(os.environ["FORMWORK_PROJECT"])
SCHEMA = PROJECT / "acme-store-thing.json"
POINTER = '"/properties/Name"'
EDITORS = ("visual_studio_code", "neovim@v0.7.0", "neovim@v0.11.0", "emacs")


def new_client():
    """A client that lets the server register what the editors' capabilities say it may."""
    client = make_test_lsp_client()
    client.registered = []
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: client.registered.extend(params.registrations))
    return client


SERVER = ClientServerConfig([CFN, "lsp", "--stdio"], client_factory=new_client, server_env=dict(os.environ))


@pytest_lsp.fixture(params=EDITORS, config=SERVER)
async def client(request, lsp_client: LanguageClient):
    folder = types.WorkspaceFolder(uri=PROJECT.as_uri(), name="project")
    found = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities(request.param), workspace_folders=[folder])
    )
    lsp_client.offered = found.capabilities
    yield
    await lsp_client.shutdown_session()


class Document:
    """A document that is open in the client."""

    def __init__(self, client, path, language, text=None):
        self.client, self.text, self.version = client, path.read_text() if text is None else text, 1
        self.uri = path.as_uri()
        self.named = types.TextDocumentIdentifier(uri=self.uri)
        item = types.TextDocumentItem(uri=self.uri, language_id=language, version=1, text=self.text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def position(self, before, offset=0):
        at = self.text.index(before) + offset
        line = self.text.count("\n", 0, at)
        return types.Position(line=line, character=at - self.text.rfind("\n", 0, at) - 1)

    async def codes(self):
        """The codes of the diagnostics of the version that is open now."""
        while True:
            published = await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            if published.uri == self.uri and published.version == self.version:
                return {each.code for each in published.diagnostics}

    def replace(self, old, new):
        """Edit by a range."""
        start, end = self.position(old), self.position(old, len(old))
        self.text = self.text.replace(old, new, 1)
        self.change(types.TextDocumentContentChangePartial(range=types.Range(start=start, end=end), text=new))

    def become(self, text):
        self.text = text
        self.change(types.TextDocumentContentChangeWholeDocument(text=text))

    def change(self, event):
        self.version += 1
        named = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=named, content_changes=[event])
        )

    def all(self):
        end = types.Position(line=self.text.count("\n") + 1, character=0)
        return types.Range(start=types.Position(line=0, character=0), end=end)


@pytest.mark.asyncio
async def test_a_pointer_is_described_found_completed_and_renamed(client):
    document = Document(client, SCHEMA, "json")
    assert "schema.pointer-not-found" not in await document.codes()
    here = {"text_document": document.named, "position": document.position(POINTER, 4)}
    hover = await client.text_document_hover_async(types.HoverParams(**here))
    assert hover.contents.value.startswith("**Name**: string, required, createOnly")
    items = (await client.text_document_completion_async(types.CompletionParams(**here))).items
    assert "/properties/Size" in {each.label for each in items}
    [definition] = await client.text_document_definition_async(types.DefinitionParams(**here))
    assert definition.range.start.line == document.position('"Name": {').line
    context = types.ReferenceContext(include_declaration=True)
    found = await client.text_document_references_async(types.ReferenceParams(**here, context=context))
    assert {each.uri for each in found} == {document.uri, (PROJECT / "inputs" / "inputs_1_create.json").as_uri()}
    assert (await client.text_document_prepare_rename_async(types.PrepareRenameParams(**here))).placeholder == "Name"
    edit = await client.text_document_rename_async(types.RenameParams(**here, new_name="Title"))
    edits = edit.changes or {each.text_document.uri: each.edits for each in edit.document_changes}
    assert set(edits) == {each.uri for each in found}


@pytest.mark.asyncio
async def test_edits_are_checked_and_fixed(client):
    document = Document(client, SCHEMA, "json")
    await document.codes()
    document.replace('"minLength"', '"minlength"')
    codes = await document.codes()
    assert "schema.unknown-keyword" in codes
    context = types.CodeActionContext(diagnostics=list(client.diagnostics[document.uri]))
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=document.named, range=document.all(), context=context)
    )
    assert actions
    document.replace('"minlength"', '"🧱"')  # two units of UTF-16, four bytes of UTF-8
    await document.codes()
    document.replace('"🧱"', '"minLength"')
    assert "schema.unknown-keyword" not in await document.codes()


@pytest.mark.asyncio
async def test_a_broken_document_is_said_to_be_and_all_requests_are_answered(client):
    document = Document(client, SCHEMA, "json")
    await document.codes()
    whole = document.text
    for broken in (whole[1:], whole[: len(whole) // 2], "", "\x00", "[" * 5000):
        document.become(broken)
        assert {"document.syntax", "document.too-deep"} & await document.codes()
        here = {"text_document": document.named, "position": types.Position(line=0, character=0)}
        await client.text_document_hover_async(types.HoverParams(**here))
        await client.text_document_completion_async(types.CompletionParams(**here))
        await client.text_document_definition_async(types.DefinitionParams(**here))
        await client.text_document_code_lens_async(types.CodeLensParams(text_document=document.named))
    document.become(whole)
    assert "document.syntax" not in await document.codes()


@pytest.mark.asyncio
async def test_lenses_run_the_tests_of_a_handler(client):
    document = Document(client, SCHEMA, "json")
    await document.codes()
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document.named))
    assert [each.command.title for each in lenses] == ["Test create", "Test read"]
    assert {each.command.command for each in lenses} <= set(client.offered.execute_command_provider.commands)
    unknown = types.ExecuteCommandParams(command=lenses[0].command.command, arguments=["file:///nowhere", "create"])
    with pytest.raises(JsonRpcException, match="not a project that is open"):
        await client.workspace_execute_command_async(unknown)
    command = lenses[0].command
    said = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command=command.command, arguments=command.arguments)
    )
    assert said  # the project has no handlers: what `cfn test` says of that


@pytest.mark.asyncio
async def test_a_smithy_model_is_formatted(client):
    document = Document(
        client, PROJECT / "model.smithy", "smithy", '$version:"2"\nnamespace  acme.store\nstring  Name\n'
    )
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(text_document=document.named, options=options)
    )
    assert "namespace acme.store" in "".join(each.new_text for each in edits)
    client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=document.named))
    client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=document.named))


@pytest.mark.asyncio
async def test_files_and_folders_that_change_are_looked_at_again(client):
    document = Document(client, SCHEMA, "json")
    await document.codes()
    watched = client.capabilities.workspace.did_change_watched_files
    expected = [types.WORKSPACE_DID_CHANGE_WATCHED_FILES] if watched and watched.dynamic_registration else []
    assert [each.method for each in client.registered] == expected
    event = types.FileEvent(uri=(PROJECT / ".rpdk-config").as_uri(), type=types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[event]))
    await document.codes()
    folder = types.WorkspaceFolder(uri=PROJECT.as_uri(), name="project")
    change = types.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event=change))
    assert await client.text_document_code_lens_async(types.CodeLensParams(text_document=document.named)) is not None
