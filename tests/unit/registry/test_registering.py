import json

import pytest

from formwork.extensions import ExtensionKind
from formwork.registry.errors import RegistryError
from formwork.registry.requests import (
    DescribeTypeRequest,
    ListTypeRegistrationsRequest,
    LoggingConfig,
    RegisterTypeRequest,
    TypeReference,
)
from formwork.registry.rules import check_name, is_tested_at_registration
from formwork.schema.rules.reserved_organization import reserved_from
from support.registry import (
    ELSEWHERE,
    GUARD,
    HANDLERS,
    HERE,
    ROLE,
    SHELF,
    STRANGER,
    THING,
    by_name,
    config,
    hook_schema,
    module_package,
    resource_package,
    resource_schema,
    zipped,
)

ARN = "arn:aws:cloudformation:us-east-1:111111111111:type/resource/Acme-Store-Thing"


def describe(desk, name=THING, *, scope=HERE, version=None, arn=None):
    reference = TypeReference(arn=arn) if arn else by_name(name, version)
    return desk.registry.describe_type(scope, DescribeTypeRequest(type=reference))


def test_first_version_becomes_the_default_one_and_later_ones_do_not(desk):
    assert desk.register() == f"{ARN}/00000001"
    assert desk.register() == f"{ARN}/00000002"
    found = describe(desk)
    assert (found.arn, found.default_version, found.is_default) == (f"{ARN}/00000001", "00000001", True)
    assert describe(desk, version="00000002").is_default is False
    assert describe(desk, arn=f"{ARN}/00000002").arn == f"{ARN}/00000002"
    assert describe(desk, arn=ARN).arn == f"{ARN}/00000001"


def test_what_is_told_of_a_resource_type(desk):
    desk.register(execution_role_arn=ROLE, logging=LoggingConfig(ROLE, "acme-store-thing-logs"))
    found = describe(desk)
    assert found.kind is ExtensionKind.RESOURCE
    assert found.visibility == "PRIVATE"
    assert found.status == "LIVE"
    assert found.provisioning == "FULLY_MUTABLE"
    assert found.description == "A thing in a store."
    assert found.source_url == "https://example.com/thing.git"
    assert found.execution_role_arn == ROLE
    assert found.logging == LoggingConfig(ROLE, "acme-store-thing-logs")
    assert json.loads(found.schema)["typeName"] == THING
    assert found.configuration_schema is None
    assert found.tests_status is None
    assert describe(desk, version="00000001").tests_status == "NOT_TESTED"


@pytest.mark.parametrize(
    ("handlers", "provisioning"),
    [
        (("create", "read", "update", "delete"), "FULLY_MUTABLE"),
        (("create", "read", "delete"), "IMMUTABLE"),
        (("create", "delete", "update"), "NON_PROVISIONABLE"),
    ],
)
def test_handlers_say_how_a_type_is_provisioned(desk, handlers, provisioning):
    desk.register(content=resource_package(schema=resource_schema(handlers=handlers)))
    assert describe(desk).provisioning == provisioning


def test_a_hook_shows_its_configuration_in_the_services_own(desk):
    desk.register(GUARD)
    found = describe(desk, GUARD)
    schema = json.loads(found.configuration_schema)
    hook = schema["properties"]["CloudFormationConfiguration"]["properties"]["HookConfiguration"]
    assert schema["$id"].startswith("https://schema.cloudformation.us-east-1.amazonaws.com/")
    assert hook["required"] == ["TargetStacks", "FailureMode"]
    assert hook["properties"]["Properties"]["properties"] == hook_schema()["typeConfiguration"]["properties"]
    assert found.provisioning is None


def test_a_module_has_neither_provisioning_nor_configuration(desk):
    arn = desk.register(SHELF)
    found = describe(desk, SHELF)
    assert arn.endswith("type/module/Acme-Store-Shelf-MODULE/00000001")
    assert (found.provisioning, found.configuration_schema) == (None, None)


def test_a_type_is_there_once_its_registration_is_complete(desk):
    desk.work.hold()
    token = desk.submit(resource_package(), THING, ExtensionKind.RESOURCE)
    status = desk.registry.describe_type_registration(HERE, token)
    assert (status.status, status.type_arn, status.version_arn) == ("IN_PROGRESS", ARN, f"{ARN}/00000001")
    with pytest.raises(RegistryError, match=r"^The type 'Acme::Store::Thing' cannot be found\.$") as refused:
        describe(desk)
    assert (refused.value.code, refused.value.http_status) == ("TypeNotFoundException", 404)
    listed = desk.registry.list_type_registrations(HERE, ListTypeRegistrationsRequest(type=by_name()))
    assert listed.items == (token,)
    desk.work.release()
    assert desk.registry.describe_type_registration(HERE, token).status == "COMPLETE"
    assert not desk.registry.list_type_registrations(HERE, ListTypeRegistrationsRequest(type=by_name())).items
    assert describe(desk)


def test_the_same_client_token_is_the_same_registration(desk):
    url = desk.storage.put(resource_package())
    request = RegisterTypeRequest(type_name=THING, package_url=url, client_token="once")
    token = desk.registry.register_type(HERE, request)
    assert desk.registry.register_type(HERE, request) == token
    assert desk.registry.register_type(STRANGER, request) != token
    assert desk.registry.register_type(ELSEWHERE, request) != token
    other = RegisterTypeRequest(type_name=THING, package_url=url, client_token="once", execution_role_arn=ROLE)
    with pytest.raises(RegistryError, match="was used with other parameters"):
        desk.registry.register_type(HERE, other)
    assert desk.register().endswith("/00000002")


def test_accounts_and_regions_are_kept_apart(desk):
    desk.register()
    token = desk.submit(resource_package(), THING, ExtensionKind.RESOURCE)
    for scope in (STRANGER, ELSEWHERE):
        with pytest.raises(RegistryError, match="cannot be found"):
            describe(desk, scope=scope)
        with pytest.raises(RegistryError, match="cannot be found"):
            describe(desk, scope=scope, arn=ARN)
        with pytest.raises(RegistryError, match="No registration token matches"):
            desk.registry.describe_type_registration(scope, token)


def test_a_config_without_language_and_type_name_is_registered(desk):
    for kind, content in (
        (ExtensionKind.RESOURCE, resource_package(files={".rpdk-config": bare_config(ExtensionKind.RESOURCE)})),
        (ExtensionKind.MODULE, module_package(files={".rpdk-config": bare_config(ExtensionKind.MODULE)})),
    ):
        name = SHELF if kind is ExtensionKind.MODULE else THING
        desk.register(name, content=content)
        assert desk.registry.expect_type(HERE, name, kind).load_config().type_name == name
        assert describe(desk, name).required_types == ()


def bare_config(kind):
    value = json.loads(json.dumps(config(THING, kind)))
    return json.dumps({key: each for key, each in value.items() if key not in ("language", "typeName")})


def test_handlers_that_the_config_names_need_not_be_named_after_the_type(desk):
    provider = zipped({"code/__init__.py": "", "code/main.py": HANDLERS})
    entry = {"entrypoint": "code.main.resource", "testEntrypoint": "code.main.resource"}
    desk.register(content=resource_package(files={"ResourceProvider.zip": provider}, config_more=entry))


def test_amazon_s_organizations_are_registered_and_the_schema_rule_says_the_same(desk):
    for organization in ("Amazon", "AMZN", "Alexa", "AWS", "AWSQuickStart"):
        name = f"{organization}::Store::Thing"
        assert reserved_from(name) == "published"
        assert is_tested_at_registration(name)
        check_name(name, ExtensionKind.RESOURCE)
    for organization in ("ASK", "Custom", "Dev"):
        assert reserved_from(f"{organization}::Store::Thing") == "registered"


@pytest.mark.parametrize("name", ["Custom::Store::Thing", "Dev::Store::Thing", "ask::Store::Thing"])
def test_reserved_organizations_are_refused_at_once(desk, name):
    with pytest.raises(RegistryError, match="is reserved"):
        desk.submit(b"", name, ExtensionKind.RESOURCE)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("Acme::Store::Thing::MODULE", ExtensionKind.RESOURCE), (THING, ExtensionKind.MODULE), ("Acme", None)],
)
def test_names_of_another_kind_are_refused_at_once(desk, name, kind):
    with pytest.raises(RegistryError) as refused:
        desk.submit(b"", name, kind)
    assert refused.value.code == "ValidationError"


def test_a_failed_registration_tells_every_reason_and_takes_its_number_along(desk):
    schema = resource_schema("Acme::Store::Another") | {"primaryIdentifier": ["/properties/No"]}
    config = {"typeName": "Acme::Store::Other"}
    text = desk.refuse(resource_package(schema=schema, config_more=config))
    first, second, *reasons = text.splitlines()
    assert first == (
        "Deployment is currently in VALIDATION_STAGE of status FAILED; Next is DEPLOY_STAGE with status CANCELLED"
    )
    assert second.startswith("Deployment failed with 3 errors")
    assert [each.partition(":")[0] for each in reasons] == [
        "package.type-name",
        "package.type-name",
        "schema.pointer-not-found",
    ]
    assert "schema.json:1:" in reasons[1]
    with pytest.raises(RegistryError, match="cannot be found"):
        describe(desk)
    assert desk.register().endswith("/00000002")
    assert describe(desk).default_version == "00000002"


def test_a_package_that_cannot_be_fetched_says_so(desk):
    request = RegisterTypeRequest(type_name=THING, package_url="s3://nowhere/no.zip")
    status = desk.registry.describe_type_registration(HERE, desk.registry.register_type(HERE, request))
    assert status.status == "FAILED"
    assert "there is no s3://nowhere/no.zip" in status.description


def test_quotas_are_remarked_on(desk):
    for _ in range(50):
        desk.register()
    token = desk.submit(resource_package(), THING, ExtensionKind.RESOURCE)
    status = desk.registry.describe_type_registration(HERE, token)
    assert status.status == "COMPLETE"
    assert "has 50 versions, and AWS allows 50" in status.description


def test_strict_quotas_refuse(open_a_desk):
    desk = open_a_desk(strict_quotas=True)
    for _ in range(50):
        desk.register()
    with pytest.raises(RegistryError, match="AWS allows 50"):
        desk.register()
    for number in range(49):
        desk.register(f"Acme::Store::Thing{number}")
    with pytest.raises(RegistryError, match="50 other types of kind RESOURCE"):
        desk.register("Acme::Store::OneMore")
    desk.register(SHELF)
