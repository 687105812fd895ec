"""What a client said in `initialize` that it takes, and answers in that form (LSP 3.17, Capabilities)."""

from typing import Any

from formwork.editor.protocol.requests import member_at


class ClientAbilities:
    """The capabilities of a client; what it does not name, it does not have."""

    def __init__(self, capabilities: Any = None) -> None:
        self._given = capabilities

    def at(self, *keys: str) -> Any:
        """Return the member at a path, None where it is missing."""
        return member_at(self._given, *keys)

    @property
    def registers_watched_files(self) -> bool:
        """Whether the server may register the files whose changes it is notified of."""
        return self.at("workspace", "didChangeWatchedFiles", "dynamicRegistration") is True

    @property
    def takes_code_actions(self) -> bool:
        """Whether a code action may be an edit; older clients take commands alone."""
        return isinstance(self.at("textDocument", "codeAction", "codeActionLiteralSupport"), dict)

    def documentation(self, markdown: str) -> dict[str, str] | str:
        """Return the documentation of a completion item."""
        formats = self.at("textDocument", "completion", "completionItem", "documentationFormat")
        return {"kind": "markdown", "value": markdown} if _has_markdown(formats) else markdown

    def hover_contents(self, markdown: str) -> dict[str, str] | str:
        """Return the contents of a hover; a bare string is Markdown in the oldest form of the protocol."""
        formats = self.at("textDocument", "hover", "contentFormat")
        if formats is None:
            return markdown
        return {"kind": "markdown" if _has_markdown(formats) else "plaintext", "value": markdown}

    def workspace_edit(self, uri: str, version: int, edits: list[dict[str, Any]]) -> dict[str, Any]:
        """Return an edit of one document, tied to its version where the client takes that."""
        if self.at("workspace", "workspaceEdit", "documentChanges") is True:
            return {"documentChanges": [{"textDocument": {"uri": uri, "version": version}, "edits": edits}]}
        return {"changes": {uri: edits}}


def _has_markdown(formats: Any) -> bool:
    return isinstance(formats, list) and "markdown" in formats
