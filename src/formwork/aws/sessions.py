"""boto3 sessions, and temporary credentials for handlers to call AWS with."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from formwork.aws.credentials import Credentials, CredentialSource
from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.diagnostics.extras import install_extra
from formwork.diagnostics.secrets import Secret

# How long temporary credentials are good for, in seconds: the shortest that STS gives.
_LIFETIME = 900
_REGION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
ROLE_ARN = re.compile(r"arn:aws[a-z-]*:iam::\d{12}:role/[\w+=,.@/-]+", re.ASCII)


def expect_boto3() -> Any:
    """Return the module boto3.

    Raises:
        EnvironmentProblemError: it is not installed.
    """
    try:
        import boto3  # noqa: PLC0415 - optional, and 200 ms
    except ImportError as error:
        raise EnvironmentProblemError(
            "boto3 is not installed, and this needs AWS", hint=install_extra("aws")
        ) from error
    return boto3


def open_session(*, profile: str | None, region: str | None) -> Any:
    """Return a boto3 session of the user's, with credentials.

    Raises:
        UsageError: `region` is not the name of a Region.
        EnvironmentProblemError: no boto3, no such profile, no region, no credentials.
    """
    boto3 = expect_boto3()
    import botocore.exceptions  # noqa: PLC0415 - comes with boto3

    try:
        session = boto3.Session(profile_name=profile, region_name=region)
        if session.region_name is None:  # before the credentials, which take seconds to look for
            raise EnvironmentProblemError(
                "no AWS region is chosen", hint="--region NAME, or AWS_DEFAULT_REGION, or `aws configure`"
            )
        credentials = session.get_credentials()
    except botocore.exceptions.BotoCoreError as error:
        raise EnvironmentProblemError(f"AWS can't be used: {error}") from error
    expect_region(session.region_name)
    if credentials is None:
        raise EnvironmentProblemError("no AWS credentials are found", hint="`aws configure`, or --profile NAME")
    return session


def expect_region(name: str) -> None:
    """Raise UsageError if `name` can't be a Region's name (botocore would put it into a host name)."""
    if not _REGION.fullmatch(name):
        raise UsageError(f'the region is "{name}"', hint="such as us-east-1")


def credential_source(session: Any, *, role_arn: str | None = None) -> CredentialSource:
    """Credentials for handlers: a role's; else the session's own where they are temporary; else a session token's.

    Each call gives fresh ones.

    Raises:
        UsageError: `role_arn` is not the ARN of a role.
    """
    if role_arn is not None and not ROLE_ARN.fullmatch(role_arn):
        raise UsageError(f'"{role_arn}" is not the ARN of a role', hint="such as arn:aws:iam::123456789012:role/Name")
    return lambda: _fetch(session, role_arn)


def account_of(session: Any) -> str:
    """Return the number of the session's account."""
    return str(_ask_sts(session, lambda sts: sts.get_caller_identity())["Account"])


def _fetch(session: Any, role_arn: str | None) -> Credentials:
    if role_arn is not None:
        name = f"CloudFormationContractTest-{datetime.now(UTC):%Y%m%d%H%M%S}"
        answer = _ask_sts(
            session, lambda sts: sts.assume_role(RoleArn=role_arn, RoleSessionName=name, DurationSeconds=_LIFETIME)
        )
    else:
        own = session.get_credentials().get_frozen_credentials()
        if own.token:
            return Credentials(own.access_key, Secret(own.secret_key), Secret(own.token))
        answer = _ask_sts(session, lambda sts: sts.get_session_token(DurationSeconds=_LIFETIME))
    given = answer["Credentials"]
    return Credentials(given["AccessKeyId"], Secret(given["SecretAccessKey"]), Secret(given["SessionToken"]))


def _ask_sts(session: Any, ask: Callable[[Any], Any]) -> Any:
    import botocore.exceptions  # noqa: PLC0415 - comes with boto3

    try:
        return ask(session.client("sts"))
    except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as error:
        raise EnvironmentProblemError(f"AWS gives no temporary credentials: {error}") from error
