"""Functions of a Go project: its program itself, which speaks Lambda's Runtime API."""

import tempfile

from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host import LambdaFunction, Launch
from formwork.lambda_host.template import FunctionSpec
from formwork.languages.go.aws_runtime import is_tamed
from formwork.languages.go.build import GoTarget, build_go_program
from formwork.languages.go.module import find_module
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import Project
from formwork.toolchain import BuildSettings
from formwork.toolchain.go import find_delve


class GoProject:
    """Makes functions of specs; they share one program, which is built when it is first needed and its sources changed.

    What the template's CodeUri names (`bin/`, for Lambda's machine) is not looked at.
    """

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._root = project.root.resolve()
        self._settings = settings
        self._said: set[str] = set()
        self._temporary: TemporaryFolder | None = None

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """The function that the template describes."""
        module = find_module(self._root)
        limited = self._settings.debug_port is None
        return LambdaFunction(
            spec.name,
            spec.handler,
            spec.runtime,
            self._root,
            self._launch,
            timeout=float(spec.timeout) if limited else None,
            memory_mb=spec.memory_mb if limited else None,
            environment=spec.environment,
            sources=module.sources,
        )

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

    def _say(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            self._settings.note(line)
