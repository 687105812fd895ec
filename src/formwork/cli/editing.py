"""What the language server is given: schemas of this machine, fetched documents, and runs of `cfn test`."""

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.output import CommandOutput
from formwork.command_context.remote import kept_documents

_REMEMBERED_SECONDS = 30

if TYPE_CHECKING:
    from formwork.editor.session import EditorDependencies
    from formwork.schema.at_hand import SchemaCatalog


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


class RememberedSchemas:
    """Schemas as a catalog gave them within the last half minute: a registry is not asked with every letter."""

    def __init__(self, catalog: "SchemaCatalog") -> None:
        self._catalog = catalog
        self._found: dict[str, tuple[float, str | None]] = {}
        self._matching: dict[str, tuple[float, list[str]]] = {}

    def find(self, name: str) -> str | None:
        """Return the text of a type's schema, or None."""
        known = self._found.get(name)
        if known is None or time.monotonic() - known[0] > _REMEMBERED_SECONDS:
            known = self._found[name] = (time.monotonic(), self._catalog.find(name))
        return known[1]

    def matching(self, pattern: str) -> list[str]:
        """Return the names of the types that the pattern means."""
        known = self._matching.get(pattern)
        if known is None or time.monotonic() - known[0] > _REMEMBERED_SECONDS:
            known = self._matching[pattern] = (time.monotonic(), [*self._catalog.matching(pattern)])
        return known[1]


def editor_dependencies(
    arguments: argparse.Namespace, runs: HandlerTestRuns, output: CommandOutput
) -> "EditorDependencies":
    """Return the server's dependencies by the options of `cfn lsp`.

    Raises:
        UsageError: a folder with further schemas does not exist.
    """
    from formwork.command_context.schemas_here import schemas_here
    from formwork.contract_runs.last_run import LastRun
    from formwork.editor.session import EditorDependencies

    return EditorDependencies(
        remote=kept_documents(),
        schemas=RememberedSchemas(schemas_here(arguments.schemas, output)),
        last_clauses=lambda root: LastRun(root).clauses,
        run_tests=runs.run,
        own_types_only=arguments.own_types_only,
    )
