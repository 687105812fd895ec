"""Functions of a Python project: its code with an environment of its requirements."""

import threading
from pathlib import Path

from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, Severity
from formwork.invoke.project_host.runtime import function_of, once_each
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.template import FunctionSpec
from formwork.languages.python.environment import PythonEnvironment, prepare_environment
from formwork.languages.python.handler_sources import own_sources
from formwork.languages.python.installing import InstallSettings
from formwork.languages.python.launch import RecordedLines, python_launch
from formwork.languages.python.runtime_packages import folder_of
from formwork.project import Project
from formwork.toolchain.python import Interpreter, find_interpreter


class PythonProject:
    """Creates functions from specs; they share one environment, created when the first process starts."""

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._project = project
        self._root = project.root.resolve()
        self._settings = settings
        self._aws_library = settings.aws_runtime or project.config.keeps_aws_library
        self._lock = threading.Lock()
        self._made: dict[tuple[str, Path], tuple[tuple[int, int], PythonEnvironment]] = {}
        self._say = once_each(settings.note)

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """Return the function that the template describes."""
        task_root = self._task_root(spec)
        return function_of(
            spec,
            self._settings,
            task_root=task_root,
            prepare=lambda: self._launch(spec, task_root),
            sources=(task_root, self._root / "requirements.txt"),
        )

    def _task_root(self, spec: FunctionSpec) -> Path:
        """Return the folder of the function's code: `src/` if the template names `build/`, which may be stale."""
        code = (self._root / (spec.code_uri or "build/")).resolve()
        sources = self._root / "src"
        return sources if sources.is_dir() and code == self._root / "build" else code

    def _launch(self, spec: FunctionSpec, task_root: Path) -> Launch:
        expect_handler_module(spec, task_root)
        environment = self._environment(spec.runtime, task_root)
        packages = dict(environment.packages)
        debug_port = self._settings.debug_port
        if debug_port is not None:
            packages["debugpy"] = _debugpy()
        return python_launch(
            environment.interpreter.executable,
            task_root=task_root,
            paths=environment.paths,
            packages=packages,
            bytecode=self._settings.cache / "bytecode",
            debug_port=debug_port,
            recorded=self._recorded(environment.interpreter),
        )

    def _recorded(self, interpreter: Interpreter) -> RecordedLines | None:
        coverage = self._settings.coverage
        if coverage is None or not (coverage.traced or interpreter.has_monitoring):
            return None
        return RecordedLines(coverage.folder, own_sources(self._project))

    def _environment(self, runtime: str, task_root: Path) -> PythonEnvironment:
        with self._lock:
            stamp = _stamp(self._root / "requirements.txt")
            seen, environment = self._made.get((runtime, task_root), (None, None))
            if environment is None or seen != stamp:
                environment = self._prepare(runtime, task_root)
                self._made[runtime, task_root] = (stamp, environment)
            return environment

    def _prepare(self, runtime: str, task_root: Path) -> PythonEnvironment:
        user = self._settings.user_environment
        interpreter = find_interpreter(runtime, search_path=user.get("PATH", ""), home=self._settings.home)
        if interpreter.note:
            self._say(interpreter.note)
        installing = InstallSettings(self._settings.cache, user, self._say)
        return prepare_environment(self._root, task_root, interpreter, installing, aws_runtime=self._aws_library)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _debugpy() -> Path:
    folder = folder_of("debugpy")
    if folder is None:
        raise EnvironmentProblemError("debugpy is not installed", hint="pip install debugpy, beside Formwork")
    return folder


def expect_handler_module(spec: FunctionSpec, task_root: Path) -> None:
    """Check that the handler's file exists where the template says.

    Raises:
        BadInputError: the folder is missing, or only differs in case (which works on macOS, and not in Lambda).
    """
    if not task_root.is_dir():
        message = f"function {spec.name}: its code folder {task_root.name}/ does not exist"
        raise BadInputError.of("template.code", message, location=spec.location, hint="`cfn generate` creates src/")
    folder = task_root
    for step in spec.handler.replace("/", ".").split(".")[:-1]:
        names = {each.name for each in folder.iterdir()} if folder.is_dir() else set()
        if step in names or f"{step}.py" in names:
            folder = folder / step
            continue
        near = sorted(name for name in names if name.removesuffix(".py").lower() == step.lower())
        if near:
            message = f'function {spec.name}: handler "{spec.handler}" names "{step}", but the file is "{near[0]}"'
            hint = f'rename it to "{near[0].replace(near[0].removesuffix(".py"), step)}", or fix the Handler'
            diagnostic = Diagnostic("template.handler-case", Severity.ERROR, message, spec.location, hint=hint)
            raise BadInputError([diagnostic])
        return
