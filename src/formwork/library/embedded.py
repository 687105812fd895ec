"""A registry and stacks in this process, called without HTTP: what `formwork.registry` and `formwork.stacks` share."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from formwork.api.caller import Caller
from formwork.api.wire.constraints import check_constraints
from formwork.api.wire.errors import ApiError
from formwork.api.wire.services import load_service
from formwork.diagnostics import Diagnostic, FormworkError, Severity, UsageError
from formwork.object_store.urls import deliver_object
from formwork.private_files.modes import make_private_folder
from formwork.private_files.temporary import TemporaryFolder
from formwork.testing.environment import standard_variables
from formwork.testing.host_dependencies import HostDependencies
from formwork.testing.server import LocalServer, credentials_of

_REGION = re.compile(r"[a-z]{2,3}(-[a-z]+)+-\d")


class RequestRefusedError(FormworkError):
    """A request that the service refuses, as CloudFormation does: `code` and `message` are AWS's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The one refusal."""
        return (Diagnostic("aws.refused", Severity.ERROR, f"{self.code}: {self.message}"),)


class EmbeddedService:
    """The service of one account and Region; `server` also listens on a loopback address, for handlers and clients."""

    def __init__(  # noqa: PLR0913 - its settings
        self,
        folder: Path | None,
        *,
        environment: Mapping[str, str] | None,
        cache: Path | None,
        account: str,
        region: str,
        aws: str,
    ) -> None:
        """`folder` keeps the state; without one it ends with the service. `aws` as for `LocalServer`.

        Raises:
            EnvironmentProblemError: the extra `serve` is not installed, or another process uses the folder.
            UsageError: the account, the Region or `aws` is not valid.
        """
        if not re.fullmatch(r"\d{12}", account, re.ASCII):
            raise UsageError(f'invalid account "{account}"', hint="12 digits")
        if not _REGION.fullmatch(region):
            raise UsageError(f'invalid Region "{region}"', hint="such as us-east-1")
        self.account, self.region = account, region
        self._caller = Caller(account, region, account, f"arn:aws:iam::{account}:root")
        with contextlib.ExitStack() as ends:
            own = ends.enter_context(TemporaryFolder("state"))
            state = own / "state" if folder is None else folder
            make_private_folder(state)
            dependencies = HostDependencies(dict(environment or {}), cache or own / "cache", own)
            self.server = LocalServer(aws=aws, dependencies=dependencies, state=state)
            ends.callback(self.server.close)
            self._operations = self.server.service.operations()
            self._ends = ends.pop_all()

    def call(self, operation: str, /, *, service: str = "cloudformation", **request: Any) -> dict[str, Any]:
        """Return the answer to a request, in botocore's shapes.

        Raises:
            RequestRefusedError: it is refused.
        """
        model = load_service(service).operation(operation)
        assert model is not None
        try:
            check_constraints(model, request)
            answer: dict[str, Any] = _plain(self._operations[service, operation](self._caller, request))
        except ApiError as error:
            raise RequestRefusedError(error.code, error.message) from error
        return answer

    def pages(self, operation: str, member: str, **request: Any) -> Iterator[Any]:
        """Yield what `member` of all pages of an answer has."""
        token: str | None = None
        while True:
            answer = self.call(operation, **request, **({} if token is None else {"NextToken": token}))
            yield from answer.get(member, ())
            token = answer.get("NextToken")
            if token is None:
                return

    def put(self, purpose: str, key: str, content: bytes) -> tuple[str, str]:
        """Put an object into the service's own bucket for a purpose; return its `s3:` and its HTTP address."""
        bucket = f"formwork-{purpose}-{self.account}-{self.region}"
        objects = self.server.objects
        if all(each.name != bucket for each in objects.buckets(self.account)):
            objects.create_bucket(bucket, account=self.account, region=self.region)
        deliver_object(objects, account=self.account, bucket=bucket, key=key, content=content)
        return f"s3://{bucket}/{key}", f"{self.server.url}/{bucket}/{key}"

    def variables(self) -> dict[str, str]:
        """Return the standard variables that lead clients of AWS here."""
        return standard_variables(
            url=self.server.url,
            aws_url=self.server.aws_url,
            credentials=credentials_of(self.account),
            account=self.account,
            region=self.region,
        )

    def close(self) -> None:
        """End the service and its handlers; without effect the second time."""
        self._ends.close()


def _plain(value: Any) -> Any:
    """Return an answer as clients get it: members that are None are missing, members of enumerations are texts."""
    match value:
        case Mapping():
            return {name: _plain(each) for name, each in value.items() if each is not None}
        case list() | tuple():
            return [_plain(each) for each in value]
        case Enum():
            return value.value
        case _:
            return value
