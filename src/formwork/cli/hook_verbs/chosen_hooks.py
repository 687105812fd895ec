"""The hooks that a command line names: Guard rules, a hook project, registered hooks."""

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path

from formwork.aws.scope import Scope
from formwork.command_context.egress import NO_EGRESS_OPTIONS, read_egress_rules
from formwork.command_context.output import CommandOutput
from formwork.command_context.reach import LOCAL_ACCOUNT, reach_function
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError, Location, UsageError
from formwork.extensions import ExtensionKind
from formwork.hook_dry_runs.consulted import ConsultedHook
from formwork.hook_dry_runs.dry_run import DryRunHook
from formwork.hook_dry_runs.payload_server import PayloadServer
from formwork.hook_dry_runs.rules import RulesHook
from formwork.hook_dry_runs.schemas import SchemaReader
from formwork.hooks import ActiveHook, FailureMode, HookSettings
from formwork.hooks.guard.objects import merge, parameters_in
from formwork.hooks.guard.rule_files import read_bounded, read_rules
from formwork.hooks.guard.rules import GuardRulesError
from formwork.project import CONFIG_FILE, Project
from formwork.schema import HookSchema

_TEMPLATES = {"STACK", "CHANGE_SET"}  # kinds of target whose templates are behind a URL
_HANDLERS = {"CREATE": "preCreate", "UPDATE": "preUpdate", "DELETE": "preDelete"}


@contextlib.contextmanager
def open_hooks(
    arguments: argparse.Namespace, service: RegistryTarget | None, schemas: SchemaReader, output: CommandOutput
) -> Iterator[list[DryRunHook]]:
    """The hooks to try, their handlers kept running meanwhile.

    Raises:
        BadInputError: rules or a project have errors.
        UsageError: no hook is named, or there is no such one.
        EnvironmentProblemError: handlers can't be started, or the service can't be asked.
    """
    chosen = _Chosen(arguments, service, schemas, output)
    with contextlib.ExitStack() as stack:
        hooks: list[DryRunHook] = [chosen.rules()] if arguments.rules else []
        projects = [Path(each) for each in arguments.hook if is_project(each)]
        names = [each for each in arguments.hook if not is_project(each)]
        if not arguments.rules and not arguments.hook:
            if Path(CONFIG_FILE).is_file():
                projects = [Path()]
            elif service is not None:
                names = chosen.enabled()
            else:
                hint = "--rules PATH, --hook NAME, or run it in the folder of a hook project"
                raise UsageError("no hook is named", hint=hint)
        hooks += [stack.enter_context(chosen.project(each)) for each in projects]
        hooks += [chosen.registered(each, stack) for each in names]
        yield hooks


class _Chosen:
    """Opens the hooks of one call."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        service: RegistryTarget | None,
        schemas: SchemaReader,
        output: CommandOutput,
    ) -> None:
        self._arguments = arguments
        self._service = service
        self._schemas = schemas
        self._output = output
        self._scope = Scope(LOCAL_ACCOUNT, arguments.handler_region)

    @property
    def _settings(self) -> HookSettings:
        kinds = tuple(self._arguments.kinds or ["RESOURCE"])
        return HookSettings(
            enabled=True, failure_mode=FailureMode(self._arguments.mode or FailureMode.FAIL), operations=kinds
        )

    def rules(self) -> RulesHook:
        """Return all the rules of `--rules` as one hook."""
        files = [each for path in self._arguments.rules for each in read_rules(path)]
        parameters: dict[str, object] = {}
        for path in self._arguments.input_parameters:
            try:
                merge(parameters, parameters_in(path.name, read_bounded(path)), path.name)
            except GuardRulesError as error:
                raise BadInputError.of("hook.rules", str(error), location=Location(str(path))) from error
        name = ", ".join(str(each) for each in self._arguments.rules)
        return RulesHook(name=name, files=files, scope=self._scope, settings=self._settings, parameters=parameters)

    @contextlib.contextmanager
    def project(self, folder: Path) -> Iterator[DryRunHook]:
        """The hook of a project, its handlers run here."""
        from formwork.command_context.configurations import expect_hook, hook_configuration
        from formwork.command_context.remote import kept_documents
        from formwork.command_context.schemas_here import schemas_here
        from formwork.project import load_project

        arguments, output = self._arguments, self._output
        at_hand = schemas_here(arguments.schemas, output)
        project = load_project(folder, remote=kept_documents(), schemas_at_hand=at_hand)
        if project.kind is not ExtensionKind.HOOK:
            hint = "--rules PATH, --hook NAME, or run it in the folder of a hook project"
            raise UsageError(f'"{folder}" is a {project.kind.noun} project, not a hook', hint=hint)
        schema, found = expect_hook(project)
        output.show((*project.diagnostics, *found))
        configuration, found = hook_configuration(schema, arguments.typeconfig)
        output.show(found)
        with self._running(project, schema, configuration) as hook:
            yield hook

    @contextlib.contextmanager
    def _running(self, project: Project, schema: HookSchema, configuration: dict[str, object]) -> Iterator[DryRunHook]:
        from formwork.invoke import HandlerSession
        from formwork.schema.configuration_secrets import configuration_secrets

        ours = {"region": self._scope.region, "profile": None, **NO_EGRESS_OPTIONS}
        handlers = argparse.Namespace(**{**vars(self._arguments), **ours})
        handlers.egress_rules = read_egress_rules(handlers, project.root)
        with (
            reach_function(handlers, project, self._output, function="TypeFunction") as reached,
            contextlib.closing(PayloadServer()) as payloads,
        ):
            session = HandlerSession(
                reached.transport,
                project.type_name,
                account=reached.account,
                region=reached.region,
                credentials=reached.credentials,
                type_configuration=configuration,
                resolve=reached.stored_values(configuration, self._output),
            )
            active = ActiveHook(
                type_name=project.type_name,
                type_arn="",
                version="00000001",
                configuration_version="",
                settings=self._settings,
                targets={
                    action: schema.handlers[name].target_names
                    for action, name in _HANDLERS.items()
                    if name in schema.handlers
                },
                open_session=lambda: session,
                configured=configuration_secrets(schema.value),
            )
            yield ConsultedHook(active=active, scope=self._scope, schema_of=self._schemas.find, payloads=payloads)

    def enabled(self) -> list[str]:
        """Return the hooks that the service has enabled."""
        assert self._service is not None
        from formwork.hook_dry_runs.registered import list_hooks  # the registry is slow to import

        names = list_hooks(self._service.client)
        if not names:
            raise UsageError("the service has no hooks", hint="--rules PATH, or --hook with a project's folder")
        return names

    def registered(self, name: str, stack: contextlib.ExitStack) -> DryRunHook:
        """Return a hook of the service."""
        if self._service is None:
            hint = "--local, or --endpoint-url, or --profile; a hook project is named by its folder"
            raise UsageError(f'"{name}" is not the folder of a hook project, and no service is named', hint=hint)
        from formwork.hook_dry_runs.registered import open_registered_hook

        payloads = stack.enter_context(contextlib.closing(PayloadServer()))
        hook = open_registered_hook(self._service.client, name, self._arguments.kinds, payloads, self._schemas.find)
        if isinstance(hook, ConsultedHook) and not self._service.local and _TEMPLATES & set(hook.kinds):
            hint = "--target RESOURCE; or try it as a change set of the service"
            raise UsageError(f"the function of {name} can't fetch templates from this machine", hint=hint)
        return hook


def is_project(name: str) -> bool:
    """Return whether the name of a hook is the folder of a project."""
    return Path(name).is_dir() or "::" not in name
