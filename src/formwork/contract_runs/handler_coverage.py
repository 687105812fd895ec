"""Whether a run of `cfn test` records which lines of the handlers run, and what it recorded."""

import argparse
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.project import Project

if TYPE_CHECKING:
    from formwork.contract_results.coverage import HandlerCoverage
    from formwork.invoke.project_host.settings import CoverageSettings


_NOTHING_LOADED = "no handler process loaded the project's code"
_NOT_TRACED = "recording slows handlers on Python 3.11 and older; --coverage turns it on"


class LineRecording(Struct, frozen=True):
    """The recording of one run: `settings` are for the handlers' host, None where nothing is recorded."""

    project: Project
    settings: "CoverageSettings | None" = None
    unmeasured: str = ""

    def read(self) -> "HandlerCoverage | None":
        """Return what was recorded until now; None where coverage was not asked for."""
        if self.settings is None and not self.unmeasured:
            return None
        from formwork.contract_results.coverage import HandlerCoverage

        if self.settings is None:
            return HandlerCoverage(unmeasured=self.unmeasured)
        from formwork.languages.python.coverage import read_coverage
        from formwork.languages.python.handler_sources import own_sources

        sources = own_sources(self.project)
        found = read_coverage(self.settings.folder, sources, self.project.root.resolve())
        return found or HandlerCoverage(unmeasured=_NOTHING_LOADED if self.settings.traced else _NOT_TRACED)


@contextlib.contextmanager
def record_lines(arguments: argparse.Namespace, project: Project) -> Iterator[LineRecording]:
    """Record what runs, if the options and the language allow it; the records are removed at the end."""
    unwanted = arguments.simulated and arguments.coverage is None
    if arguments.coverage is False or unwanted or arguments.touched is not None:
        yield LineRecording(project)
    elif reason := _why_unmeasured(arguments, project):
        yield LineRecording(project, unmeasured=reason)
    else:
        from formwork.invoke.project_host.settings import CoverageSettings
        from formwork.private_files.temporary import TemporaryFolder

        with TemporaryFolder("coverage") as folder:
            yield LineRecording(project, CoverageSettings(folder, traced=bool(arguments.coverage)))


def _why_unmeasured(arguments: argparse.Namespace, project: Project) -> str:
    if not (project.runtime or "").startswith("python"):
        return f"only Python handlers record which lines run, and these are for {project.runtime}"
    if arguments.simulated:
        return "the handlers are simulated"
    if arguments.endpoint is not None:
        return "the handlers run behind --endpoint"
    if arguments.debug_port is not None:
        return "a debugger takes part"
    return ""
