"""The options by which a command says where handlers run and what AWS is to them; `reach` is what they lead to."""

import argparse

from formwork.command_context.egress import add_egress_arguments
from formwork.command_context.schemas_here import add_schema_arguments

DEFAULT_REGION = "us-east-1"


def add_handler_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every command that calls handlers."""
    group = parser.add_argument_group("where the handlers run")
    group.add_argument("--endpoint", metavar="URL", help="a Lambda service that runs (default: start one for this run)")
    group.add_argument("--function-name", metavar="NAME", help="the function to invoke (default: TypeFunction)")
    group.add_argument("--region", metavar="NAME", default=DEFAULT_REGION, help=f"default: {DEFAULT_REGION}")
    group.add_argument("--docker-image", metavar="IMAGE", help=argparse.SUPPRESS)
    add_schema_arguments(parser)
    add_aws_arguments(parser)
    add_egress_arguments(parser)


def add_aws_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who answers the handlers' calls of AWS."""
    group = parser.add_argument_group("AWS calls of the handlers")
    group.add_argument(
        "--aws",
        metavar="WHERE",
        default=None,
        help="none: refuse them and say so (default); moto: start moto's simulation for this run, emptied before each "
        "contract test; real: the account of your credentials; URL: a simulation that runs there",
    )
    group.add_argument("--profile", metavar="NAME", help="use real AWS with this profile's credentials")
    group.add_argument("--role-arn", metavar="ARN", help="use real AWS with this role, assumed anew for each request")
    group.add_argument("--aws-runtime", action="store_true", help="run on AWS's handler library instead of Formwork's")
