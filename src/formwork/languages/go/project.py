"""Functions of a Go project: its program, which implements Lambda's Runtime API."""

import tempfile
from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError
from formwork.invoke.project_host.runtime import function_of, once_each
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.template import FunctionSpec
from formwork.languages.go.aws_runtime import is_tamed
from formwork.languages.go.build import GoTarget, build_go_program
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import Project
from formwork.toolchain import BuildSettings
from formwork.toolchain.go import find_delve, find_go
from formwork.toolchain.go_module import module_sources, read_module


class GoProject:
    """Creates functions from specs; they share one program, built at the first use after a change of its sources.

    The template's CodeUri (`bin/`, with a program for Lambda) is ignored.
    """

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._root = project.root.resolve()
        self._settings = settings
        self._say = once_each(settings.note)
        self._temporary: TemporaryFolder | None = None

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """Return the function that the template describes."""
        return function_of(spec, self._settings, task_root=self._root, prepare=self._launch, sources=self._sources())

    def _sources(self) -> tuple[Path, ...]:
        try:
            go = find_go(self._settings.user_environment)
        except EnvironmentProblemError:  # the launch raises it again
            return module_sources(self._root)
        return read_module(self._root, go, self._settings.user_environment).sources

    def _launch(self) -> Launch:
        build = BuildSettings(self._settings.user_environment, self._settings.cache, self._say)
        port = self._settings.debug_port
        program = build_go_program(self._root, GoTarget(debugged=port is not None), build)
        environment = {"TMPDIR": self._own_folder()} if is_tamed(program) else {}
        return Launch((*self._debugger(port), str(program)), environment, self._root)

    def _debugger(self, port: int | None) -> tuple[str, ...]:
        """Return the command before the program: none, or the debugger, which waits on the port."""
        if port is None:
            return ()
        delve = find_delve(self._settings.user_environment)
        return (str(delve), "--headless", "--api-version=2", f"--listen=127.0.0.1:{port}", "exec")

    def _own_folder(self) -> str:
        """Return a folder for the temporary files of one process, since AWS's runtime empties it."""
        if self._temporary is None:
            self._temporary = TemporaryFolder("go")
        return tempfile.mkdtemp(dir=self._temporary.path)
