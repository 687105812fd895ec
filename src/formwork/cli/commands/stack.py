"""Deploy templates as stacks and look at them: on this machine (--local) or in your AWS account.

Each VERB is a few operations of CloudFormation's API. What happens to the resources is shown while it happens; Ctrl-C
leaves an operation running, and `events --follow` shows its progress.
"""

import argparse
from collections.abc import Callable

from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget, add_target_arguments, reach_registry

Verb = Callable[[RegistryTarget, argparse.Namespace, CommandOutput], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs of `cfn stack` and their options."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    deploy = _add_templated(verbs, "deploy", "create a stack, or update it to a template")
    deploy.add_argument(
        "--no-execute", action="store_true", help="create a change set to review, for `cfn stack execute`"
    )
    deploy.add_argument("--no-rollback", action="store_true", help="keep the completed resources if one fails")
    diff = _add_templated(
        verbs, "diff", "show what deploying a template would change; exit code 1 where something would"
    )
    diff.add_argument("--exit-zero", action="store_true", help="exit code 0 also where something would change")
    execute = _add(verbs, "execute", "execute a change set of `deploy --no-execute`")
    execute.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    execute.add_argument("change_set", metavar="CHANGE_SET", help="the change set's name or ARN")
    events = _add(verbs, "events", "show the events of a stack, oldest first")
    events.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    events.add_argument("--follow", action="store_true", help="continue until the stack is in a terminal state")
    for name, summary in (
        ("describe", "show a stack: its status, parameters, tags, outputs and resources"),
        ("outputs", "show the outputs of a stack"),
        ("resources", "list a stack's resources, with their physical ids"),
    ):
        shown = _add(verbs, name, summary)
        shown.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    drift = _add(verbs, "drift", "compare the resources with the template; exit code 1 if one differs")
    drift.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    delete = _add(verbs, "delete", "delete a stack", formats=False)
    delete.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    delete.add_argument(
        "--retain", metavar="LOGICAL_ID", action="append", default=[], help="keep this resource; repeatable"
    )
    delete.add_argument("--force", action="store_true", help="keep what can't be deleted, after a deletion that failed")
    delete.add_argument("--yes", action="store_true", help="don't ask")
    listing = _add(verbs, "list", "list the stacks")
    listing.add_argument("--all", action="store_true", help="include deleted stacks")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Do what the verb says."""
    verb = _verb(arguments.verb)
    with reach_registry(arguments, output) as target:
        return verb(target, arguments, output)


def _verb(name: str) -> Verb:
    from formwork.cli.stack_verbs import changing, comparing, describing, looking

    verbs: dict[str, Verb] = {
        "deploy": changing.deploy,
        "diff": comparing.diff,
        "execute": changing.execute,
        "events": looking.show_events,
        "describe": describing.describe_stack,
        "outputs": describing.show_outputs,
        "resources": describing.show_resources,
        "drift": looking.find_drift,
        "delete": changing.delete,
        "list": looking.list_stacks,
    }
    return verbs[name]


def _add_templated(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
) -> argparse.ArgumentParser:
    """Return a verb that takes a template, and what goes with it."""
    verb = _add(verbs, name, summary)
    verb.add_argument("stack", metavar="STACK", help="the stack's name")
    verb.add_argument("template", metavar="TEMPLATE", help="the file of the template")
    verb.add_argument(
        "--parameter",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a parameter's value; repeatable; others keep the values of the stack",
    )
    verb.add_argument(
        "--parameter-file",
        metavar="FILE",
        action="append",
        default=[],
        help="a JSON or YAML file of parameters and tags; repeatable; later files and options override earlier ones",
    )
    verb.add_argument("--tag", metavar="KEY=VALUE", action="append", default=[], help="a tag of the stack; repeatable")
    verb.add_argument(
        "--capabilities",
        metavar="NAME",
        nargs="+",
        action="extend",
        default=[],
        help="acknowledgements such as CAPABILITY_IAM",
    )
    verb.add_argument(
        "--capability", dest="capabilities", metavar="NAME", action="append", help="one of them; repeatable"
    )
    verb.add_argument("--role-arn", metavar="ARN", help="the role that the stack's operations have")
    verb.add_argument(
        "--s3-bucket", metavar="NAME", help="the bucket that a template of more than 51,200 bytes is uploaded to"
    )
    return verb


def _add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str, *, formats: bool = True
) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=summary, description=summary)
    add_target_arguments(verb, what="the service to use")
    if formats:
        verb.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")
    return verb
