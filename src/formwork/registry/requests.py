"""What the operations are asked; every member that AWS's API has and the registry heeds."""

from msgspec import Struct

from formwork.extensions import ExtensionKind


class LoggingConfig(Struct, frozen=True):
    """The destination of a type's logs: a role and a CloudWatch log group."""

    log_role_arn: str
    log_group_name: str


class TypeReference(Struct, frozen=True, kw_only=True):
    """A reference to a type or version: an `arn`, or `kind` and `name`, perhaps with a `version`."""

    arn: str | None = None
    kind: ExtensionKind | None = None
    name: str | None = None
    version: str | None = None


class RegisterTypeRequest(Struct, frozen=True, kw_only=True):
    """RegisterType; AWS takes a request without a kind for a resource type's."""

    type_name: str
    package_url: str
    kind: ExtensionKind | None = None
    logging: LoggingConfig | None = None
    execution_role_arn: str | None = None
    client_token: str | None = None


class DescribeTypeRequest(Struct, frozen=True, kw_only=True):
    """A request for DescribeType; `publisher_id` and `public_version` name a public type's version."""

    type: TypeReference
    publisher_id: str | None = None
    public_version: str | None = None


class Page(Struct, frozen=True, kw_only=True):
    """Which part of a list."""

    size: int = 100
    token: str | None = None


class ListTypesRequest(Struct, frozen=True, kw_only=True):
    """ListTypes; `category` is REGISTERED, ACTIVATED, THIRD_PARTY or AWS_TYPES."""

    visibility: str = "PRIVATE"
    provisioning: str | None = None
    status: str = "LIVE"
    kind: ExtensionKind | None = None
    category: str | None = None
    publisher_id: str | None = None
    prefix: str | None = None
    page: Page = Page()


class ListTypeVersionsRequest(Struct, frozen=True, kw_only=True):
    """A request for ListTypeVersions."""

    type: TypeReference
    status: str = "LIVE"
    publisher_id: str | None = None
    page: Page = Page()


class ListTypeRegistrationsRequest(Struct, frozen=True, kw_only=True):
    """ListTypeRegistrations; without a type those of all types."""

    type: TypeReference
    status: str = "IN_PROGRESS"
    page: Page = Page()


class SetTypeConfigurationRequest(Struct, frozen=True, kw_only=True):
    """SetTypeConfiguration; `configuration` is a JSON text."""

    type: TypeReference
    configuration: str
    alias: str | None = None


class ConfigurationReference(Struct, frozen=True, kw_only=True):
    """The name of a configuration in BatchDescribeTypeConfigurations: an ARN of its own, or a type and an alias."""

    type: TypeReference
    arn: str | None = None
    alias: str | None = None


class ActivateTypeRequest(Struct, frozen=True, kw_only=True):
    """ActivateType; `bump` is MAJOR or MINOR; `auto_update` None leaves it as it is, at first true."""

    type: TypeReference
    publisher_id: str | None = None
    alias: str | None = None
    auto_update: bool | None = None
    logging: LoggingConfig | None = None
    execution_role_arn: str | None = None
    bump: str | None = None
    major: int | None = None


class RegisterPublisherRequest(Struct, frozen=True, kw_only=True):
    """RegisterPublisher."""

    accepts_terms: bool = False
    connection_arn: str | None = None


class TestTypeRequest(Struct, frozen=True, kw_only=True):
    """TestType; `log_bucket` is where the logs go to besides the state folder."""

    __test__ = False  # no test class, whatever pytest thinks of its name

    type: TypeReference
    log_bucket: str | None = None


class PublishTypeRequest(Struct, frozen=True, kw_only=True):
    """PublishType."""

    type: TypeReference
    version: str | None = None


class RecordHandlerProgressRequest(Struct, frozen=True, kw_only=True):
    """RecordHandlerProgress, which handlers of the first protocol version call."""

    bearer_token: str
    status: str
    current_status: str | None = None
    message: str | None = None
    error_code: str | None = None
    model: str | None = None
    client_token: str | None = None
