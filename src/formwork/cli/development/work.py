"""What a working session does with its project: validate, generate, expand, prove, register and deploy."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from formwork.cli.development.commands import run_command
from formwork.command_context.output import CommandOutput
from formwork.command_context.remote import kept_documents
from formwork.contract_runs.touched_tests import SelectedTests, read_sources
from formwork.diagnostics import Diagnostic
from formwork.extensions import ExtensionKind
from formwork.project.check import check_path

if TYPE_CHECKING:
    from formwork.contract_results.suite_result import SuiteResult

Prover = Callable[[SelectedTests | None], "SuiteResult | None"]


class SessionStack(Struct, frozen=True):
    """The stack that a session keeps up to date; `words` are more options of `cfn stack deploy`."""

    name: str
    template: Path
    words: tuple[str, ...] = ()


class SessionWork(Protocol):
    """What a session can have done; each function shows what went wrong, and says whether all went well."""

    def validate(self) -> ExtensionKind | None:
        """Return the kind of a valid project; None of another."""

    def generate(self) -> bool:
        """Write what follows from the schema."""

    def expand(self) -> bool:
        """Show the template with the module in it replaced by its resources, if a template is named."""

    def prove(self, selected: SelectedTests | None) -> "SuiteResult | None":
        """Run tests, all if None, and report; None where they could not run."""

    def register(self) -> bool:
        """Make the project the default version of its type in the registry on this machine."""

    def deploy(self) -> bool:
        """Create or update the stack."""

    def read_sources(self) -> dict[str, str]:
        """Return the Python sources of the handlers."""


class ProjectWork:
    """The work on the project in this folder. `prove` is `cfn test`'s."""

    def __init__(
        self, output: CommandOutput, prove: Prover, *, stack: SessionStack | None, template: Path | None
    ) -> None:
        self._output = output
        self.prove = prove
        self._stack = stack
        self._template = template
        self._shown: Sequence[Diagnostic] = ()

    def validate(self) -> ExtensionKind | None:
        """See `SessionWork.validate`; warnings are shown where they are new."""
        checked = check_path(Path(), remote=kept_documents())
        if not checked.valid or checked.diagnostics != self._shown:
            self._output.show(checked.diagnostics)
        self._shown = checked.diagnostics
        return checked.kind if checked.valid else None

    def generate(self) -> bool:
        """See `SessionWork.generate`; no registry is asked for the schemas of a hook's targets."""
        return run_command(["generate", "--local-only"], self._output, silent=True)

    def expand(self) -> bool:
        """See `SessionWork.expand`."""
        if self._template is None:
            return True
        return run_command(["module", "expand", str(self._template), "--modules", "."], self._output)

    def register(self) -> bool:
        """See `SessionWork.register`."""
        return run_command(["submit", "--local", "--set-default"], self._output, silent=True)

    def deploy(self) -> bool:
        """See `SessionWork.deploy`."""
        assert self._stack is not None
        words = ("stack", "deploy", self._stack.name, str(self._stack.template), "--local", *self._stack.words)
        return run_command(words, self._output)

    def read_sources(self) -> dict[str, str]:
        """See `SessionWork.read_sources`."""
        return read_sources(Path())
