"""Functions of a Go project: its program itself, which speaks Lambda's Runtime API."""

import tempfile
from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError
from formwork.invoke.project_host.runtime import function_of, once_each
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host import LambdaFunction, Launch
from formwork.lambda_host.template import FunctionSpec
from formwork.languages.go.aws_runtime import is_tamed
from formwork.languages.go.build import GoTarget, build_go_program
from formwork.languages.go.module import module_sources, read_module
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import Project
from formwork.toolchain import BuildSettings
from formwork.toolchain.go import find_delve, find_go


class GoProject:
    """Makes functions of specs; they share one program, which is built when it is first needed and its sources changed.

    What the template's CodeUri names (`bin/`, for Lambda's machine) is not looked at.
    """

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._root = project.root.resolve()
        self._settings = settings
        self._say = once_each(settings.note)
        self._temporary: TemporaryFolder | None = None

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """The function that the template describes."""
        return function_of(spec, self._settings, task_root=self._root, prepare=self._launch, sources=self._sources())

    def _sources(self) -> tuple[Path, ...]:
        try:
            go = find_go(self._settings.user_environment)
        except EnvironmentProblemError:  # which the launch raises, too
            return module_sources(self._root)
        return read_module(self._root, go, self._settings.user_environment).sources

    def _launch(self) -> Launch:
        build = BuildSettings(self._settings.user_environment, self._settings.cache, self._say)
        port = self._settings.debug_port
        program = build_go_program(self._root, GoTarget(debugged=port is not None), build)
        environment = {"TMPDIR": self._own_folder()} if is_tamed(program) else {}
        return Launch((*self._debugger(port), str(program)), environment, self._root)

    def _debugger(self, port: int | None) -> tuple[str, ...]:
        """What the program is started with: nothing, or the debugger, which waits on the port."""
        if port is None:
            return ()
        delve = find_delve(self._settings.user_environment)
        return (str(delve), "--headless", "--api-version=2", f"--listen=127.0.0.1:{port}", "exec")

    def _own_folder(self) -> str:
        """A folder for the temporary files of one process: AWS's runtime empties the one that it is given."""
        if self._temporary is None:
            self._temporary = TemporaryFolder("go")
        return tempfile.mkdtemp(dir=self._temporary.path)
