"""The registry's operations between botocore's shapes and the registry's own values."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from formwork.api.caller import Caller
from formwork.api.dispatch import Handler
from formwork.api.wire.errors import ApiError
from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry import requests as asked
from formwork.registry.errors import RegistryError
from formwork.registry.registry import Registry
from formwork.registry.results import Configuration, Listed, TypeDescription, TypeSummary, VersionSummary

Input: TypeAlias = Mapping[str, Any]
Output: TypeAlias = Mapping[str, Any]
Operation: TypeAlias = Callable[[Scope, Input], Output]


def registry_operations(registry: Registry) -> dict[tuple[str, str], Handler]:
    """Return what answers the registry's operations, for the table of `api/dispatch.py`."""
    operations = _Operations(registry)
    named: dict[str, Operation] = {
        "RegisterType": operations.register_type,
        "DescribeTypeRegistration": operations.describe_type_registration,
        "DescribeType": operations.describe_type,
        "ListTypes": operations.list_types,
        "ListTypeVersions": operations.list_type_versions,
        "ListTypeRegistrations": operations.list_type_registrations,
        "SetTypeDefaultVersion": operations.set_type_default_version,
        "DeregisterType": operations.deregister_type,
        "SetTypeConfiguration": operations.set_type_configuration,
        "BatchDescribeTypeConfigurations": operations.batch_describe_type_configurations,
        "RegisterPublisher": operations.register_publisher,
        "DescribePublisher": operations.describe_publisher,
        "TestType": operations.test_type,
        "PublishType": operations.publish_type,
        "ActivateType": operations.activate_type,
        "DeactivateType": operations.deactivate_type,
        "RecordHandlerProgress": operations.record_handler_progress,
    }
    return {("cloudformation", name): _handler(operation) for name, operation in named.items()}


def _handler(operation: Operation) -> Handler:
    def answer(caller: Caller, request: Input) -> Output:
        try:
            return operation(Scope(caller.account, caller.region), request)
        except RegistryError as error:
            raise ApiError(error.code, error.message, status=error.http_status) from error

    return answer


class _Operations:
    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def register_type(self, scope: Scope, request: Input) -> Output:
        token = self._registry.register_type(
            scope,
            asked.RegisterTypeRequest(
                type_name=request["TypeName"],
                package_url=request["SchemaHandlerPackage"],
                kind=_kind(request),
                logging=_logging(request),
                execution_role_arn=request.get("ExecutionRoleArn"),
                client_token=request.get("ClientRequestToken"),
            ),
        )
        return {"RegistrationToken": token}

    def describe_type_registration(self, scope: Scope, request: Input) -> Output:
        found = self._registry.describe_type_registration(scope, request["RegistrationToken"])
        return {
            "ProgressStatus": found.status,
            "Description": found.description,
            "TypeArn": found.type_arn,
            "TypeVersionArn": found.version_arn,
        }

    def describe_type(self, scope: Scope, request: Input) -> Output:
        found = self._registry.describe_type(
            scope,
            asked.DescribeTypeRequest(
                type=_type(request),
                publisher_id=request.get("PublisherId"),
                public_version=request.get("PublicVersionNumber"),
            ),
        )
        return _description(found)

    def list_types(self, scope: Scope, request: Input) -> Output:
        filters = request.get("Filters") or {}
        found = self._registry.list_types(
            scope,
            asked.ListTypesRequest(
                visibility=request.get("Visibility") or "PRIVATE",
                provisioning=request.get("ProvisioningType"),
                status=request.get("DeprecatedStatus") or "LIVE",
                kind=_kind(request),
                category=filters.get("Category"),
                publisher_id=filters.get("PublisherId"),
                prefix=filters.get("TypeNamePrefix"),
                page=_page(request),
            ),
        )
        return _listed("TypeSummaries", found, _summary)

    def list_type_versions(self, scope: Scope, request: Input) -> Output:
        found = self._registry.list_type_versions(
            scope,
            asked.ListTypeVersionsRequest(
                type=_type(request),
                status=request.get("DeprecatedStatus") or "LIVE",
                publisher_id=request.get("PublisherId"),
                page=_page(request),
            ),
        )
        return _listed("TypeVersionSummaries", found, _version)

    def list_type_registrations(self, scope: Scope, request: Input) -> Output:
        found = self._registry.list_type_registrations(
            scope,
            asked.ListTypeRegistrationsRequest(
                type=_type(request, arn="TypeArn"),
                status=request.get("RegistrationStatusFilter") or "IN_PROGRESS",
                page=_page(request),
            ),
        )
        return _listed("RegistrationTokenList", found, str)

    def set_type_default_version(self, scope: Scope, request: Input) -> Output:
        self._registry.set_type_default_version(scope, _type(request))
        return {}

    def deregister_type(self, scope: Scope, request: Input) -> Output:
        self._registry.deregister_type(scope, _type(request))
        return {}

    def set_type_configuration(self, scope: Scope, request: Input) -> Output:
        arn = self._registry.set_type_configuration(
            scope,
            asked.SetTypeConfigurationRequest(
                type=_type(request, arn="TypeArn"),
                configuration=request["Configuration"],
                alias=request.get("ConfigurationAlias"),
            ),
        )
        return {"ConfigurationArn": arn}

    def batch_describe_type_configurations(self, scope: Scope, request: Input) -> Output:
        identifiers = request["TypeConfigurationIdentifiers"]
        references = [
            asked.ConfigurationReference(
                type=_type(each, arn="TypeArn"),
                arn=each.get("TypeConfigurationArn"),
                alias=each.get("TypeConfigurationAlias"),
            )
            for each in identifiers
        ]
        found, failures = self._registry.describe_type_configurations(scope, references)
        return {
            "Errors": [
                {
                    "ErrorCode": each.code,
                    "ErrorMessage": each.message,
                    "TypeConfigurationIdentifier": identifiers[each.index],
                }
                for each in failures
            ],
            "UnprocessedTypeConfigurations": [],
            "TypeConfigurations": [_configuration(each) for each in found],
        }

    def register_publisher(self, scope: Scope, request: Input) -> Output:
        publisher = self._registry.register_publisher(
            scope,
            asked.RegisterPublisherRequest(
                accepts_terms=bool(request.get("AcceptTermsAndConditions")),
                connection_arn=request.get("ConnectionArn"),
            ),
        )
        return {"PublisherId": publisher}

    def describe_publisher(self, scope: Scope, request: Input) -> Output:
        found = self._registry.describe_publisher(scope, request.get("PublisherId"))
        return {
            "PublisherId": found.id,
            "PublisherStatus": found.status,
            "IdentityProvider": found.identity,
            "PublisherProfile": found.profile,
        }

    def test_type(self, scope: Scope, request: Input) -> Output:
        arn = self._registry.test_type(
            scope, asked.TestTypeRequest(type=_type(request), log_bucket=request.get("LogDeliveryBucket"))
        )
        return {"TypeVersionArn": arn}

    def publish_type(self, scope: Scope, request: Input) -> Output:
        arn = self._registry.publish_type(
            scope, asked.PublishTypeRequest(type=_type(request), version=request.get("PublicVersionNumber"))
        )
        return {"PublicTypeArn": arn}

    def activate_type(self, scope: Scope, request: Input) -> Output:
        arn = self._registry.activate_type(
            scope,
            asked.ActivateTypeRequest(
                type=_type(request, arn="PublicTypeArn"),
                publisher_id=request.get("PublisherId"),
                alias=request.get("TypeNameAlias"),
                auto_update=request.get("AutoUpdate"),
                logging=_logging(request),
                execution_role_arn=request.get("ExecutionRoleArn"),
                bump=request.get("VersionBump"),
                major=request.get("MajorVersion"),
            ),
        )
        return {"Arn": arn}

    def deactivate_type(self, scope: Scope, request: Input) -> Output:
        self._registry.deactivate_type(scope, _type(request))
        return {}

    def record_handler_progress(self, scope: Scope, request: Input) -> Output:
        self._registry.record_handler_progress(
            scope,
            asked.RecordHandlerProgressRequest(
                bearer_token=request["BearerToken"],
                status=request["OperationStatus"],
                current_status=request.get("CurrentOperationStatus"),
                message=request.get("StatusMessage"),
                error_code=request.get("ErrorCode"),
                model=request.get("ResourceModel"),
                client_token=request.get("ClientRequestToken"),
            ),
        )
        return {}


def _kind(request: Input) -> ExtensionKind | None:
    kind = request.get("Type")
    return None if kind is None else ExtensionKind(kind)


def _type(request: Input, *, arn: str = "Arn") -> asked.TypeReference:
    return asked.TypeReference(
        arn=request.get(arn), kind=_kind(request), name=request.get("TypeName"), version=request.get("VersionId")
    )


def _page(request: Input) -> asked.Page:
    return asked.Page(size=request.get("MaxResults") or 100, token=request.get("NextToken"))


def _logging(request: Input) -> asked.LoggingConfig | None:
    found = request.get("LoggingConfig")
    return None if found is None else asked.LoggingConfig(found["LogRoleArn"], found["LogGroupName"])


def _listed(name: str, found: Listed[Any], item: Callable[[Any], Any]) -> Output:
    return {name: [item(each) for each in found.items], "NextToken": found.next_token}


def _description(found: TypeDescription) -> Output:
    logging = found.logging
    return {
        "Arn": found.arn,
        "Type": found.kind,
        "TypeName": found.name,
        "DefaultVersionId": found.default_version,
        "IsDefaultVersion": found.is_default,
        "TypeTestsStatus": found.tests_status,
        "TypeTestsStatusDescription": found.tests_description,
        "Description": found.description,
        "Schema": found.schema,
        "ProvisioningType": found.provisioning,
        "DeprecatedStatus": found.status,
        "LoggingConfig": logging and {"LogRoleArn": logging.log_role_arn, "LogGroupName": logging.log_group_name},
        "RequiredActivatedTypes": [
            {
                "TypeNameAlias": each.alias,
                "OriginalTypeName": each.original_name,
                "PublisherId": each.publisher_id,
                "SupportedMajorVersions": list(each.majors),
            }
            for each in found.required_types
        ]
        or None,
        "ExecutionRoleArn": found.execution_role_arn,
        "Visibility": found.visibility,
        "SourceUrl": found.source_url,
        "DocumentationUrl": found.documentation_url,
        "LastUpdated": found.updated,
        "TimeCreated": found.created,
        "ConfigurationSchema": found.configuration_schema,
        "PublisherId": found.publisher_id,
        "OriginalTypeName": found.original_name,
        "OriginalTypeArn": found.original_arn,
        "PublicVersionNumber": found.public_version,
        "LatestPublicVersion": found.latest_public_version,
        "IsActivated": found.is_activated,
        "AutoUpdate": found.auto_update,
    }


def _summary(found: TypeSummary) -> Output:
    return {
        "Type": found.kind,
        "TypeName": found.name,
        "DefaultVersionId": found.default_version,
        "TypeArn": found.arn,
        "LastUpdated": found.updated,
        "Description": found.description,
        "PublisherId": found.publisher_id,
        "OriginalTypeName": found.original_name,
        "PublicVersionNumber": found.public_version,
        "LatestPublicVersion": found.latest_public_version,
        "PublisherIdentity": found.publisher_identity,
        "PublisherName": found.publisher_name,
        "IsActivated": found.is_activated,
    }


def _configuration(found: Configuration) -> Output:
    return {
        "Arn": found.arn,
        "Alias": found.alias,
        "Configuration": found.content,
        "LastUpdated": found.updated,
        "TypeArn": found.type_arn,
        "TypeName": found.name,
        "IsDefaultConfiguration": found.is_default,
    }


def _version(found: VersionSummary) -> Output:
    return {
        "Type": found.kind,
        "TypeName": found.name,
        "VersionId": found.version_id,
        "IsDefaultVersion": found.is_default,
        "Arn": found.arn,
        "TimeCreated": found.created,
        "Description": found.description,
        "PublicVersionNumber": found.public_version,
    }
