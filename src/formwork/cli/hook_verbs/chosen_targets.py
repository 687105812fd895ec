"""The targets for hooks that a command line names: templates, modules, stacks and change sets."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from formwork.aws.scope import Scope
from formwork.cli.stack_verbs.comparing import await_change_set, is_empty, make_change_set
from formwork.cli.stack_verbs.finding import find_stack
from formwork.cli.stack_verbs.requests import given_parameters, request_errors, stack_request
from formwork.command_context.module_lookup import find_modules
from formwork.command_context.reach import LOCAL_ACCOUNT
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError, Severity, UsageError
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.hook_dry_runs.deployed import plan_change_set, plan_stack
from formwork.hook_dry_runs.planning import DryRunContext, plan_template
from formwork.hook_dry_runs.schemas import SchemaReader
from formwork.hook_dry_runs.targets import DryRunTarget
from formwork.hooks import TargetKind
from formwork.project import CONFIG_FILE, load_project

_STACK = "dry-run"
_ACTION = "CREATE"
_CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]  # nothing is executed


def plan_targets(
    arguments: argparse.Namespace,
    service: RegistryTarget | None,
    schemas: SchemaReader,
    kinds: Sequence[TargetKind],
) -> list[DryRunTarget]:
    """Return everything that the command line names, as targets of hooks.

    Raises:
        BadInputError: a file is not a template, or the engine would refuse it.
        UsageError: nothing is named, or what does not go together.
        EnvironmentProblemError: the service can't be asked.
    """
    if arguments.change_set is not None:
        if arguments.templates:
            raise UsageError("a change set has its template: --change-set cannot be combined with TEMPLATE")
        return _of_change_set(arguments, service, schemas, kinds)
    if arguments.stack is not None:
        return _of_stack(arguments, service, schemas, kinds)
    files = [_template_of(each) for each in arguments.templates or _here()]
    return [each for file in files for each in _of_file(file, arguments, schemas, kinds)]


def _here() -> list[Path]:
    """Return the module project in this folder.

    Raises:
        UsageError: this folder has none.
    """
    if Path(CONFIG_FILE).is_file() and load_project(Path()).kind is ExtensionKind.MODULE:
        return [Path()]
    raise UsageError("no template is named", hint="cfn hook try TEMPLATE…, or --stack NAME")


def _template_of(path: Path) -> tuple[Path, bool]:
    """Return the template's file, and whether it is a module's fragment."""
    if not path.is_dir():
        return path, path.parent.name == "fragments"
    project = load_project(path)
    if project.kind is not ExtensionKind.MODULE:
        raise UsageError(f'"{path}" is a {project.kind.noun} project', hint="give a template, or a module project")
    fragments = sorted(each for each in (project.root / "fragments").glob("*") if each.is_file())
    if not fragments:
        raise UsageError(f'"{path}" has no fragment', hint="a module's template is the file in fragments/")
    return fragments[0], True


def _of_file(
    file: tuple[Path, bool], arguments: argparse.Namespace, schemas: SchemaReader, kinds: Sequence[TargetKind]
) -> list[DryRunTarget]:
    path, is_module = file
    modules, diagnostics = find_modules(arguments.modules or [path.parent])
    if any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
    scope = Scope(LOCAL_ACCOUNT, arguments.handler_region)
    context = DryRunContext(
        scope=scope,
        stack_name=_STACK,
        stack_arn=f"arn:{scope.partition}:cloudformation:{scope.region}:{scope.account}:stack/{_STACK}/{_STACK}",
        parameters=given_parameters(arguments),
        open_parameters=is_module,
        modules=modules,
        schema_of=schemas.find,
    )
    return plan_template(load_document(path, short_tags=True), context, kinds=kinds, action=arguments.action or _ACTION)


def _around(arguments: argparse.Namespace, service: RegistryTarget, schemas: SchemaReader) -> DryRunContext:
    region = service.client("cloudformation").meta.region_name
    return DryRunContext(
        scope=Scope(LOCAL_ACCOUNT, region), stack_name=arguments.stack or "", stack_arn="", schema_of=schemas.find
    )


def _of_stack(
    arguments: argparse.Namespace,
    service: RegistryTarget | None,
    schemas: SchemaReader,
    kinds: Sequence[TargetKind],
) -> list[DryRunTarget]:
    assert service is not None
    context = _around(arguments, service, schemas)
    if not arguments.templates:
        return plan_stack(service.client, arguments.stack, context, kinds=kinds, action=arguments.action or _ACTION)
    if len(arguments.templates) > 1:
        raise UsageError("a stack is updated to one template", hint="name one TEMPLATE with --stack")
    client = service.client("cloudformation")
    known = find_stack(client, arguments.stack)
    template, _ = _template_of(arguments.templates[0])
    document = load_document(template, short_tags=True)
    options = {"template": template, "tag": [], "capabilities": _CAPABILITIES, "role_arn": None, "s3_bucket": None}
    request = stack_request(service, argparse.Namespace(**{**vars(arguments), **options}), known)
    kind = "CREATE" if known is None or known["StackStatus"] == "REVIEW_IN_PROGRESS" else "UPDATE"
    with request_errors(f"comparing {arguments.stack}"):
        made = make_change_set(client, request, kind)
        try:
            found = await_change_set(client, made["Id"], failing=True)
            if found["Status"] == "FAILED" and is_empty(found):
                return []
            return plan_change_set(service.client, found, context, kinds=kinds, document=document)
        finally:
            client.delete_change_set(ChangeSetName=made["Id"])
            if known is None:
                client.delete_stack(StackName=made["StackId"])


def _of_change_set(
    arguments: argparse.Namespace,
    service: RegistryTarget | None,
    schemas: SchemaReader,
    kinds: Sequence[TargetKind],
) -> list[DryRunTarget]:
    assert service is not None
    client = service.client("cloudformation")
    if arguments.stack is None and not arguments.change_set.startswith("arn:"):
        raise UsageError(f'the change set "{arguments.change_set}" is of no stack', hint="name it: --stack NAME")
    with request_errors(f"reading {arguments.change_set}"):
        named = {"ChangeSetName": arguments.change_set}
        if arguments.stack is not None:
            named["StackName"] = arguments.stack
        identifier = client.describe_change_set(**named)["ChangeSetId"]
        found = await_change_set(client, identifier, failing=True)
    return plan_change_set(service.client, found, _around(arguments, service, schemas), kinds=kinds)
