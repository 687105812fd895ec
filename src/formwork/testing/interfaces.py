"""What the parts of a test's account need of each other."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from formwork.testing.failures import StepFinding
from formwork.testing.templates import TemplateSource
from formwork.testing.types import AccountTypes


class RegisteredName(Protocol):
    """What is registered, as far as a stack needs it."""

    @property
    def type_name(self) -> str:
        """The name of the type."""
        ...


class StackServices(Protocol):
    """What a stack needs of its account."""

    account: str
    types: AccountTypes

    @property
    def cloudformation(self) -> Any:
        """A boto3 client of CloudFormation."""
        ...

    def register(
        self,
        extension: Any,
        *,
        schema: Any = None,
        configuration: Mapping[str, Any] | None = None,
        in_process: bool = False,
    ) -> RegisteredName:
        """Register an extension."""
        ...

    def upload(self, bucket: str, key: str, content: bytes) -> str:
        """Put an object into a bucket, and return its URL."""
        ...

    def read_template(self, template: Any, stack: str = "") -> TemplateSource:
        """Return a template as it is sent."""
        ...

    def fail(self, findings: Sequence[StepFinding], stack: "DescribedStack | None" = None) -> None:
        """Raise what is wrong, if anything is."""
        ...


class DescribedStack(Protocol):
    """What a report needs of the stack that it is about."""

    def describe(self, finding: StepFinding) -> None:
        """Complete a finding with the stack and the resource that it is about."""
        ...


class CheckedStack(Protocol):
    """What the checks after a step need of the stack."""

    id: str
    disappeared: set[str]

    @property
    def services(self) -> StackServices:
        """The account of the stack."""
        ...

    def update_request(self) -> dict[str, Any]:
        """Return the request of a change set that changes nothing."""
        ...
