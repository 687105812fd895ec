"""Names that say that a value is a secret: every word of the list, what only looks like one, and real schemas."""

import json

import pytest
from bench.corpora import provider_schemas

from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked
from formwork.schema.rules import readable_secret
from formwork.schema.secret_names import HARMLESS, SECRET_WORDS, names_a_secret
from formwork.schema.view import SchemaView

# What the rule finds in AWS's own schemas, looked at one by one.
REVIEWED = {
    # Secrets that their types return, or whose schemas do not say that they don't.
    ("AWS::CodeStar::GitHubRepository", "RepositoryAccessToken"),
    ("AWS::DataSync::LocationObjectStorage", "AccessKey"),
    ("AWS::DocDB::DBCluster", "MasterUserPassword"),
    ("AWS::Lambda::Permission", "EventSourceToken"),
    ("AWS::Pinpoint::ADMChannel", "ClientSecret"),
    ("AWS::Pinpoint::APNSChannel", "PrivateKey"),
    ("AWS::Pinpoint::APNSSandboxChannel", "PrivateKey"),
    ("AWS::Pinpoint::APNSVoipChannel", "PrivateKey"),
    ("AWS::Pinpoint::APNSVoipSandboxChannel", "PrivateKey"),
    ("AWS::Pinpoint::BaiduChannel", "ApiKey"),
    ("AWS::Pinpoint::BaiduChannel", "SecretKey"),
    ("AWS::Pinpoint::GCMChannel", "ApiKey"),
    # False alarms: the ARN of a role, of a secret, and a host's name.
    ("AWS::ApiGateway::Authorizer", "AuthorizerCredentials"),
    ("AWS::EC2::SqlHaStandbyDetectedInstance", "SqlServerCredentials"),
    ("AWS::WorkSpaces::ConnectionAlias", "ConnectionString"),
}


@pytest.mark.parametrize("word", SECRET_WORDS)
def test_every_word(word):
    assert names_a_secret(word.capitalize())
    assert names_a_secret(f"Admin{word.capitalize()}Value")
    assert names_a_secret(f"admin_{word}")
    assert not names_a_secret(f"{word.capitalize()}Length")


@pytest.mark.parametrize(
    "name", ["Token", "ApiToken", "AccessToken", "BearerToken", "ConnectionString", "ClientSecret", "DBPassword"]
)
def test_names_of_secrets(name):
    assert names_a_secret(name)


@pytest.mark.parametrize(
    "name", [*HARMLESS, "NextToken", "ClientToken", "TokenValidityUnits", "SecretArn", "TokenType", "PasswordPolicy"]
)
def test_names_of_other_things(name):
    assert not names_a_secret(name)


def test_awss_own_schemas_are_told_of_what_was_reviewed_and_nothing_else():
    found = set()
    for name, text in provider_schemas():
        value = json.loads(text)
        if any(map(names_a_secret, value.get("properties", {}))):
            checked = Checked(None, ExtensionKind.RESOURCE, value, SchemaView(value), [])
            found |= {(name, problem.path[-1]) for problem in readable_secret.check(checked)}
    assert found == REVIEWED
