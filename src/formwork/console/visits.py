"""What a page function receives, and what it returns."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.console.parts import ConsoleParts, ConsoleServices
from formwork.console.sessions import BrowserSession
from formwork.stacks.store.records import StackRecord
from formwork.stacks.store.stacks import get_stack


class NotShownError(Exception):
    """There is no such page, stack or type, or the session's account may not see it."""


class PageVisit(Struct, frozen=True, dict=True):
    """A request for a page by a session; `form` has the members of a posted form, each with all of its values."""

    parts: ConsoleParts
    session: BrowserSession
    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, Sequence[str]] = field(default_factory=dict)
    partial: bool = False  # htmx asks for it, to replace a part of a page

    @functools.cached_property
    def services(self) -> ConsoleServices:
        """The services, once they have started."""
        return self.parts.services()

    def call(self, scope: Scope, operation: str, service: str = "cloudformation", **members: Any) -> Mapping[str, Any]:
        """Call an operation of the API in the scope.

        Raises:
            CallRefusedError: the API answers with an error.
            NotShownError: the session is limited to another account.
        """
        self.expect_account(scope.account)
        return self.services.call(scope, self.session.key, service, operation, members)

    def call_all(self, scope: Scope, operation: str, member: str, **members: Any) -> list[Mapping[str, Any]]:
        """Return a member of all pages of an operation's output."""
        found: list[Mapping[str, Any]] = []
        token: dict[str, Any] = {}
        while True:
            output = self.call(scope, operation, **members, **token)
            found += output.get(member) or ()
            if not output.get("NextToken"):
                return found
            token = {"NextToken": output["NextToken"]}

    def expect_account(self, account: str) -> None:
        """Raise NotShownError where the session is limited to another account."""
        if self.session.account not in {None, account}:
            raise NotShownError("this account's resources are not shown in this session")

    def expect_stack(self) -> StackRecord:
        """Return the stack that the address names."""
        with self.services.engine.database.read() as connection:
            stack = get_stack(connection, self.path["stack"])
        if stack is None:
            raise NotShownError(f'stack "{self.path["stack"]}" not found')
        self.expect_account(stack.scope.account)
        return stack

    def field(self, name: str, default: str = "") -> str:
        """Return a member of the form, the last one where it was sent several times."""
        values = self.form.get(name)
        return values[-1] if values else default


class ShownPage(Struct, frozen=True):
    """A page: the template's name and values."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


class FramedReport(Struct, frozen=True):
    """A report of `report_pages`, a document of its own, which a page shows in a frame.

    Its Content-Security-Policy puts it into a sandbox: it has no origin, and so no session, and no network.
    """

    html: str


class Redirection(Struct, frozen=True):
    """The browser continues at another page of the console."""

    path: str


PageFunction = Callable[[PageVisit], ShownPage | FramedReport | Redirection]
