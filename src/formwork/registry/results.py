"""What the operations answer."""

from datetime import UTC, datetime
from typing import Generic, TypeVar

from msgspec import Struct

from formwork.extensions import ExtensionKind
from formwork.registry.requests import LoggingConfig
from formwork.registry.required_types import RequiredType

Item = TypeVar("Item")


def moment(seconds: float) -> datetime:
    """Return a time as the tables hold it, in UTC."""
    return datetime.fromtimestamp(seconds, tz=UTC)


class RegistrationStatus(Struct, frozen=True):
    """DescribeTypeRegistration: IN_PROGRESS, COMPLETE or FAILED, and why."""

    status: str
    type_arn: str
    version_arn: str
    description: str | None = None


class TypeDescription(Struct, frozen=True, kw_only=True):
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


class TypeSummary(Struct, frozen=True, kw_only=True):
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


class VersionSummary(Struct, frozen=True, kw_only=True):
    """A version in the answer of ListTypeVersions."""

    kind: ExtensionKind
    name: str
    arn: str
    version_id: str
    is_default: bool | None = None
    created: datetime | None = None
    description: str | None = None
    public_version: str | None = None


class Listed(Struct, Generic[Item], frozen=True):
    """A page of a list, and the token of the next one."""

    items: tuple[Item, ...]
    next_token: str | None = None


class Configuration(Struct, frozen=True, kw_only=True):
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


class ConfigurationFailure(Struct, frozen=True):
    """Why BatchDescribeTypeConfigurations can't answer for the identifier at `index`."""

    index: int
    code: str
    message: str


class Publisher(Struct, frozen=True):
    """DescribePublisher."""

    id: str
    status: str
    identity: str
    profile: str | None = None
