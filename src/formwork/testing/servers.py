"""The servers of a test session, and the account that one test gets."""

import contextlib
from collections.abc import Iterator

from formwork.testing.account import CloudFormation, RunningTest
from formwork.testing.checks import Checks
from formwork.testing.server import LocalServer
from formwork.testing.sweeping import describe_left, sweep


class Servers:
    """At most one server for each answer to who makes AWS's own types."""

    def __init__(self) -> None:
        self._started: dict[str, LocalServer] = {}

    def get(self, aws: str) -> LocalServer:
        """Return the server, started if it was not."""
        if aws not in self._started:
            self._started[aws] = LocalServer(aws=aws)
        return self._started[aws]

    def close(self) -> None:
        """End every server."""
        while self._started:
            self._started.popitem()[1].close()


class OpenedAccount:
    """The account of a test; `failed` says whether the test has."""

    def __init__(self, account: CloudFormation) -> None:
        self.account = account
        self.failed = False

    def left(self) -> str:
        """Return what the test has left in its account, one stack or resource per line."""
        return describe_left(self.account)


@contextlib.contextmanager
def open_account(
    servers: Servers,
    *,
    test: RunningTest | None = None,
    aws: str = "simulated",
    region: str = "us-east-1",
    checks: Checks | None = None,
) -> Iterator[OpenedAccount]:
    """Provide an empty account, with the standard variables set.

    At the end its stacks are deleted: after a test that passed this must succeed, and every expectation must be met.

    Raises:
        AcceptanceFailure: a stack can't be deleted, or an operation that was expected did not take place.
    """
    account = CloudFormation(servers.get(aws), region=region, checks=checks, test=test)
    opened = OpenedAccount(account)
    try:
        with account.environment():
            yield opened
            sweep(account, failed=opened.failed)
    finally:
        account.close()
