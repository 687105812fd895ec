"""The requests that the server answers, one module per feature; each is imported when it is first asked for."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from formwork.editor.protocol.positions import PositionEncoding
from formwork.editor.session import EditorSession

Check = Callable[[], None]
Feature = Callable[[EditorSession, dict[str, Any], Check], Any]

TEST_COMMAND = "formwork.testHandler"  # arguments: the project's folder, and the handler's name

# Method → module of this package and function; the functions take the session, the parameters, and what to call now
# and then: it raises once the client has taken the request back.
_HOMES: dict[str, tuple[str, str]] = {
    "formwork/clauses": ("clauses", "answer_clauses"),
    "formwork/status": ("clauses", "answer_status"),
    "textDocument/codeAction": ("fixing", "answer_code_action"),
    "textDocument/codeLens": ("lenses", "answer_code_lens"),
    "textDocument/completion": ("completion", "answer_completion"),
    "textDocument/definition": ("navigation", "answer_definition"),
    "textDocument/formatting": ("formatting", "answer_formatting"),
    "textDocument/hover": ("hovering", "answer_hover"),
    "textDocument/prepareRename": ("renaming", "answer_prepare_rename"),
    "textDocument/references": ("navigation", "answer_references"),
    "textDocument/rename": ("renaming", "answer_rename"),
    "workspace/executeCommand": ("lenses", "answer_command"),
}


def _lazily(module: str, name: str) -> Feature:
    def call(session: EditorSession, params: dict[str, Any], check: Check) -> Any:
        feature: Feature = getattr(import_module(f"{__name__}.{module}"), name)
        return feature(session, params, check)

    return call


FEATURES: dict[str, Feature] = {method: _lazily(module, name) for method, (module, name) in _HOMES.items()}


def capabilities(encoding: PositionEncoding) -> dict[str, Any]:
    """Return what the server offers, as the answer to `initialize` has it."""
    return {
        "positionEncoding": str(encoding),
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        "documentFormattingProvider": True,
        "completionProvider": {"triggerCharacters": ['"', "/", "#", ":", "!", " "], "resolveProvider": False},
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "renameProvider": {"prepareProvider": True},
        "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll"]},
        "codeLensProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": [TEST_COMMAND]},
    }
