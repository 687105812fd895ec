"""Which registry a command talks to: AWS's, one at an endpoint, or the one of this user on this machine.

The reasons are in docs/decisions/0906.
"""

import argparse
import contextlib
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from formwork.command_context.endpoints import chosen_endpoint
from formwork.command_context.output import CommandOutput
from formwork.command_context.places import state_folder, state_is_default
from formwork.diagnostics import EnvironmentProblemError, UsageError

_LISTED = 5
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_DEFAULT_SERVER = "http://127.0.0.1:3001"
_LOOK_SECONDS = 2.0
KEY_FILE = "credentials"


class RegistryTarget(Struct, frozen=True):
    """A registry; `client` makes a boto3 client of a service there. `local` says that it is on this machine.

    `temporary` says that it ends with this command; `words` are the options that lead another command there.
    """

    client: Callable[[str], Any]
    local: bool
    temporary: bool = False
    words: str = ""


def add_target_arguments(parser: argparse.ArgumentParser, *, what: str = "the registry to use") -> None:
    """The options that choose a registry."""
    group = parser.add_argument_group("which registry")
    where = group.add_mutually_exclusive_group()
    where.add_argument(
        "--endpoint-url",
        metavar="URL",
        help=f"the CloudFormation endpoint of {what} (default: AWS_ENDPOINT_URL, else AWS)",
    )
    where.add_argument(
        "--local",
        action="store_true",
        help="the registry on this machine: that of a `cfn serve` that runs, else started for this command",
    )
    group.add_argument("--region", metavar="NAME", help="the Region (default: your configured one)")
    group.add_argument("--profile", metavar="NAME", help="the AWS profile to use")


def names_registry(arguments: argparse.Namespace) -> bool:
    """Return whether the options, or the environment, name a registry to ask."""
    return bool(arguments.local or chosen_endpoint(arguments.endpoint_url) or arguments.region or arguments.profile)


@contextlib.contextmanager
def reach_registry(
    arguments: argparse.Namespace, output: CommandOutput, *, patience: float | None = None
) -> Iterator[RegistryTarget]:
    """The registry that the options choose, kept up meanwhile where this starts it; `patience` as `open_client` has it.

    Raises:
        EnvironmentProblemError: boto3 is missing, or there are no credentials.
        UsageError: the endpoint is not a URL.
    """
    from formwork.aws.clients import open_client

    if arguments.local:
        with local_server(output) as (url, temporary):
            yield RegistryTarget(
                lambda service: _local_client(service, url, arguments),
                local=True,
                temporary=temporary,
                words=_words(arguments),
            )
        return
    endpoint = chosen_endpoint(arguments.endpoint_url)
    local = endpoint is not None and _is_here(endpoint)

    def client(service: str) -> Any:
        # As with the incumbent, the endpoint is CloudFormation's; on this machine one port answers for every service.
        at = endpoint if local or service == "cloudformation" else None
        return open_client(service, endpoint=at, profile=arguments.profile, region=arguments.region, patience=patience)

    yield RegistryTarget(client, local=local, words=_words(arguments))


def _words(arguments: argparse.Namespace) -> str:
    """Return the options that choose the registry, as they are typed."""
    given = {
        "--endpoint-url": chosen_endpoint(arguments.endpoint_url),
        "--region": arguments.region,
        "--profile": arguments.profile,
    }
    named = [f" {option} {shlex.quote(value)}" for option, value in given.items() if value]
    return "".join([" --local" if arguments.local else "", *named])


def _is_here(endpoint: str) -> bool:
    try:
        return urlsplit(endpoint).hostname in _HERE
    except ValueError:
        raise UsageError(f'invalid endpoint "{endpoint}"', hint="a URL such as http://127.0.0.1:3001") from None


@contextlib.contextmanager
def local_server(output: CommandOutput, *, console_ports: Sequence[int] = ()) -> Iterator[tuple[str, bool]]:
    """The address of the registry on this machine, and whether it is served for this command only.

    It is that of the server that has this user's state folder, else of the only other one that runs, else of one on the
    default port, else of one that lives as long as the block, with a console on the first of `console_ports`
    that is free.

    Raises:
        UsageError: several servers run, none of them on this user's state folder.
    """
    if (url := _running_server(output)) is not None:
        yield url, False
        return
    from formwork.command_context.reach import aws_for_handlers
    from formwork.command_context.registry_service import serve_registry

    options = argparse.Namespace(
        host="127.0.0.1",
        port=0,
        state=None,
        ephemeral=False,
        database=None,
        durability="normal",
        require_auth=False,
        strict_quotas=False,
        strict_types=False,
        schemas=[],
        rules=[],
        lambda_endpoint=None,
        events=None,
        aws=None,
        profile=None,
        role_arn=None,
    )
    with (
        aws_for_handlers(options, output) as aws,
        serve_registry(options, output, aws=aws, host=None, console_ports=console_ports) as served,
    ):
        output.detail(
            f"no server runs: none is registered in {state_folder()}, nor is one at {_DEFAULT_SERVER}; its registry is "
            f"served at {served.url} for this command"
        )
        yield served.url, True


def running_registry(output: CommandOutput) -> Any:
    """Return a client of CloudFormation at the server that runs on this machine; None where none runs, or no boto3."""
    try:
        url = _running_server(output)
        options = argparse.Namespace(profile=None, region=None)
        return None if url is None else _local_client("cloudformation", url, options)
    except (UsageError, EnvironmentProblemError):  # several servers, no boto3: the caller continues without one
        return None


def _running_server(output: CommandOutput) -> str | None:
    """Return the address of the running server, or None; print which server it is if that is not obvious."""
    from formwork.durable.servers import running_servers
    from formwork.durable.state_folder import read_note

    home = state_folder()
    address = read_note(home).get("address")
    if isinstance(address, str):
        return address
    servers = running_servers(home)
    own = [server for server in servers if server.state == home]
    if not own and len(servers) > 1:
        raise UsageError(
            f"{len(servers)} servers are running, none on the state folder {home}",
            hint=f"choose one: {', '.join(f'--endpoint-url {server.url}' for server in servers[:_LISTED])}",
        )
    if servers:
        server = (own or servers)[0]
        if not own:
            kept = f"with the state in {server.state}" if server.state else "which keeps nothing"
            output.say(f"using the server at {server.url}, {kept}")
        return server.url
    if state_is_default() and _answers(_DEFAULT_SERVER):
        return _DEFAULT_SERVER
    return None


def _answers(url: str) -> bool:
    """Return whether a registry of ours answers: only it answers STS's GetCallerIdentity without known credentials.

    Raises:
        EnvironmentProblemError: boto3 is not installed.
    """
    from formwork.aws.sessions import expect_boto3

    boto3 = expect_boto3()
    import botocore.exceptions
    from botocore.config import Config

    quick = Config(connect_timeout=_LOOK_SECONDS, read_timeout=_LOOK_SECONDS, retries={"max_attempts": 0})
    session = boto3.Session(aws_access_key_id="formwork", aws_secret_access_key="formwork")  # noqa: S106 - none
    try:
        arn = session.client("sts", endpoint_url=url, region_name="us-east-1", config=quick).get_caller_identity()[
            "Arn"
        ]
    except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
        return False
    return str(arn).endswith(":user/formwork")


def _local_client(service: str, url: str, arguments: argparse.Namespace) -> Any:
    """A client with the keys of the profile that was named, else with those of the state folder, else with any."""
    from formwork.aws.clients import open_client
    from formwork.aws.credentials import local_credentials
    from formwork.aws.sessions import expect_boto3, expect_region

    if arguments.profile is not None:
        return open_client(service, endpoint=url, profile=arguments.profile, region=arguments.region)
    given = local_credentials()
    key, secret = given.access_key_id, given.secret_access_key.reveal()
    path = state_folder() / KEY_FILE
    if path.exists():
        from formwork.aws.key_file import load_keys

        key, found = next(iter(load_keys(path).items()))
        secret = found.reveal()
    session = expect_boto3().Session(region_name=arguments.region)
    region = session.region_name or "us-east-1"
    expect_region(region)
    return session.client(
        service,
        endpoint_url=url,
        region_name=region,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
    )
