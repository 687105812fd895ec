"""The functions of a project folder, ready for a local Lambda service."""

import contextlib
from collections.abc import Iterator, Mapping

from formwork.diagnostics import BadInputError, Location, Severity
from formwork.documents import load_document
from formwork.egress.opening import open_gate
from formwork.invoke.project_host.runtime import OpenRuntime
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.pool import HostSettings
from formwork.lambda_host.template import FunctionSpec, find_template, read_template
from formwork.project import Project

# What the incumbent's template.yml says, for a project that has lost it.
_TIMEOUT = 180
_MEMORY = 256


@contextlib.contextmanager
def open_project_host(
    project: Project, settings: ProjectHostSettings, open_runtime: OpenRuntime
) -> Iterator[LambdaHost]:
    """A local Lambda service with the project's functions; its processes are gone at the end.

    `open_runtime` makes the functions, such as `formwork.languages.projects.ProjectRuntimes`.

    Raises:
        BadInputError: template.yml can't be used.
    """
    functions = project_functions(project, settings, open_runtime)
    with contextlib.ExitStack() as stack:
        gate = stack.enter_context(contextlib.closing(open_gate(settings.aws_environment, settings.egress)))
        region = {"AWS_REGION": settings.region, "AWS_DEFAULT_REGION": settings.region}
        debugging = settings.debug_port is not None
        host_settings = HostSettings(
            account=settings.account,
            region=settings.region,
            concurrency=1 if debugging else settings.concurrency,
            freeze=not debugging,
            environment={**_system_environment(settings.user_environment), **region},
            way_out=gate,
            log=settings.log,
            hear=settings.hear,
        )
        yield stack.enter_context(LambdaHost(functions, settings=host_settings))


def _system_environment(user: Mapping[str, str]) -> dict[str, str]:
    """Without SYSTEMROOT no program of Windows opens a socket; elsewhere there is no such variable."""
    return {name: value for name, value in user.items() if name.upper() == "SYSTEMROOT"}


def project_functions(
    project: Project, settings: ProjectHostSettings, open_runtime: OpenRuntime
) -> tuple[LambdaFunction, ...]:
    """Return the functions of `template.yml`; without one, the two that the project's config implies.

    Raises:
        BadInputError: the template can't be used.
    """
    runtime = open_runtime(project, settings)
    return tuple(runtime.function(spec) for spec in _specs(project, settings))


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
