"""What the language server is given: schemas of this machine, fetched documents, and runs of `cfn test`."""

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.remote import kept_documents

if TYPE_CHECKING:
    from formwork.editor.session import EditorDependencies


class HandlerTestRuns:
    """Runs `cfn test` for single handlers; `end` ends the runs that are left."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._guard = threading.Lock()
        self._ended = False

    def run(self, root: Path, handler: str) -> str:
        """Run the tests of a handler of the project in `root`; return what `cfn test` wrote."""
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", handler).lower()
        words = [sys.executable, "-m", "formwork", "test", "--", "-k", f"contract_{name}"]
        with self._guard:
            if self._ended:
                return ""
            process = subprocess.Popen(  # noqa: S603 - our own command; the handler's name has only letters
                words,
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env={**os.environ, "NO_COLOR": "1"},
            )
            self._running.add(process)
        said, _ = process.communicate()
        with self._guard:
            self._running.discard(process)
        return said

    def end(self) -> None:
        """Interrupt the runs that are left, which delete what they made."""
        with self._guard:
            self._ended = True
            for each in self._running:
                each.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)


def editor_dependencies(folders: list[Path], runs: HandlerTestRuns) -> "EditorDependencies":
    """Return the server's dependencies; `folders` hold further schemas.

    Raises:
        UsageError: one of them does not exist.
    """
    from formwork.command_context.places import state_folder
    from formwork.command_context.schemas_here import schemas_in
    from formwork.contract_runs.last_run import LastRun
    from formwork.editor.session import EditorDependencies
    from formwork.schema.at_hand import SchemaFolder, SchemasAtHand, find_schemas

    users = SchemaFolder(state_folder() / "schemas")
    schemas = SchemasAtHand([schemas_in(folders), users, find_schemas()])
    return EditorDependencies(
        remote=kept_documents(),
        schemas=schemas,
        last_clauses=lambda root: LastRun(root).clauses,
        run_tests=runs.run,
    )
