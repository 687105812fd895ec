"""Probes of the registry's operations."""

import json

from formwork.object_store.urls import deliver_object
from support.member_probes.probe import Probe, Shown
from support.registry import GUARD, ROLE, SHELF, THING, hook_package, module_package, resource_package, resource_schema

LOG = {"LogRoleArn": ROLE, "LogGroupName": "group"}
LEDGE = SHELF.replace("Shelf", "Ledge")


def package(content):
    """A function that puts a package into a bucket of the account's and returns its URL."""

    def put(world):
        bucket = f"packages-{world.account}"
        objects = world.service.parts.objects
        objects.create_bucket(bucket, account=world.account, region=world.region)
        deliver_object(objects, account=world.account, bucket=bucket, key="package.zip", content=content)
        return f"s3://{bucket}/package.zip"

    return put


thing, guard, shelf = package(resource_package(THING)), package(hook_package(GUARD)), package(module_package(SHELF))
again = package(resource_package(THING, schema={**resource_schema(), "description": "Another."}))


def arn(kind, name):
    """A function that returns the ARN of a type."""
    path = f"{kind}/{name.replace('::', '-')}"
    return lambda world: f"arn:aws:cloudformation:{world.region}:{world.account}:type/{path}"


ALIAS = SHELF.replace("Store", "Shop")
LEDGE_ARN = arn("module", LEDGE)
GUARD_ARN = arn("hook", GUARD)


def configuration_arn(world):
    """The ARN of the type's configuration, which is not there."""
    return f"arn:aws:cloudformation:{world.region}:{world.account}:type-configuration/resource/Acme-Store-Thing/default"


def registered(world):
    """Arrange a type with two versions, and a hook."""
    one = {"Type": "RESOURCE", "TypeName": THING, "SchemaHandlerPackage": thing(world), "ClientRequestToken": "t"}
    world.saved["token"] = world("RegisterType", **one)["RegistrationToken"]
    world("RegisterType", Type="RESOURCE", TypeName=THING, SchemaHandlerPackage=again(world))
    world("RegisterType", Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=guard(world))


def tested(world):
    """Arrange a publisher with a module that has passed its tests."""
    world.saved["publisher"] = world("RegisterPublisher", AcceptTermsAndConditions=True)["PublisherId"]
    for name in SHELF, LEDGE:
        content = package(module_package(name))(world)
        world("RegisterType", Type="MODULE", TypeName=name, SchemaHandlerPackage=content)
        world("TestType", Type="MODULE", TypeName=name)


def published(world):
    """Arrange a published module with two versions, which another account sees."""
    tested(world)
    for version in None, "2.0.0":
        more = {} if version is None else {"PublicVersionNumber": version}
        made = world("PublishType", Type="MODULE", TypeName=SHELF, **more)
        world.saved["public"] = made["PublicTypeArn"]
    world("PublishType", Type="MODULE", TypeName=LEDGE)


def activated(world):
    """Arrange two modules that are activated, of which a new version is published then."""
    tested(world)
    for name in SHELF, LEDGE:
        alias = name.replace("Store", "Shop")
        world("PublishType", Type="MODULE", TypeName=name)
        world("ActivateType", Type="MODULE", TypeName=name, PublisherId=publisher(world), TypeNameAlias=alias)
        world("PublishType", Type="MODULE", TypeName=name, PublicVersionNumber="2.0.0")


def publisher(world):
    """The account as a publisher."""
    return world.saved["publisher"]


def configured(world):
    """Arrange a configuration of a type, and one of the hook."""
    registered(world)
    for kind, name in ("RESOURCE", THING), ("HOOK", GUARD):
        value = {
            "CloudFormationConfiguration": {
                "HookConfiguration": {"TargetStacks": "ALL", "FailureMode": "WARN", "Properties": {}}
            }
        }
        world.tried("SetTypeConfiguration", Type=kind, TypeName=name, Configuration=json.dumps(value))


def types(world):
    """What there is of types."""
    kinds = [world.tried("ListTypes", Type=each)["TypeSummaries"] for each in ("RESOURCE", "HOOK", "MODULE")]
    found = [each for kind in kinds for each in kind]
    return [
        (
            each,
            world.tried("DescribeType", Arn=each["TypeArn"]),
            world.tried("ListTypeVersions", Arn=each["TypeArn"]),
            world.tried("BatchDescribeTypeConfigurations", TypeConfigurationIdentifiers=[{"TypeArn": each["TypeArn"]}]),
        )
        for each in found
    ]


BY_NAME = {"Type": "RESOURCE", "TypeName": THING}
STRICT = json.dumps(
    {
        "CloudFormationConfiguration": {
            "HookConfiguration": {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}
        }
    }
)
LENIENT = STRICT.replace("FAIL", "WARN")
CONFIGURED = {"Type": "HOOK", "TypeName": GUARD, "Configuration": STRICT}


def named(operation, arrange=registered, **more):
    """The probe of the members that name a type."""
    return Probe(
        operation=operation,
        arrange=arrange,
        base={**BY_NAME, **more},
        look=types,
        changes={"Type": "HOOK", "TypeName": "Acme::Store::Other", "Arn": GUARD_ARN},
    )


PROBES = [
    Probe(
        operation="RegisterType",
        base={**BY_NAME, "SchemaHandlerPackage": thing},
        look=types,
        changes={
            "Type": "HOOK",
            "TypeName": "Acme::Store::Other",
            "SchemaHandlerPackage": again,
            "ExecutionRoleArn": ROLE,
            "LoggingConfig": LOG,
        },
    ),
    Probe(
        operation="RegisterType",
        base={**BY_NAME, "SchemaHandlerPackage": thing, "LoggingConfig": LOG},
        look=types,
        changes={"LoggingConfig.LogRoleArn": f"{ROLE}2", "LoggingConfig.LogGroupName": "other"},
    ),
    Probe(
        operation="RegisterType",
        arrange=registered,
        base={**BY_NAME, "SchemaHandlerPackage": again},
        look=types,
        changes={"ClientRequestToken": "t"},
    ),
    Probe(
        operation="DescribeTypeRegistration",
        arrange=registered,
        base={"RegistrationToken": lambda world: world.saved["token"]},
        changes={"RegistrationToken": "c3df4a19-0000-4000-8000-000000000000"},
    ),
    named("DescribeType"),
    Probe(
        operation="DescribeType",
        arrange=registered,
        base=BY_NAME,
        changes={"VersionId": "00000002"},
    ),
    Probe(
        operation="DescribeType",
        arrange=published,
        base={"Type": "MODULE", "TypeName": SHELF},
        changes={"PublisherId": publisher, "PublicVersionNumber": "1.0.0"},
    ),
    Probe(
        operation="DescribeType",
        arrange=published,
        base={"Type": "MODULE", "TypeName": SHELF, "PublisherId": publisher},
        changes={"PublicVersionNumber": "1.0.0"},
    ),
    Probe(
        operation="ListTypes",
        arrange=registered,
        changes={
            "Visibility": "PUBLIC",
            "ProvisioningType": "IMMUTABLE",
            "DeprecatedStatus": "DEPRECATED",
            "Type": "HOOK",
            "MaxResults": 1,
            "NextToken": "x",
        },
    ),
    Probe(
        operation="ListTypes",
        arrange=registered,
        base={"Filters": {}},
        changes={
            "Filters.Category": "ACTIVATED",
            "Filters.PublisherId": "0" * 40,
            "Filters.TypeNamePrefix": "Acme::Store::Th",
        },
    ),
    Probe(
        operation="ListTypeVersions",
        arrange=registered,
        base=BY_NAME,
        changes={
            "Type": "HOOK",
            "TypeName": GUARD,
            "Arn": GUARD_ARN,
            "MaxResults": 1,
            "NextToken": "x",
            "DeprecatedStatus": "DEPRECATED",
            "PublisherId": "0" * 40,
        },
    ),
    Probe(
        operation="ListTypeRegistrations",
        arrange=registered,
        base={"RegistrationStatusFilter": "COMPLETE"},
        changes={
            "Type": "HOOK",
            "TypeArn": GUARD_ARN,
            "RegistrationStatusFilter": "FAILED",
            "MaxResults": 1,
            "NextToken": "x",
        },
    ),
    Probe(
        operation="ListTypeRegistrations",
        arrange=registered,
        base={"RegistrationStatusFilter": "COMPLETE", "Type": "RESOURCE"},
        changes={"TypeName": "Acme::Store::Other"},
    ),
    named("SetTypeDefaultVersion", VersionId="00000002"),
    Probe(
        operation="SetTypeDefaultVersion",
        arrange=registered,
        base={**BY_NAME, "VersionId": "00000002"},
        look=types,
        changes={"VersionId": "00000001"},
    ),
    named("DeregisterType"),
    Probe(
        operation="DeregisterType",
        arrange=registered,
        base=BY_NAME,
        look=types,
        changes={"VersionId": "00000002"},
    ),
    Probe(
        operation="SetTypeConfiguration",
        arrange=registered,
        base=CONFIGURED,
        look=types,
        changes={
            "Type": "RESOURCE",
            "TypeName": "Acme::Store::Other",
            "TypeArn": arn("resource", THING),
            "Configuration": LENIENT,
            "ConfigurationAlias": "other",
        },
    ),
    Probe(
        operation="BatchDescribeTypeConfigurations",
        arrange=configured,
        base={"TypeConfigurationIdentifiers": [{"Type": "HOOK", "TypeName": GUARD}]},
        changes={
            "TypeConfigurationIdentifiers.Type": "RESOURCE",
            "TypeConfigurationIdentifiers.TypeName": THING,
            "TypeConfigurationIdentifiers.TypeArn": arn("resource", THING),
            "TypeConfigurationIdentifiers.TypeConfigurationAlias": "other",
            "TypeConfigurationIdentifiers.TypeConfigurationArn": configuration_arn,
        },
    ),
    Probe(
        operation="RegisterPublisher",
        base={"AcceptTermsAndConditions": True},
        look=lambda world: world.tried("DescribePublisher"),
        changes={
            "AcceptTermsAndConditions": False,
            "ConnectionArn": "arn:aws:codestar-connections:us-east-1:123456789012:connection/github",
        },
    ),
    Probe(operation="DescribePublisher", arrange=tested, changes={"PublisherId": "0" * 40}),
    Probe(
        operation="TestType",
        arrange=tested,
        base={"Type": "MODULE", "TypeName": SHELF},
        changes={
            "Type": "RESOURCE",
            "TypeName": "Acme::Store::Other::MODULE",
            "Arn": LEDGE_ARN,
            "VersionId": "00000009",
        },
    ),
    Shown(
        operation="TestType",
        members=("LogDeliveryBucket",),
        test="tests/e2e/test_guide_registry.py::test_contract_tests_that_fail_are_told_and_their_logs_delivered",
    ),
    Probe(
        operation="PublishType",
        arrange=tested,
        base={"Type": "MODULE", "TypeName": SHELF},
        changes={
            "Type": "RESOURCE",
            "TypeName": "Acme::Store::Other::MODULE",
            "Arn": LEDGE_ARN,
            "PublicVersionNumber": "3.0.0",
        },
    ),
    Probe(
        operation="ActivateType",
        arrange=published,
        base={
            "Type": "MODULE",
            "TypeName": SHELF,
            "PublisherId": publisher,
            "TypeNameAlias": "Acme::Store::My::MODULE",
        },
        look=types,
        changes={
            "Type": "HOOK",
            "TypeName": "Acme::Store::Other::MODULE",
            "PublisherId": "0" * 40,
            "PublicTypeArn": lambda world: world.saved["public"].replace("Shelf", "Ledge"),
            "TypeNameAlias": "Acme::Store::Your::MODULE",
            "AutoUpdate": False,
            "LoggingConfig": LOG,
            "ExecutionRoleArn": ROLE,
            "MajorVersion": 1,
        },
    ),
    Probe(
        operation="ActivateType",
        arrange=published,
        base={
            "Type": "MODULE",
            "TypeName": SHELF,
            "PublisherId": publisher,
            "TypeNameAlias": "Acme::Store::My::MODULE",
            "LoggingConfig": LOG,
        },
        look=types,
        changes={"LoggingConfig.LogRoleArn": f"{ROLE}2", "LoggingConfig.LogGroupName": "other"},
    ),
    Probe(
        operation="ActivateType",
        arrange=activated,
        base={"Type": "MODULE", "TypeName": SHELF, "PublisherId": publisher, "TypeNameAlias": ALIAS},
        look=types,
        changes={"VersionBump": "MAJOR"},
    ),
    Probe(
        operation="DeactivateType",
        arrange=activated,
        base={"Type": "MODULE", "TypeName": ALIAS},
        look=types,
        changes={
            "Type": "HOOK",
            "TypeName": "Acme::Store::Other::MODULE",
            "Arn": arn("module", LEDGE.replace("Store", "Shop")),
        },
    ),
    Probe(
        operation="RecordHandlerProgress",
        base={"BearerToken": "b", "OperationStatus": "SUCCESS"},
        look=lambda world: world.tried("RecordHandlerProgress", BearerToken="b", OperationStatus="FAILED"),
        changes={"BearerToken": "other", "OperationStatus": "IN_PROGRESS"},
    ),
    Probe(
        operation="RecordHandlerProgress",
        arrange=lambda world: world("RecordHandlerProgress", BearerToken="b", OperationStatus="IN_PROGRESS"),
        base={"BearerToken": "b", "OperationStatus": "SUCCESS"},
        changes={"CurrentOperationStatus": "PENDING"},
    ),
]
