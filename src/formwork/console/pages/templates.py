"""The editor for templates: diagnostics while one types, modules expanded beside the text, hooks tried on it."""

from collections.abc import Mapping
from typing import Any

from formwork.aws.scope import Scope
from formwork.console.pages.scopes import USUAL, read_scope, scopes_of_types
from formwork.console.views.commands import cfn_line
from formwork.console.views.example_template import example_template
from formwork.console.views.masking import StackMask
from formwork.console.views.template_check import CheckedTemplate, check_template, parse_template_text
from formwork.console.visits import NotShownError, PageVisit, ShownPage
from formwork.diagnostics import BadInputError, Diagnostic, Severity, sort_diagnostics
from formwork.hook_dry_runs.consulted import ConsultedHook
from formwork.hook_dry_runs.dry_run import DryRun, DryRunHook, try_hooks
from formwork.hook_dry_runs.findings import dry_run_diagnostics
from formwork.hook_dry_runs.planning import DryRunContext, plan_template
from formwork.hooks import TargetKind
from formwork.schema import ResourceSchema
from formwork.stacks.store.stacks import get_stack

_START = """Resources:
  Queue:
    Type: AWS::SSM::Parameter
    Properties:
      Type: String
      Value: hello
"""
_ACTIONS = ("CREATE", "UPDATE", "DELETE")


def show_editor(visit: PageVisit) -> ShownPage:
    """Show the editor, with the template of a stack, an example of a type, or a small one."""
    scope = read_scope(visit, visit.query.get("account", ""), visit.query.get("region", ""))
    text = _START
    if visit.query.get("stack"):
        scope, text = _of_stack(visit, visit.query["stack"])
    elif visit.query.get("type"):
        found = visit.services.engine.settings.types.find(scope, visit.query["type"])
        text = (None if found is None else example_template(found.schema)) or _START
    return ShownPage("templates.html", _values(visit, scope, text))


def check(visit: PageVisit) -> ShownPage:
    """Show what is wrong with the text of the form, and the template with its modules expanded."""
    scope = read_scope(visit, visit.field("account"), visit.field("region"))
    values = _values(visit, scope, visit.field("template").replace("\r\n", "\n"))
    return ShownPage("template_findings.html" if visit.partial else "templates.html", values)


def ask_hooks(visit: PageVisit) -> ShownPage:
    """Ask the enabled hooks about the template, as a deployment would; nothing is deployed."""
    scope = read_scope(visit, visit.field("account"), visit.field("region"))
    text = visit.field("template").replace("\r\n", "\n")
    action = visit.field("action") if visit.field("action") in _ACTIONS else _ACTIONS[0]
    hooks = _hooks(visit, scope)
    runs: list[DryRun] = []
    refusals: list[Diagnostic] = []
    try:
        runs = _try(visit, scope, text, hooks, action)
    except BadInputError as error:
        refusals = list(error.diagnostics)
    hooks_values = {
        "hooks": hooks,
        "runs": runs,
        "action": action,
        "hook_findings": sort_diagnostics([*refusals, *dry_run_diagnostics(runs)]),
        "refused": bool(refusals),
    }
    values = {**_values(visit, scope, text), **hooks_values, "asked": True}
    return ShownPage("template_hooks.html" if visit.partial else "templates.html", values)


def _values(visit: PageVisit, scope: Scope, text: str) -> dict[str, Any]:
    checked = check_template(text, visit.services.engine.settings.types, scope)
    return {
        "scope": scope,
        "scopes": scopes_of_types(visit),
        "usual": USUAL,
        "text": text,
        "parameters": visit.field("parameters"),
        "checked": checked,
        "counts": _counts(checked),
        "asked": False,
        "hooks": [],
        "runs": [],
        "hook_findings": [],
        "refused": False,
        "action": visit.field("action") or _ACTIONS[0],
        "actions": _ACTIONS,
        "stack_name": visit.field("name"),
        "lines": _lines(visit, scope),
    }


def _counts(checked: CheckedTemplate) -> Mapping[str, int]:
    found = [each.severity for each in checked.diagnostics]
    return {str(each): found.count(each) for each in Severity}


def _of_stack(visit: PageVisit, identifier: str) -> tuple[Scope, str]:
    with visit.services.engine.database.read() as connection:
        stack = get_stack(connection, identifier)
    if stack is None:
        raise NotShownError("this stack does not exist")
    visit.expect_account(stack.scope.account)
    found = visit.call(stack.scope, "GetTemplate", StackName=stack.arn, TemplateStage="Original")["TemplateBody"]
    if not isinstance(found, str):
        raise NotShownError("this template has no text")
    engine = visit.services.engine
    mask = StackMask(engine, stack, engine.lookups.with_shown_deployment(stack).deployed)
    mask.learn_written()
    return stack.scope, mask.text(found)


def _hooks(visit: PageVisit, scope: Scope) -> list[DryRunHook]:
    settings = visit.services.engine.settings
    schema_of = _schemas(visit, scope)
    return [
        ConsultedHook(active=each, scope=scope, schema_of=schema_of, payloads=settings.payloads)
        for each in settings.hooks.active(scope)
    ]


def _schemas(visit: PageVisit, scope: Scope) -> Any:
    def find(name: str) -> ResourceSchema | None:
        found = visit.services.engine.settings.types.find(scope, name)
        return None if found is None else found.schema

    return find


def _try(visit: PageVisit, scope: Scope, text: str, hooks: list[DryRunHook], action: str) -> list[DryRun]:
    name = visit.field("name") or "draft"
    types = visit.services.engine.settings.types
    context = DryRunContext(
        scope=scope,
        stack_name=name,
        stack_arn=f"arn:{scope.partition}:cloudformation:{scope.region}:{scope.account}:stack/{name}/draft",
        parameters=_parameters(visit.field("parameters")),
        open_parameters=True,
        modules=lambda each: types.find_module(scope, each),
        schema_of=_schemas(visit, scope),
    )
    wanted = {each for hook in hooks for each in hook.kinds}
    kinds: list[TargetKind] = [each for each in TargetKind if each in wanted and each is not TargetKind.CLOUD_CONTROL]
    return try_hooks(hooks, plan_template(parse_template_text(text), context, kinds=kinds, action=action))


def _parameters(text: str) -> dict[str, str]:
    """Return what lines such as NAME=VALUE give.

    Raises:
        BadInputError: a line is not such a pair.
    """
    lines = [each for each in text.splitlines() if each.strip()]
    for number, line in enumerate(lines, 1):
        if not line.partition("=")[0].strip() or "=" not in line:
            message = f"line {number} of the parameters is not NAME=VALUE"  # the line may hold a secret
            raise BadInputError.of("hook.template", message, hint="one NAME=VALUE per line")
    pairs = [each.partition("=") for each in lines]
    return {name.strip(): value.strip() for name, _, value in pairs}


def _lines(visit: PageVisit, scope: Scope) -> list[tuple[str, str]]:
    validate = f"aws cloudformation validate-template --endpoint-url {visit.parts.api} --region {scope.region}"
    client = f'boto3.client("cloudformation", endpoint_url="{visit.parts.api}", region_name="{scope.region}")'
    return [
        ("cfn, modules", cfn_line("module", "expand", "template.yaml", scope=scope)),
        ("cfn, hooks", cfn_line("hook", "try", "template.yaml", scope=scope)),
        ("cfn, deploy", cfn_line("stack", "deploy", "NAME", "template.yaml", scope=scope)),
        ("AWS CLI", f"{validate} --template-body file://template.yaml"),
        ("boto3", f'{client}.validate_template(TemplateBody=open("template.yaml").read())'),
    ]
