"""What the operations answer."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

from formwork.extensions import ExtensionKind
from formwork.registry.requests import LoggingConfig
from formwork.registry.required_types import RequiredType

Item = TypeVar("Item")


def moment(seconds: float) -> datetime:
    """Return a time as the tables hold it, in UTC."""
    return datetime.fromtimestamp(seconds, tz=UTC)


@dataclass(frozen=True, slots=True)
class RegistrationStatus:
    """DescribeTypeRegistration: IN_PROGRESS, COMPLETE or FAILED, and why."""

    status: str
    type_arn: str
    version_arn: str
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeDescription:
    """DescribeType; None where AWS leaves a member out."""

    arn: str
    kind: ExtensionKind
    name: str
    schema: str
    visibility: str
    description: str | None = None
    default_version: str | None = None
    is_default: bool | None = None
    status: str | None = None
    provisioning: str | None = None
    configuration_schema: str | None = None
    source_url: str | None = None
    documentation_url: str | None = None
    execution_role_arn: str | None = None
    logging: LoggingConfig | None = None
    updated: datetime | None = None
    created: datetime | None = None
    tests_status: str | None = None
    tests_description: str | None = None
    publisher_id: str | None = None
    original_name: str | None = None
    original_arn: str | None = None
    public_version: str | None = None
    latest_public_version: str | None = None
    is_activated: bool | None = None
    auto_update: bool | None = None
    required_types: tuple[RequiredType, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSummary:
    """A type in the answer of ListTypes."""

    kind: ExtensionKind
    name: str
    arn: str
    default_version: str | None = None
    updated: datetime | None = None
    description: str | None = None
    publisher_id: str | None = None
    original_name: str | None = None
    public_version: str | None = None
    latest_public_version: str | None = None
    publisher_identity: str | None = None
    publisher_name: str | None = None
    is_activated: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionSummary:
    """A version in the answer of ListTypeVersions."""

    kind: ExtensionKind
    name: str
    arn: str
    version_id: str
    is_default: bool | None = None
    created: datetime | None = None
    description: str | None = None
    public_version: str | None = None


@dataclass(frozen=True, slots=True)
class Listed(Generic[Item]):
    """A page of a list, and the token of the next one."""

    items: tuple[Item, ...]
    next_token: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A type configuration, dynamic references and all, secrets masked.

    `name` and `is_default` are shown where the request names the type, as AWS does.
    """

    arn: str
    alias: str
    content: str
    type_arn: str
    updated: datetime | None
    name: str | None = None
    is_default: bool | None = None


@dataclass(frozen=True, slots=True)
class ConfigurationFailure:
    """Why BatchDescribeTypeConfigurations can't answer for the identifier at `index`."""

    index: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Publisher:
    """DescribePublisher."""

    id: str
    status: str
    identity: str
    profile: str | None = None
