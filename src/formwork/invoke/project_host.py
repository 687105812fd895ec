"""The functions of a project folder, ready for a local Lambda service."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from formwork.diagnostics import BadInputError, Diagnostic, EnvironmentProblemError, Location, Severity
from formwork.documents import load_document
from formwork.lambda_host import Function, HostSettings, LambdaHost, Launch
from formwork.lambda_host.aws_refusal import AwsRefusal
from formwork.lambda_host.interpreters import find_interpreter
from formwork.lambda_host.python_environment import PythonEnvironment, PythonSettings, folder_of, prepare_environment
from formwork.lambda_host.python_launch import python_launch
from formwork.lambda_host.template import FunctionSpec, find_template, read_template
from formwork.project import Project

# What the incumbent's template.yml says, for a project that has lost it.
_TIMEOUT = 180
_MEMORY = 256


def _ignore(*_what: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class ProjectHostSettings:
    """How a project's handlers are run.

    `cache` keeps environments and compiled files; `user_environment` is the user's, for pip and for finding
    interpreters, never for handlers. `aws_environment` is what handler processes get to reach AWS with (credentials, or
    AWS_ENDPOINT_URL for a simulation); None refuses their AWS calls with an error that says so. `debug_port` makes each
    handler wait for a debugger there, without limits. `note` hears of what the user should know, `log` of every line
    that a handler writes (function, request id, line), `hear` of every event before a handler gets it, `refused` of
    every AWS call that was refused.
    """

    cache: Path
    home: Path
    user_environment: Mapping[str, str] = field(default_factory=dict)
    aws_environment: Mapping[str, str] | None = None
    region: str = "us-east-1"
    account: str = "123456789012"
    concurrency: int = 10
    aws_runtime: bool = False
    debug_port: int | None = None
    note: Callable[[str], None] = _ignore
    log: Callable[[str, str, str], None] = _ignore
    hear: Callable[[bytes], None] = _ignore
    refused: Callable[[str], None] = _ignore


@contextlib.contextmanager
def open_project_host(project: Project, settings: ProjectHostSettings) -> Iterator[LambdaHost]:
    """A local Lambda service with the project's functions; its processes are gone at the end.

    Raises:
        BadInputError: template.yml can't be used.
    """
    functions = project_functions(project, settings)
    with contextlib.ExitStack() as stack:
        aws = settings.aws_environment
        if aws is None:
            refusal = stack.enter_context(contextlib.closing(AwsRefusal(settings.refused)))
            aws = local_aws_environment(refusal.url)
        region = {"AWS_REGION": settings.region, "AWS_DEFAULT_REGION": settings.region}
        debugging = settings.debug_port is not None
        host_settings = HostSettings(
            account=settings.account,
            region=settings.region,
            concurrency=1 if debugging else settings.concurrency,
            freeze=not debugging,
            environment={**_system_environment(settings.user_environment), **region, **aws},
            log=settings.log,
            hear=settings.hear,
        )
        yield stack.enter_context(LambdaHost(functions, settings=host_settings))


def _system_environment(user: Mapping[str, str]) -> dict[str, str]:
    """Without SYSTEMROOT no program of Windows opens a socket; elsewhere there is no such variable."""
    return {name: value for name, value in user.items() if name.upper() == "SYSTEMROOT"}


def local_aws_environment(endpoint_url: str) -> dict[str, str]:
    """What a handler process needs so that its AWS calls go to `endpoint_url`, with credentials of no account."""
    return {
        "AWS_ENDPOINT_URL": endpoint_url,
        "AWS_ACCESS_KEY_ID": "FORMWORKLOCALACCESS0",
        "AWS_SECRET_ACCESS_KEY": "formwork-local-secret-key",
        "AWS_SESSION_TOKEN": "formwork-local-session-token",
    }


def project_functions(project: Project, settings: ProjectHostSettings) -> tuple[Function, ...]:
    """The functions of `template.yml`; without one, the two that the project's config implies.

    Raises:
        BadInputError: the template can't be used.
    """
    python = _PythonProject(project.root, settings)
    return tuple(python.function(spec) for spec in _specs(project, settings))


def _specs(project: Project, settings: ProjectHostSettings) -> tuple[FunctionSpec, ...]:
    path = find_template(project.root)
    if path is None:
        settings.note("there is no template.yml: taking the functions from .rpdk-config")
        return tuple(_implied_specs(project))
    template = read_template(load_document(path, short_tags=True))
    if any(each.severity is Severity.ERROR for each in template.diagnostics):
        raise BadInputError(template.diagnostics)
    for each in template.diagnostics:
        settings.note(f"{path.name}: {each.message}")
    if not template.functions:
        message = "there is no function in the template"
        raise BadInputError.of("template.function", message, location=Location(str(path)), expected="TypeFunction")
    return template.functions


def _implied_specs(project: Project) -> Iterator[FunctionSpec]:
    location = Location(str(project.root / ".rpdk-config"))
    runtime = project.runtime
    entries = {"TypeFunction": project.entrypoint, "TestEntrypoint": project.test_entrypoint}
    for name, handler in entries.items():
        if handler and runtime:
            yield FunctionSpec(name, handler, runtime, "build/", _TIMEOUT, _MEMORY, {}, location)


class _PythonProject:
    """Makes functions of specs; the environment they share is made once, when the first process starts."""

    def __init__(self, root: Path, settings: ProjectHostSettings) -> None:
        self._root = root.resolve()
        self._settings = settings
        self._lock = threading.Lock()
        self._made: dict[tuple[str, Path], tuple[tuple[int, int], PythonEnvironment]] = {}
        self._said: set[str] = set()

    def function(self, spec: FunctionSpec) -> Function:
        task_root = self._task_root(spec)
        limited = self._settings.debug_port is None
        return Function(
            spec.name,
            spec.handler,
            spec.runtime,
            task_root,
            lambda: self._launch(spec, task_root),
            timeout=float(spec.timeout) if limited else None,
            memory_mb=spec.memory_mb if limited else None,
            environment=spec.environment,
            sources=(task_root, self._root / "requirements.txt"),
        )

    def _task_root(self, spec: FunctionSpec) -> Path:
        """Where the function's code is: `src/` where the template names the packaged `build/`, which may be stale."""
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
        )

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
        python = PythonSettings(self._settings.cache, user, self._settings.aws_runtime, self._say)
        return prepare_environment(self._root, task_root, interpreter, python)

    def _say(self, line: str) -> None:
        if line not in self._said:  # two functions share one environment, and one is enough said about it
            self._said.add(line)
            self._settings.note(line)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _debugpy() -> Path:
    folder = folder_of("debugpy")
    if folder is None:
        raise EnvironmentProblemError("debugpy is not installed", hint="pip install debugpy, beside formwork-cfn")
    return folder


def expect_handler_module(spec: FunctionSpec, task_root: Path) -> None:
    """See that the handler's code is where the template says, as far as the file system tells.

    Raises:
        BadInputError: the folder is missing, or only differs in case (which works on macOS, and not in Lambda).
    """
    if not task_root.is_dir():
        message = f"function {spec.name}: its code folder {task_root.name}/ does not exist"
        raise BadInputError.of("template.code", message, location=spec.location, hint="`cfn generate` makes src/")
    folder = task_root
    for step in spec.handler.replace("/", ".").split(".")[:-1]:
        names = {each.name for each in folder.iterdir()} if folder.is_dir() else set()
        if step in names or f"{step}.py" in names:
            folder = folder / step
            continue
        near = sorted(name for name in names if name.removesuffix(".py").lower() == step.lower())
        if near:
            message = f'function {spec.name}: handler "{spec.handler}" names "{step}", but the file is "{near[0]}"'
            hint = f'rename it to "{near[0].replace(near[0].removesuffix(".py"), step)}", or mend the Handler'
            diagnostic = Diagnostic("template.handler-case", Severity.ERROR, message, spec.location, hint=hint)
            raise BadInputError([diagnostic])
        return
