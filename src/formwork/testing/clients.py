"""boto3 clients of an account: those of a test, and those of the fixture itself, which are reused by later accounts."""

import functools
from typing import Any

from formwork.aws.credentials import Credentials

_WAITING = "m/B"  # how the SDKs mark the calls of waiters, which the server holds (`formwork.api.long_polling`)
_READ_SECONDS = 120


class ReusedClients:
    """Clients that take the credentials of one account after another: making a client costs as much as three calls."""

    def __init__(self) -> None:
        import botocore.session  # noqa: PLC0415 - optional

        self._session = botocore.session.Session()
        self._session.set_credentials("unset", "unset")
        self._clients: dict[tuple[str, str, str], Any] = {}

    def assign(self, credentials: Credentials) -> None:
        """Have the clients call in an account from now on."""
        given = self._session.get_credentials()
        assert given is not None
        given.access_key = credentials.access_key_id
        given.secret_key = credentials.secret_access_key.reveal()
        given.token = credentials.session_token.reveal()

    def get(self, service: str, *, url: str, region: str) -> Any:
        """Return the client of a service; its calls for a status are answered when that is final."""
        key = service, url, region
        if key not in self._clients:
            self._clients[key] = self._session.create_client(
                service,
                endpoint_url=url,
                region_name=region,
                config=_config(user_agent_extra=_WAITING, parameter_validation=False),
            )
        return self._clients[key]


def make_client(service: str, *, url: str, region: str, credentials: Credentials) -> Any:
    """Return a new client of a service with the credentials of an account."""
    return _session().client(
        service,
        endpoint_url=url,
        region_name=region,
        aws_access_key_id=credentials.access_key_id,
        aws_secret_access_key=credentials.secret_access_key.reveal(),
        aws_session_token=credentials.session_token.reveal(),
        config=_config(),
    )


@functools.cache
def _session() -> Any:
    """Return the session that clients are made of, which has read the models of the services once."""
    import boto3  # noqa: PLC0415 - optional

    return boto3.Session()


def _config(**more: Any) -> Any:
    from botocore.config import Config  # noqa: PLC0415 - optional

    return Config(read_timeout=_READ_SECONDS, retries={"total_max_attempts": 1}, **more)
