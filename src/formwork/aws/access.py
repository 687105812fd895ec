"""Access to the AWS that handlers use: the real one, a simulation at an endpoint, or none."""

import threading
import time
from typing import Any

from msgspec import Struct

from formwork.aws.credentials import CredentialSource
from formwork.aws.sessions import expect_boto3

# Seconds. Temporary credentials are good for fifteen minutes at least.
_CLIENT_LIVES = 600.0


class AwsAccess(Struct, frozen=True):
    """The credentials of calls to AWS, and the URL of the stand-in for AWS; None for AWS itself."""

    credentials: CredentialSource
    endpoint_url: str | None = None


class AwsClients:
    """boto3 clients of one AWS, kept for a while; safe to use from several threads."""

    def __init__(self, access: AwsAccess) -> None:
        self.access = access
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], tuple[float, Any]] = {}

    def client(self, service: str, region: str) -> Any:
        """Return a client of `service` in `region`.

        Raises:
            EnvironmentProblemError: boto3 is not installed, or there are no credentials.
        """
        key = service, region
        with self._lock:
            made, client = self._kept.get(key, (0.0, None))
            if client is None or time.monotonic() - made > _CLIENT_LIVES:
                client = self._make(service, region)
                self._kept[key] = time.monotonic(), client
            return client

    def _make(self, service: str, region: str) -> Any:
        boto3 = expect_boto3()
        from botocore.config import Config  # noqa: PLC0415 - comes with boto3

        given = self.access.credentials()
        keys = {}
        if given is not None:
            keys = {
                "aws_access_key_id": given.access_key_id,
                "aws_secret_access_key": given.secret_access_key.reveal(),
                "aws_session_token": given.session_token.reveal(),
            }
        return boto3.Session(region_name=region).client(
            service,
            endpoint_url=self.access.endpoint_url,
            config=Config(connect_timeout=5, read_timeout=30, retries={"total_max_attempts": 3}),
            **keys,
        )
