"""Clients of AWS services, or of what stands in for them at an endpoint on this machine."""

from typing import Any
from urllib.parse import urlsplit

from formwork.aws.credentials import local_credentials
from formwork.aws.sessions import expect_boto3, expect_region, open_session
from formwork.diagnostics import UsageError

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_LOCAL_REGION = "us-east-1"


def open_client(
    service: str, *, endpoint: str | None, profile: str | None, region: str | None, patience: float | None = None
) -> Any:
    """Return a boto3 client of `service` (`cloudformation`); `endpoint` is None for AWS itself.

    An endpoint on this machine needs neither credentials nor a region: what the user has is used, else placeholders.
    `patience`: how long, in seconds, connecting may take, once more if it fails; None: boto3's minutes.

    Raises:
        UsageError: `endpoint` is no http(s) URL, or `region` no Region's name.
        EnvironmentProblemError: no boto3, no such profile, and for AWS no region or no credentials.
    """
    if endpoint is None:
        return open_session(profile=profile, region=region).client(service, **_configure(patience))
    if not endpoint.startswith(("http://", "https://")) or not urlsplit(endpoint).hostname:
        raise UsageError(f'invalid endpoint "{endpoint}"', hint="a URL such as http://127.0.0.1:3001")
    here = urlsplit(endpoint).hostname in _HERE
    more = _configure(patience, path_style=here and service == "s3")
    if profile is not None or not here:
        return open_session(profile=profile, region=region).client(service, endpoint_url=endpoint, **more)
    session = expect_boto3().Session(region_name=region)
    expect_region(session.region_name or _LOCAL_REGION)
    where = {"region_name": session.region_name or _LOCAL_REGION, "endpoint_url": endpoint, **more}
    if session.get_credentials() is not None:
        return session.client(service, **where)
    given = local_credentials()
    return session.client(
        service,
        aws_access_key_id=given.access_key_id,
        aws_secret_access_key=given.secret_access_key.reveal(),
        aws_session_token=given.session_token.reveal(),
        **where,
    )


def _configure(patience: float | None, *, path_style: bool = False) -> dict[str, Any]:
    """Return the client's settings. Local buckets are addressed by path: few machines resolve `bucket.localhost`."""
    settings: dict[str, Any] = {"s3": {"addressing_style": "path"}} if path_style else {}
    if patience is not None:
        settings |= {"connect_timeout": patience, "retries": {"total_max_attempts": 2}}
    if not settings:
        return {}
    from botocore.config import Config  # noqa: PLC0415 - comes with boto3

    return {"config": Config(**settings)}
