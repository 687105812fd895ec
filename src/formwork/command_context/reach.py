"""What the options of `handler_options` lead to: a transport, credentials, an account; slow to import."""

import argparse
import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.aws import CredentialSource, local_credentials
from formwork.aws.access import AwsAccess
from formwork.command_context.egress import open_egress, refuse_egress_options, unruled_settings
from formwork.command_context.output import CommandOutput
from formwork.command_context.places import cache_folder, home_folder
from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.invoke import HandlerTransport
from formwork.project import Project
from formwork.schema import ResourceSchema

if TYPE_CHECKING:
    from formwork.aws.moto import MotoClient
    from formwork.egress.enforcement import EnforcedPermissions
    from formwork.egress.settings import EgressSettings
    from formwork.faults.setup import FaultSetup
    from formwork.invoke.project_host.settings import CoverageSettings, ProjectHostSettings

Model = Mapping[str, Any]
LOCAL_ACCOUNT = "123456789012"


def _unmasked(text: str) -> str:
    return text


def _begin_nothing(_part: str) -> None:
    """Nothing is recorded."""


def _keep_state() -> None:
    """There is nothing to reset: no AWS, or one that is not ours to empty."""


class Reached(Struct, frozen=True):
    """A function that can be invoked, the credentials for its requests, and how to reset the AWS started for it.

    `begin` announces the next part of the run, by name, to recordings and replays.
    """

    transport: HandlerTransport
    credentials: CredentialSource
    account: str
    region: str
    reset: Callable[[], None] = _keep_state
    access: AwsAccess | None = None
    begin: Callable[[str], None] = _begin_nothing

    def stored_values(self, configuration: Mapping[str, Any] | None, output: CommandOutput) -> Callable[[Model], Model]:
        """Return a function that resolves dynamic references of a configuration; without AWS, warn and keep them."""
        if self.access is None:
            if "{{resolve:" in json.dumps(configuration):
                output.say(
                    "warning: the type configuration has dynamic references, which handlers get as they are written: "
                    "--aws moto, --aws URL or --aws real says where to look them up"
                )
            return lambda given: given
        from formwork.aws.stored_values import StoredValues

        stored = StoredValues(self.access)
        return lambda given: stored.resolve(self.region, given)


@contextlib.contextmanager
def reach_function(  # noqa: PLR0913 - what differs between the commands
    arguments: argparse.Namespace,
    project: Project,
    output: CommandOutput,
    *,
    function: str,
    debug_port: int | None = None,
    coverage: "CoverageSettings | None" = None,
    log: Callable[[str, str, str], None] | None = None,
    seal: bool = False,
    mask: Callable[[str], str] = _unmasked,
    faults: "FaultSetup | None" = None,
    enforced: "EnforcedPermissions | None" = None,
) -> Iterator[Reached]:
    """The function `function` of the project: at the endpoint named, else on a local service kept up meanwhile.

    With `seal` its handlers reach no host that no rule allows; `mask` hides secrets in what is said of their calls.
    `faults` gets into the way of the calls, and learns where to look at what they made. `enforced` denies what the
    handlers have no permission for.
    """
    if arguments.docker_image is not None:
        raise UsageError(
            "--docker-image is not supported: handlers run here without Docker",
            hint="leave it out, or run the image as a Lambda service and give its address with --endpoint",
        )
    if arguments.aws is None and (arguments.endpoint or "").startswith("https://"):
        arguments.aws = "real"  # a function in AWS has no use for credentials of no account
    if arguments.endpoint is not None:
        if debug_port is not None:
            raise UsageError("-d cannot be used with --endpoint: it needs handlers that this command starts")
        if arguments.aws == "moto":
            raise UsageError(
                "--aws moto cannot be used with --endpoint: it needs handlers that this command starts",
                hint="the server that starts the handlers chooses it: `cfn serve --aws moto`",
            )
        refuse_egress_options(arguments, "--endpoint: it is for handlers that this command starts")
        with aws_for_handlers(arguments, output) as aws, _remote(arguments, function) as transport:
            entered = _entered(transport, function)
            yield Reached(entered, aws.credentials, aws.account, arguments.region, access=aws.access)
        return
    from formwork.invoke.local import LocalLambdaTransport
    from formwork.invoke.project_host.host import open_project_host
    from formwork.languages.projects import ProjectRuntimes

    with (
        aws_for_handlers(arguments, output) as aws,
        open_egress(arguments, output, seal=seal, may_seal=debug_port is None, mask=mask, faults=faults) as egress,
    ):
        handlers_aws = aws if faults is None else _with_faults(aws, faults)
        if enforced is not None:
            egress = _enforcing(egress, enforced)  # noqa: PLW2901 - the same settings, with one more step
        settings = host_settings(
            arguments, output, aws=handlers_aws, debug_port=debug_port, coverage=coverage, log=log, egress=egress
        )
        with open_project_host(project, settings, ProjectRuntimes) as host:
            if function not in host.function_names:
                known = ", ".join(host.function_names)
                raise UsageError(f'function "{function}" not found in template.yml', hint=f"its functions: {known}")
            host.warm(function)
            transport = _entered(LocalLambdaTransport(host, function), function)
            if enforced is not None:
                from formwork.invoke.handler_credentials import HandlerCredentialsTransport

                transport = HandlerCredentialsTransport(transport)
            region, begin = arguments.region, egress.begin
            yield Reached(transport, aws.credentials, aws.account, region, aws.reset, aws.access, begin)


def _enforcing(egress: "EgressSettings", enforced: "EnforcedPermissions") -> "EgressSettings":
    """Return settings that deny calls as IAM would; injected failures and recordings include the denials."""
    return replace(egress, around=lambda responder: egress.around(enforced.around(responder)))


def _with_faults(aws: "AwsForHandlers", faults: "FaultSetup") -> "AwsForHandlers":
    if aws.environment is None:
        return aws
    if aws.moto is not None:
        faults.parts.append(aws.moto)
    else:
        faults.unseen.append(f"AWS at {aws.environment.get('AWS_ENDPOINT_URL', 'its own endpoints')}")
    return replace(aws, environment={**aws.environment, **faults.environment})


def _entered(transport: HandlerTransport, function: str) -> HandlerTransport:
    """`transport`, which for the function of the test entry point takes off the envelope."""
    from formwork.invoke.test_entry import TEST_FUNCTION, TestEntryTransport

    return TestEntryTransport(transport) if function == TEST_FUNCTION else transport


def reach_simulated(arguments: argparse.Namespace, schema: ResourceSchema) -> Reached:
    """Handlers that the simulator derives from the schema, in this process: for a type that has none yet."""
    from formwork.invoke.in_process import InProcessTransport
    from formwork.simulate import Simulator

    if arguments.aws not in (None, "none"):
        raise UsageError(f"--simulated cannot be used with --aws {arguments.aws}: it makes no AWS calls")
    return Reached(InProcessTransport(Simulator(schema)), local_credentials, LOCAL_ACCOUNT, arguments.region)


class AwsForHandlers(Struct, frozen=True):
    """The AWS of handlers: credentials for requests, and the environment of their processes (None: refused).

    `reset` empties it, where it was started here. `moto` is the server that was.
    """

    credentials: CredentialSource
    environment: dict[str, str] | None
    account: str
    reset: Callable[[], None] = _keep_state
    moto: "MotoClient | None" = None

    def with_stacks_of(self, url: str) -> "AwsForHandlers":
        """Return a copy whose handlers call CloudFormation at `url`, since moto's does not have their stacks."""
        if self.moto is None or self.environment is None:
            return self
        return replace(self, environment={**self.environment, "AWS_ENDPOINT_URL_CLOUDFORMATION": url})

    @property
    def access(self) -> AwsAccess | None:
        """The same AWS for calls of our own; None where calls are refused."""
        if self.environment is None:
            return None
        return AwsAccess(self.credentials, self.environment.get("AWS_ENDPOINT_URL"))


@contextlib.contextmanager
def aws_for_handlers(arguments: argparse.Namespace, output: CommandOutput) -> Iterator[AwsForHandlers]:
    """Provide the AWS that `--aws`, `--profile` and `--role-arn` select; a started simulation ends with the block."""
    chosen = arguments.aws
    if chosen is None:
        chosen = "real" if arguments.profile or arguments.role_arn else "none"
    if chosen != "real" and (arguments.profile or arguments.role_arn):
        raise UsageError(f"--profile and --role-arn are for real AWS: they cannot be used with --aws {chosen}")
    if chosen == "none":
        yield AwsForHandlers(local_credentials, None, LOCAL_ACCOUNT)
    elif chosen == "moto":
        with _moto(output) as aws:
            yield aws
    elif chosen.startswith(("http://", "https://")):
        from formwork.egress.settings import local_aws_environment

        yield AwsForHandlers(local_credentials, local_aws_environment(chosen), LOCAL_ACCOUNT)
    elif chosen == "real":
        yield _real_aws(arguments)
    else:
        raise UsageError(
            f'invalid --aws "{chosen}"', hint="one of none, real, moto, or a URL such as http://127.0.0.1:5000"
        )


@contextlib.contextmanager
def _moto(output: CommandOutput) -> Iterator[AwsForHandlers]:
    from formwork.aws.moto import MotoServer
    from formwork.egress.settings import local_aws_environment

    with contextlib.closing(MotoServer(os.environ)) as server:
        output.say(f"moto stands in for AWS at {server.url}")
        environment = local_aws_environment(server.url)
        yield AwsForHandlers(local_credentials, environment, LOCAL_ACCOUNT, server.reset, server)


def moto_of_server(noted: Path) -> AwsForHandlers:
    """Return the moto that the server of a state folder has started, for a worker; `noted` holds its address.

    Raises:
        EnvironmentProblemError: there is none.
    """
    from formwork.aws.moto import MotoClient
    from formwork.egress.settings import local_aws_environment

    try:
        moto = MotoClient(noted.read_text(encoding="utf-8"))
    except OSError as error:
        raise EnvironmentProblemError(
            "the server does not run moto, which workers share",
            hint="first start `cfn serve --aws moto` on the same state folder, or give all the same address: --aws http://…",
        ) from error
    if not moto.stack_models():
        raise EnvironmentProblemError(
            f"the server's moto does not answer at {moto.url}",
            hint="for a worker on another machine start a moto that both can reach: --aws http://HOST:5000",
        )
    return AwsForHandlers(local_credentials, local_aws_environment(moto.url), LOCAL_ACCOUNT, moto.reset, moto)


def _real_aws(arguments: argparse.Namespace) -> AwsForHandlers:
    from formwork.aws.sessions import account_of, credential_source, open_session

    session = open_session(profile=arguments.profile, region=arguments.region)
    source = credential_source(session, role_arn=arguments.role_arn)
    given = source()
    assert given is not None
    return AwsForHandlers(source, given.to_environment(), account_of(session))


def _remote(arguments: argparse.Namespace, function: str) -> contextlib.AbstractContextManager[HandlerTransport]:
    if arguments.endpoint.startswith("http://"):
        from formwork.invoke.endpoint import LambdaEndpointTransport

        return contextlib.closing(LambdaEndpointTransport(arguments.endpoint, function))
    if not arguments.endpoint.startswith("https://"):
        raise UsageError(f'invalid --endpoint "{arguments.endpoint}"', hint="a URL such as http://127.0.0.1:3001")
    from formwork.aws.sessions import open_session
    from formwork.invoke.remote import AwsLambdaTransport, lambda_client

    session = open_session(profile=arguments.profile, region=arguments.region)
    return contextlib.nullcontext(AwsLambdaTransport(lambda_client(session, arguments.endpoint), function))


def host_settings(  # noqa: PLR0913 - what differs between the commands
    arguments: argparse.Namespace,
    output: CommandOutput,
    *,
    aws: AwsForHandlers,
    debug_port: int | None = None,
    coverage: "CoverageSettings | None" = None,
    concurrency: int = 10,
    log: Callable[[str, str, str], None] | None = None,
    hear: Callable[[bytes], None] | None = None,
    egress: "EgressSettings | None" = None,
) -> "ProjectHostSettings":
    """Return the settings of a local service, from a command's options and this process's surroundings.

    `egress` says how calls of the handlers are treated; None lets them reach every host but AWS.
    """
    from formwork.invoke.project_host.settings import ProjectHostSettings

    more: dict[str, Any] = {name: each for name, each in (("log", log), ("hear", hear)) if each is not None}
    return ProjectHostSettings(
        cache=cache_folder(),
        home=home_folder(),
        user_environment=dict(os.environ),
        aws_environment=aws.environment,
        region=arguments.region,
        account=aws.account,
        concurrency=concurrency,
        aws_runtime=arguments.aws_runtime,
        debug_port=debug_port,
        coverage=coverage,
        note=output.say,
        egress=egress or unruled_settings(output),
        **more,
    )
