"""`test` and `publish`: what a type goes through to become public."""

import argparse
import time
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.registry_verbs.naming import name_type
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError

_POLL_SECONDS = 0.5
_LONGEST_POLL_SECONDS = 15.0


def test_type(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry test`: start the contract tests of a version and wait for what comes of them."""
    client = target.client("cloudformation")
    named = name_type(client, arguments)
    bucket = {} if arguments.log_bucket is None else {"LogDeliveryBucket": arguments.log_bucket}
    with aws_errors("testing the type"):
        arn = str(client.test_type(**named, **bucket)["TypeVersionArn"])
        output.result(f"Version ARN: {arn}")
        if arguments.no_wait:
            return 0
        status, description = _await(client, arn, output)
    output.result(f"{status}: {description}" if description else status)
    return 0 if status == "PASSED" else 1


def _await(client: Any, arn: str, output: CommandOutput) -> tuple[str, str]:
    delay, said = _POLL_SECONDS, None
    while True:
        answer = client.describe_type(Arn=arn)
        status, description = str(answer.get("TypeTestsStatus")), str(answer.get("TypeTestsStatusDescription") or "")
        if status != "IN_PROGRESS":
            return status, description
        if said is None:
            said = status
            output.say("the contract tests run")
        time.sleep(delay)
        delay = min(delay * 1.5, _LONGEST_POLL_SECONDS)


def publish_type(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry publish`: make the default version public; its publisher is registered first if need be."""
    client = target.client("cloudformation")
    named = name_type(client, arguments)
    _expect_publisher(client, arguments, output)
    version = {} if arguments.public_version is None else {"PublicVersionNumber": arguments.public_version}
    with aws_errors("publishing the type"):
        output.result(str(client.publish_type(**named, **version)["PublicTypeArn"]))
    return 0


def _expect_publisher(client: Any, arguments: argparse.Namespace, output: CommandOutput) -> None:
    import botocore.exceptions

    with aws_errors("registering as a publisher"):
        try:
            client.describe_publisher()
        except botocore.exceptions.ClientError as error:
            if error.response["Error"]["Code"] != "CFNRegistryException":
                raise
            if not arguments.accept_terms:
                raise BadInputError.of(
                    "registry.no-publisher",
                    "this account is not registered as a publisher",
                    hint="--accept-terms registers it, and accepts the terms and conditions of publishing",
                ) from error
            found = client.register_publisher(AcceptTermsAndConditions=True)
            output.say(f"registered as publisher {found['PublisherId']}")
