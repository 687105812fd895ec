"""Type configurations: checked against the schema, kept as written, secrets masked when told."""

import json

import pytest

from formwork.extensions import ExtensionKind
from formwork.registry.errors import RegistryError
from formwork.registry.requests import ConfigurationReference, SetTypeConfigurationRequest, TypeReference
from support.registry import ELSEWHERE, GUARD, HERE, SHELF, THING, by_name, resource_package, resource_schema

CONFIGURATION = {
    "type": "object",
    "properties": {
        "Endpoint": {"type": "string", "pattern": "^https:"},
        "Retries": {"type": "integer"},
        "Credentials": {"$ref": "#/definitions/Credentials"},
    },
    "required": ["Endpoint"],
    "additionalProperties": False,
}
CREDENTIALS = {
    "type": "object",
    "properties": {"ApiKey": {"type": "string"}, "ApiToken": {"type": "string"}, "User": {"type": "string"}},
    "additionalProperties": False,
}


@pytest.fixture
def stocked(desk):
    typed = {key: each for key, each in CONFIGURATION.items() if key != "type"}
    schema = resource_schema(typeConfiguration=typed, definitions={"Credentials": CREDENTIALS})
    desk.register(content=resource_package(schema=schema))
    desk.register(GUARD)
    desk.register(SHELF)
    return desk


def put(desk, value, name=THING, alias=None, scope=HERE):
    text = value if isinstance(value, str) else json.dumps(value)
    request = SetTypeConfigurationRequest(type=by_name(name), configuration=text, alias=alias)
    return desk.registry.set_type_configuration(scope, request)


def get(desk, *references, scope=HERE):
    return desk.registry.describe_type_configurations(scope, list(references))


def hook(**more):
    return {"CloudFormationConfiguration": {"HookConfiguration": {"TargetStacks": "ALL", "FailureMode": "FAIL"} | more}}


def test_a_configuration_is_kept_by_type(stocked):
    arn = put(stocked, {"Endpoint": "https://one"})
    assert arn == ("arn:aws:cloudformation:us-east-1:111111111111:type-configuration/resource/Acme-Store-Thing/default")
    put(stocked, {"Endpoint": "https://two"})
    put(stocked, {"Endpoint": "https://other"}, alias="other")
    (found, other), failures = get(
        stocked, ConfigurationReference(type=by_name()), ConfigurationReference(type=by_name(), alias="other")
    )
    assert failures == []
    assert (found.arn, found.alias, json.loads(found.content)) == (arn, "default", {"Endpoint": "https://two"})
    assert (found.name, found.is_default, other.is_default) == (THING, True, False)
    assert json.loads(other.content) == {"Endpoint": "https://other"}
    assert stocked.registry.expect_type(HERE, THING, ExtensionKind.RESOURCE).configuration == {
        "Endpoint": "https://two"
    }


def test_by_arns_aws_leaves_names_out(stocked):
    arn = put(stocked, hook(), GUARD)
    type_arn = "arn:aws:cloudformation:us-east-1:111111111111:type/hook/Acme-Store-Guard"
    (by_type, by_arn), _ = get(
        stocked,
        ConfigurationReference(type=TypeReference(arn=type_arn)),
        ConfigurationReference(type=TypeReference(), arn=arn),
    )
    assert (by_type.type_arn, by_type.name, by_type.is_default) == (type_arn, None, None)
    assert by_arn == by_type


def test_what_is_not_set_is_empty_and_what_is_not_there_is_an_error(stocked):
    nobody = by_name("Acme::Store::Nobody")
    arn = "arn:aws:cloudformation:us-east-1:111111111111:type-configuration/hook/Acme-Store-Nobody/default"
    found, failures = get(
        stocked,
        ConfigurationReference(type=by_name()),
        ConfigurationReference(type=nobody),
        ConfigurationReference(type=TypeReference(), arn=arn),
        ConfigurationReference(type=by_name(), alias="none"),
    )
    assert [(each.content, each.updated) for each in found] == [("{}", None)]
    assert [(each.index, each.code) for each in failures] == [
        (1, "TypeNotFoundException"),
        (2, "TypeConfigurationNotFoundException"),
        (3, "TypeConfigurationNotFoundException"),
    ]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"Endpoint": "http://topsecret"}, "model.malformed"),
        ({"Endpoint": "https://x", "Topsecret": 1}, "model.undeclared-property"),
        ({"Retries": 1}, "model.missing-property"),
        ({"Endpoint": "https://x", "Retries": "topsecret"}, "model.wrong-type"),
        ({"Endpoint": "https://x", "Retries": "{{resolve:nowhere:x}}"}, "model.dynamic-reference"),
        ("[1", "not a JSON document"),
    ],
)
def test_what_does_not_match_is_refused_without_its_values(stocked, value, told):
    with pytest.raises(RegistryError) as refused:
        put(stocked, value)
    assert refused.value.code == "CFNRegistryException"
    assert told in refused.value.message
    assert "topsecret" not in refused.value.message
    (found,), _ = get(stocked, ConfigurationReference(type=by_name()))
    assert found.content == "{}"


@pytest.mark.parametrize("value", ["plain", "{{resolve:ssm}}", "{{resolve:ssm:a b}}"])
def test_the_guides_pattern_takes_references_alone(desk, value):
    pattern = {"type": "string", "pattern": "{{resolve:.*:[a-zA-Z0-9_-./]+}}"}
    schema = resource_schema(
        definitions={"Credentials": {"type": "object", "properties": {"ApiKey": pattern}}},
        typeConfiguration={
            "properties": {"ServiceCredentials": {"$ref": "#/definitions/Credentials"}},
            "additionalProperties": False,
        },
    )
    desk.register(content=resource_package(schema=schema))
    with pytest.raises(RegistryError, match="Configuration does not match"):
        put(desk, {"ServiceCredentials": {"ApiKey": value}})
    put(desk, {"ServiceCredentials": {"ApiKey": "{{resolve:secretsmanager:key-1:SecretString:api}}"}})


def test_dynamic_references_are_judged_as_they_are_written(stocked):
    for value in (
        {"Endpoint": "{{resolve:ssm:endpoint:1}}"},
        {"Endpoint": "https://x", "Retries": "{{resolve:ssm:r}}"},
    ):
        with pytest.raises(RegistryError, match="Configuration does not match"):
            put(stocked, value)
    value = {
        "Endpoint": "https://{{resolve:ssm:endpoint:1}}",
        "Credentials": {"ApiKey": "{{resolve:secretsmanager:key:SecretString:api}}"},
    }
    put(stocked, value)
    (found,), _ = get(stocked, ConfigurationReference(type=by_name()))
    assert json.loads(found.content) == value
    assert stocked.registry.expect_type(HERE, THING, ExtensionKind.RESOURCE).configuration == value


def test_secrets_are_masked_when_they_are_told_and_kept_for_handlers(stocked):
    value = {
        "Endpoint": "https://x",
        "Credentials": {"ApiKey": "canary-0123456789", "ApiToken": "canary-token", "User": "me"},
    }
    put(stocked, value)
    (found,), _ = get(stocked, ConfigurationReference(type=by_name()))
    assert "canary" not in found.content
    assert json.loads(found.content)["Credentials"]["User"] == "me"
    assert stocked.registry.expect_type(HERE, THING, ExtensionKind.RESOURCE).configuration == value


@pytest.mark.parametrize(
    "value",
    [
        {"Strict": False},
        {"CloudFormationConfiguration": {}},
        {"CloudFormationConfiguration": {"HookConfiguration": {"FailureMode": "FAIL"}}},
        {"CloudFormationConfiguration": {"HookConfiguration": {"TargetStacks": "ALL"}}},
        hook(TargetStacks="SOME"),
        hook(Properties={"Strict": "very"}),
        hook(More=1),
    ],
)
def test_a_hooks_configuration_says_when_it_is_called(stocked, value):
    with pytest.raises(RegistryError, match="Configuration does not match"):
        put(stocked, value, GUARD)


@pytest.mark.parametrize(
    "value",
    [
        hook(),
        hook(Properties={"Strict": False}),
        hook(TargetStacks="NONE", FailureMode="WARN"),
        {"CloudFormationConfiguration": {"HookConfiguration": {"HookInvocationStatus": "ENABLED"}}},
    ],
)
def test_hooks_that_are_configured_are_found_by_the_engine(stocked, value):
    put(stocked, value, GUARD)
    (found,) = stocked.registry.list_hooks(HERE)
    assert (found.name, found.configuration) == (GUARD, value)
    assert stocked.registry.list_hooks(ELSEWHERE) == []


def test_what_cannot_be_configured(stocked):
    with pytest.raises(RegistryError, match="Modules have no configuration"):
        put(stocked, {}, SHELF)
    with pytest.raises(RegistryError, match="one configuration"):
        put(stocked, hook(), GUARD, alias="other")
    with pytest.raises(RegistryError, match="cannot be found"):
        put(stocked, hook(), GUARD, scope=ELSEWHERE)
    version = TypeReference(arn="arn:aws:cloudformation:us-east-1:111111111111:type/hook/Acme-Store-Guard/00000001")
    with pytest.raises(RegistryError, match="not for a version"):
        stocked.registry.set_type_configuration(
            HERE, SetTypeConfigurationRequest(type=version, configuration=json.dumps(hook()))
        )


def test_a_configuration_goes_with_its_type(stocked):
    put(stocked, hook(), GUARD)
    stocked.registry.deregister_type(HERE, by_name(GUARD))
    stocked.register(GUARD)
    (found,), _ = get(stocked, ConfigurationReference(type=by_name(GUARD)))
    assert found.content == "{}"
    put(stocked, hook(), GUARD)
    stocked.registry.remove_type_configuration(HERE, by_name(GUARD))
    (found,), _ = get(stocked, ConfigurationReference(type=by_name(GUARD)))
    assert found.content == "{}"
