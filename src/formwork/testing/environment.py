"""The standard variables by which clients of AWS find the server, set for the time of a test."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping

from formwork.aws.credentials import Credentials

# Would lead clients to another account, or past the endpoint.
_CLEARED = (
    "AWS_PROFILE",
    "AWS_DEFAULT_PROFILE",
    "AWS_ROLE_ARN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
    "AWS_USE_FIPS_ENDPOINT",
    "AWS_USE_DUALSTACK_ENDPOINT",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)
_SERVICE_ENDPOINT = "AWS_ENDPOINT_URL_"
# The services that the server answers itself where moto answers for the others.
_OWN_SERVICES = ("CLOUDFORMATION", "CLOUDCONTROL")


def standard_variables(
    *, url: str, aws_url: str, credentials: Credentials, account: str, region: str
) -> dict[str, str]:
    """Return the variables that lead boto3, the AWS CLI, the CDK and other SDKs to an account and Region."""
    variables = {
        **credentials.to_environment(),
        "AWS_ENDPOINT_URL": aws_url,
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "CDK_DEFAULT_ACCOUNT": account,
        "CDK_DEFAULT_REGION": region,
    }
    if aws_url != url:
        variables |= {f"{_SERVICE_ENDPOINT}{service}": url for service in _OWN_SERVICES}
    return variables


@contextlib.contextmanager
def variables_set(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables of this process, and remove those that would lead elsewhere; the end restores all of them.

    What the test itself changes of them is undone, too. boto3's default session, which remembers keys, is another one
    meanwhile.
    """
    before = dict(os.environ)
    session = _default_session(None)
    for name in [name for name in os.environ if name in _CLEARED or name.startswith(_SERVICE_ENDPOINT)]:
        del os.environ[name]
    os.environ.update(variables)
    try:
        yield
    finally:
        named = (name for name in {*before, *os.environ} if name.startswith("AWS_"))
        for name in {*variables, *named}:  # also those that the test has set
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)
        _default_session(session)


def _default_session(session: object) -> object:
    """Replace boto3's default session; return the one before."""
    boto3 = sys.modules.get("boto3")
    if boto3 is None:
        return None
    before: object = getattr(boto3, "DEFAULT_SESSION", None)
    vars(boto3)["DEFAULT_SESSION"] = session
    return before
