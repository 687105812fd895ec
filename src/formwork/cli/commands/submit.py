"""Package the project in this folder; with --dry-run that is all.

Without --dry-run the package will be registered with CloudFormation; that is not in this version.
"""

import argparse

from formwork.cli.output import Output
from formwork.cli.packaging import add_package_arguments, make_package
from formwork.diagnostics import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn submit`, the incumbent's all."""
    parser.add_argument("--dry-run", action="store_true", help="package the project, register nothing")
    parser.add_argument("--set-default", action="store_true", help="make the new version the default one")
    parser.add_argument("--endpoint-url", metavar="URL", help="the CloudFormation endpoint to use")
    parser.add_argument("--region", help="the region to register in")
    parser.add_argument("--profile", help="the AWS profile to use")
    role = parser.add_mutually_exclusive_group()
    role.add_argument("--role-arn", metavar="ARN", help="the role that the handlers are called with")
    role.add_argument("--no-role", action="store_true", help="register without a role")
    add_package_arguments(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Package; registering comes with the registry."""
    if not arguments.dry_run:
        raise UsageError(
            "registering is not in this version: it comes with the registry",
            hint="`cfn submit --dry-run` makes the package, which `aws cloudformation register-type` takes",
        )
    return make_package(arguments, output)
