"""AWS sessions for handlers: nothing is imported or built before a handler asks for a client.

Building a boto3 session and loading a service's model takes 60 ms, each time again; with one session kept per process
and the credentials given to each client, a warm client takes 4 ms. The kept session never holds credentials, so those
of one invocation cannot reach the next.

A session per set of credentials was the alternative, but CloudFormation sends new ones with every call. The kept
session is replaced when botocore's list of built-in handlers changes, which is how moto attaches itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .credentials import Credentials

if TYPE_CHECKING:
    from boto3.session import Session


class SessionProxy:
    """What a handler is given to make AWS calls: `session.client("s3")`, `session.resource("s3")`."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.client = session.client
        self.resource = session.resource


class _CallerSession:
    """A boto3 session for one set of credentials, as far as anyone looks at it."""

    def __init__(self, credentials: Credentials, region: str | None) -> None:
        self._credentials = credentials
        self._region = region
        self._own: Session | None = None

    def client(self, service_name: str, region_name: str | None = None, **options: Any) -> Any:
        """A boto3 client with the caller's credentials."""
        return _shared_session().client(service_name, region_name or self._region, **{**self._keys(), **options})

    def resource(self, service_name: str, region_name: str | None = None, **options: Any) -> Any:
        """A boto3 resource with the caller's credentials."""
        return _shared_session().resource(service_name, region_name or self._region, **{**self._keys(), **options})

    def __getattr__(self, name: str) -> Any:
        """Everything else comes from a real session, made when first asked for."""
        if name.startswith("__"):
            raise AttributeError(name)
        if self._own is None:
            self._own = _import_boto3().Session(**self._keys(), region_name=self._region)
        return getattr(self._own, name)

    def _keys(self) -> dict[str, str | None]:
        return {
            "aws_access_key_id": self._credentials.accessKeyId,
            "aws_secret_access_key": self._credentials.secretAccessKey,
            "aws_session_token": self._credentials.sessionToken,
        }


def _get_boto_session(credentials: Credentials | None, region: str | None = None) -> SessionProxy | None:
    """A session for these credentials, or None without any, as a type without an execution role gets."""
    if credentials is None:
        return None
    return SessionProxy(_CallerSession(credentials, region))  # type: ignore[arg-type] # it behaves like one


def _import_boto3() -> Any:
    try:
        import boto3.session  # noqa: PLC0415 - takes 200 ms, and handlers without AWS calls never need it
    except ImportError as problem:
        raise ImportError(
            f"the handler uses its AWS session, and boto3 cannot be imported ({problem}); add boto3 to requirements.txt"
        ) from problem
    return boto3.session


_shared: dict[int, Any] = {}


def _shared_session() -> Any:
    """Return the process's session, recreated when botocore's handlers change, which is how moto attaches itself."""
    module = _import_boto3()
    import botocore.handlers  # noqa: PLC0415 - comes with boto3

    generation = len(botocore.handlers.BUILTIN_HANDLERS)
    if generation not in _shared:
        _shared.clear()
        _shared[generation] = module.Session()
    return _shared[generation]
