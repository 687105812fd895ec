"""Deploy templates as stacks and look at them: on this machine (--local) or in your AWS account.

Each VERB is a few operations of CloudFormation's API. What happens to the resources is shown while it happens.
"""

import argparse
from collections.abc import Callable

from formwork.cli.output import Output
from formwork.cli.registry_target import RegistryTarget, add_target_arguments, reach_registry

Verb = Callable[[RegistryTarget, argparse.Namespace, Output], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs of `cfn stack` and their options."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, summary in (
        ("deploy", "create a stack, or change it to what a template says"),
        ("diff", "show what deploying a template would change"),
    ):
        verb = _add(verbs, name, summary)
        verb.add_argument("stack", metavar="STACK", help="the stack's name")
        verb.add_argument("template", metavar="TEMPLATE", help="the file of the template")
        verb.add_argument(
            "--parameter", metavar="NAME=VALUE", action="append", default=[], help="a parameter's value; repeatable"
        )
        verb.add_argument(
            "--tag", metavar="KEY=VALUE", action="append", default=[], help="a tag of the stack; repeatable"
        )
        verb.add_argument(
            "--capability",
            metavar="NAME",
            action="append",
            default=[],
            help="an acknowledgement such as CAPABILITY_IAM; repeatable",
        )
    events = _add(verbs, "events", "show what happened to a stack, oldest first")
    events.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    drift = _add(verbs, "drift", "find what parts from the template; exit code 1 where something does")
    drift.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    delete = _add(verbs, "delete", "delete a stack")
    delete.add_argument("stack", metavar="STACK", help="the stack's name or ARN")
    delete.add_argument(
        "--retain", metavar="LOGICAL_ID", action="append", default=[], help="leave this resource; repeatable"
    )
    _add(verbs, "list", "list the stacks")


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Do what the verb says."""
    from formwork.cli import stack_verbs

    verbs: dict[str, Verb] = {
        "deploy": stack_verbs.deploy,
        "diff": stack_verbs.diff,
        "events": stack_verbs.show_events,
        "drift": stack_verbs.find_drift,
        "delete": stack_verbs.delete,
        "list": stack_verbs.list_stacks,
    }
    with reach_registry(arguments, output) as target:
        return verbs[arguments.verb](target, arguments, output)


def _add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=summary, description=summary)
    add_target_arguments(verb, what="the service to use")
    return verb
