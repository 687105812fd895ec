"""Code lenses over the handlers of a schema: run their tests, and what the last run proved or found violated."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from formwork.editor.features import TEST_COMMAND
from formwork.editor.kinds import DocumentKind
from formwork.editor.protocol.addresses import address_of, path_of
from formwork.editor.protocol.requests import uri_of
from formwork.editor.protocol.wire import ErrorCode, ProtocolError
from formwork.editor.reading.view import DocumentView, view_of
from formwork.editor.session import EditorSession
from formwork.project.project import is_project


def answer_code_lens(session: EditorSession, params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Return the lenses of a project's schema; null for other documents."""
    view = view_of(session, uri_of(params))
    if view.kind is not DocumentKind.SCHEMA or view.root is None or view.document is None:
        return None
    handlers = view.value.get("handlers") if isinstance(view.value, dict) else None
    clauses = session.dependencies.last_clauses(view.root)
    return [lens for name in (handlers if isinstance(handlers, dict) else ()) for lens in _lenses(view, name, clauses)]


def answer_command(session: EditorSession, params: dict[str, Any], _check: Callable[[], None]) -> Any:
    """Run the tests of a handler; return what `cfn test` said.

    Raises:
        ProtocolError: the command or its arguments are unknown, or the folder is not in the workspace.
    """
    run = session.dependencies.run_tests
    match params:
        case {"command": command, "arguments": [str(uri), str(handler)]} if command == TEST_COMMAND and run is not None:
            root = path_of(uri)
            open_roots = {target.root for target in session.targets()}
            if root is None or root not in open_roots or not is_project(root) or not handler.isalnum():
                raise ProtocolError(ErrorCode.INVALID_PARAMS, "the folder is not a project that is open")
            return run(root, handler)
        case _:
            raise ProtocolError(ErrorCode.INVALID_PARAMS, "unknown command")


def _lenses(view: DocumentView, name: str, clauses: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    assert view.document is not None
    assert view.root is not None
    span = view.span(view.document, ("handlers", name), key=True)
    arguments = [address_of(view.root), name]
    yield {"range": span, "command": {"title": f"Test {name}", "command": TEST_COMMAND, "arguments": arguments}}
    own = {clause: state for clause, state in clauses.items() if clause.startswith(f"{name.lower()}.")}
    if own:
        counts = Counter(own.values())
        said = ", ".join(f"{count} {state}" for state, count in counts.most_common())
        violated = [clause for clause, state in own.items() if state == "violated"]
        more = f": {', '.join(violated)}" if violated else ""
        # A command without a name does nothing: the lens is a text.
        yield {"range": span, "command": {"title": f"last run: {said}{more}", "command": ""}}
