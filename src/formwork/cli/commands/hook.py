"""Try hooks on templates, change sets, modules and stacks without deploying anything, and set up AWS's managed ones.

  cfn hook try template.yaml --rules rules/            Guard rules: files, folders, .zip and .tar.gz
  cfn hook try template.yaml                           the hook project in this folder, its handlers called
  cfn hook try template.yaml --hook ORG::Policy::Hook --local    a hook as it is registered and configured
  cfn hook try --stack shop --local --rules rules/     what is deployed, with the values that it has
  cfn hook try template.yaml --stack shop --local      what updating the stack to the template would ask
  cfn hook try --stack shop --change-set next --local  what executing the change set would ask

  cfn hook activate Acme::Policy::Buckets --rules rules/ --local         a Guard hook
  cfn hook activate Acme::Policy::Names --function check-names --local   a Lambda hook
  cfn hook list | results | deactivate                                   look at hooks, and at what they said

References are resolved by the engine. A value known only after deployment is {{changeSet:KNOWN_AFTER_APPLY}} to
hooks, as in AWS's change sets, and a Guard check of it is reported as undecided. The exit code is 1 where a hook
refuses or fails; hooks in WARN mode, and undecided checks, never fail.
"""

import argparse
from pathlib import Path

from formwork.command_context.handler_options import DEFAULT_REGION
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import add_target_arguments, reach_registry
from formwork.command_context.schemas_here import add_schema_arguments
from formwork.command_context.work_options import HINT, missing_module
from formwork.diagnostics.errors import EnvironmentProblemError

_KINDS = ("RESOURCE", "STACK", "CHANGE_SET", "CLOUD_CONTROL")
_ACTIONS = ("CREATE", "UPDATE", "DELETE")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs of `cfn hook` and their options."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    summary = "run hooks on templates, change sets and stacks without deploying; exit code 1 where one refuses"
    dry_run = verbs.add_parser("try", help=summary, description=summary)
    dry_run.add_argument(
        "templates",
        metavar="TEMPLATE",
        nargs="*",
        type=Path,
        help="a template, a module's fragment, or a module project's folder (default in one: that)",
    )
    _add_hook_options(dry_run)
    _add_target_options(dry_run)
    dry_run.add_argument(
        "--format", choices=("text", "json", "sarif", "github"), default="text", help="how to show the findings"
    )
    add_target_arguments(dry_run, what="the service that has the hooks, stacks and change sets")
    handlers = dry_run.add_argument_group("the handlers of a hook project")
    handlers.add_argument(
        "--typeconfig",
        metavar="FILE",
        type=Path,
        help="type configuration (default: ~/.cfn-cli/typeConfiguration.json)",
    )
    handlers.add_argument(
        "--aws",
        metavar="WHERE",
        help="their AWS: none: calls are refused (default); moto: a simulation for this run; real; URL: a simulation "
        "that runs there",
    )
    add_schema_arguments(dry_run)
    # What the commands that call handlers have as options, and this one has not.
    dry_run.set_defaults(endpoint=None, function_name=None, docker_image=None, role_arn=None, aws_runtime=False)
    _add_activate(verbs)
    listing = _add(verbs, "list", "list the hooks of a service, and how they are configured")
    listing.add_argument("--format", choices=("text", "json"), default="text", help="how to show them (default: text)")
    results = _add(verbs, "results", "show what hooks said, the newest first; exit code 1 where one refused")
    results.add_argument("--stack", metavar="NAME", help="only about this stack")
    results.add_argument("--change-set", metavar="NAME", help="only about a change set of --stack, or one by its ARN")
    results.add_argument("--format", choices=("text", "json"), default="text", help="how to show them (default: text)")
    deactivate = _add(verbs, "deactivate", "deactivate a managed hook, with its configuration")
    deactivate.add_argument("name", metavar="NAME", help="the name that it was activated under")


def _add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=summary, description=summary)
    add_target_arguments(verb, what="the service to use")
    return verb


def _add_activate(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    summary = "activate one of AWS's managed hooks under a name and configure it; again: configure it anew"
    verb = _add(verbs, "activate", summary)
    verb.add_argument("name", metavar="NAME", help="a name such as Acme::Policy::Buckets")
    judge = verb.add_mutually_exclusive_group(required=True)
    judge.add_argument(
        "--rules",
        metavar="PATH",
        help="a Guard hook: a .guard file, an archive or a folder to upload, or s3://BUCKET/KEY",
    )
    judge.add_argument("--function", metavar="NAME", help="a Lambda hook: the function's name or ARN")
    verb.add_argument("--mode", choices=("FAIL", "WARN"), default="FAIL", help="what a refusal does (default: FAIL)")
    verb.add_argument(
        "--target",
        metavar="KIND",
        dest="kinds",
        choices=_KINDS,
        action="append",
        help=f"one of {', '.join(_KINDS)}; repeatable (default: RESOURCE)",
    )
    verb.add_argument(
        "--target-name", metavar="TYPE", action="append", help="only this resource type, with * as wildcard; repeatable"
    )
    verb.add_argument("--action", choices=_ACTIONS, action="append", help="only this action; repeatable")
    verb.add_argument("--stack-name", metavar="NAME", action="append", help="only stacks of this name; repeatable")
    verb.add_argument("--report-bucket", metavar="NAME", help="the bucket that the reports of --rules are written to")
    verb.add_argument("--s3-bucket", metavar="NAME", help="the bucket that --rules are uploaded to; needed in AWS")
    verb.add_argument("--role-arn", metavar="ARN", help="the role that the hook assumes; needed in AWS")
    verb.add_argument("--disabled", action="store_true", help="configure it, and leave it disabled")


def _add_hook_options(dry_run: argparse.ArgumentParser) -> None:
    hooks = dry_run.add_argument_group("which hooks (default: the hook project in this folder)")
    hooks.add_argument(
        "--rules",
        metavar="PATH",
        type=Path,
        action="append",
        default=[],
        help="Guard rules: a .guard file, an archive, or a folder of files; repeatable",
    )
    hooks.add_argument(
        "--hook",
        metavar="NAME",
        action="append",
        default=[],
        help="a registered hook by its name, or a hook project by its folder; repeatable",
    )
    hooks.add_argument(
        "--input-parameters",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="members to add to the input of --rules, JSON or YAML; repeatable",
    )
    hooks.add_argument(
        "--mode",
        choices=("FAIL", "WARN"),
        help="what a refusal by --rules, or by a project's hook, does (default: FAIL)",
    )


def _add_target_options(dry_run: argparse.ArgumentParser) -> None:
    targets = dry_run.add_argument_group("what they are asked about")
    targets.add_argument(
        "--target",
        metavar="KIND",
        dest="kinds",
        choices=_KINDS,
        action="append",
        help=f"one of {', '.join(_KINDS)}; repeatable (default: RESOURCE; of registered hooks what their configuration "
        "names)",
    )
    targets.add_argument("--action", choices=_ACTIONS, help="the operation on templates and stacks (default: CREATE)")
    targets.add_argument("--stack", metavar="NAME", help="a stack of the service that the options below choose")
    targets.add_argument("--change-set", metavar="NAME", help="a change set of --stack, or one by its ARN")
    targets.add_argument(
        "--parameter",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a parameter's value; repeatable; in a module those without one are unknown",
    )
    targets.add_argument(
        "--parameter-file",
        metavar="FILE",
        action="append",
        default=[],
        help="a JSON or YAML file of parameters; repeatable; later files and options override earlier ones",
    )
    targets.add_argument(
        "--modules",
        metavar="DIR",
        type=Path,
        action="append",
        help="a module project, or a folder of them; repeatable (default: the template's folder)",
    )


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Do what the verb says.

    Raises:
        EnvironmentProblemError: the engine, which prepares what hooks are asked about, is not installed.
    """
    if (module := missing_module()) is not None:
        raise EnvironmentProblemError(f"the engine is not installed here (no module {module})", hint=HINT)
    if arguments.verb == "try":
        from formwork.cli.hook_verbs.trying import try_templates

        arguments.handler_region = arguments.region or DEFAULT_REGION
        return try_templates(arguments, output)
    from formwork.cli.hook_verbs import managing, results

    verbs = {
        "activate": managing.activate,
        "list": managing.list_hooks,
        "results": results.show_results,
        "deactivate": managing.deactivate,
    }
    with reach_registry(arguments, output) as target:
        return verbs[arguments.verb](target, arguments, output)
