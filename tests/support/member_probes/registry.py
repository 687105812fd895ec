"""Probes of the registry's operations."""

from support.registry import GUARD, ROLE, THING, hook_package, resource_package, resource_schema

OTHER = THING.replace("Thing", "Other")
LOG = {"LogRoleArn": ROLE, "LogGroupName": "group"}
REGISTRY_TESTS = "tests/unit/registry"


def package(content):
    """A function that puts a package into the account's bucket and returns its URL."""

    def put(world):
        bucket = f"packages-{world.account}"
        world.service.parts.objects.create_bucket(bucket, account=world.account, region=world.region)
        return world.service.put_for(world.account, bucket, "package.zip", content)

    return put


thing, guard = package(resource_package(THING)), package(hook_package(GUARD))


def registered(world):
    """Arrange a type with two versions and a hook."""
    request = {"Type": "RESOURCE", "TypeName": THING, "SchemaHandlerPackage": thing(world)}
    world.saved["token"] = world("RegisterType", **request, ClientRequestToken="t")["RegistrationToken"]
    again = package(resource_package(THING, schema={**resource_schema(), "description": "Another."}))(world)
    world("RegisterType", Type="RESOURCE", TypeName=THING, SchemaHandlerPackage=again)
    world("RegisterType", Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=guard(world))


def arn(world):
    """The type's ARN."""
    return f"arn:aws:cloudformation:{world.region}:{world.account}:type/resource/{THING.replace('::', '-')}"


def types(world):
    """What there is of types."""
    found = world("ListTypes")["TypeSummaries"]
    described = [world("DescribeType", Arn=each["TypeArn"]) for each in found]
    versions = [world.tried("ListTypeVersions", Arn=each["TypeArn"]) for each in found]
    return described, versions
