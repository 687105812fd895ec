"""Each handler on its own, against moto in this process."""

import functools
from types import SimpleNamespace

import boto3
import pytest
from acme_config_bundle.failures import CODES
from acme_config_bundle.handlers import create_handler, delete_handler, list_handler, read_handler, update_handler
from acme_config_bundle.models import ResourceHandlerRequest, ResourceModel
from botocore.exceptions import ClientError
from moto import mock_aws

from cloudformation_cli_python_lib import HandlerErrorCode, OperationStatus

BUNDLE = {"BundleName": "checkout", "Content": "retries: 3\n", "Secret": "correct horse battery"}
TEAM, STAGE = {"Key": "team", "Value": "payments"}, {"Key": "stage", "Value": "test"}


def request_for(*, token="token", next_token=None, **properties):
    return ResourceHandlerRequest(
        clientRequestToken=token,
        desiredResourceState=ResourceModel._deserialize(properties),
        previousResourceState=None,
        desiredResourceTags=None,
        previousResourceTags=None,
        systemTags=None,
        previousSystemTags=None,
        awsAccountId="123456789012",
        logicalResourceIdentifier="Resource",
        typeConfiguration=None,
        nextToken=next_token,
        region="eu-west-1",
        awsPartition="aws",
        stackId=None,
    )


class CachedSession:
    """A session that makes each client once: making one takes longer than most calls of it."""

    def __init__(self):
        self.client = functools.cache(boto3.Session(region_name="eu-west-1").client)


@pytest.fixture(scope="module")
def clients():
    return CachedSession()


@pytest.fixture
def session(clients):
    with mock_aws():  # each time an empty AWS
        yield clients


def finish(handler, session, **properties):
    """Call the handler, and again as CloudFormation does, with the model and the context that it returned."""
    token = properties.pop("token", "token")
    event = handler(session, request_for(token=token, **properties), {})
    while event.status is OperationStatus.IN_PROGRESS:
        assert "Secret" not in event.resourceModel._serialize()
        event = handler(session, request_for(token=token, **event.resourceModel._serialize()), event.callbackContext)
    return event


def test_a_bundle_is_a_document_and_a_secret(session):
    made = finish(create_handler, session, **BUNDLE, Tags=[TEAM])
    assert made.status is OperationStatus.SUCCESS
    model = made.resourceModel._serialize()
    assert (model["Content"], model["ContentType"], model["Tags"]) == ("retries: 3\n", "text/plain", [TEAM])
    bucket, _, key = model["Location"].removeprefix("s3://").partition("/")
    assert session.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read() == b"retries: 3\n"
    name = model["Arn"].partition(":parameter")[2]
    kept = session.client("ssm").get_parameter(Name=name, WithDecryption=True)["Parameter"]
    assert (kept["Type"], kept["Value"]) == ("SecureString", "correct horse battery")
    by_arn = read_handler(session, request_for(Arn=model["Arn"]), {})
    assert by_arn.resourceModel == made.resourceModel


def test_a_create_that_is_sent_twice_is_one_bundle_and_somebody_elses_is_refused(session):
    first, again = (finish(create_handler, session, **BUNDLE) for _ in range(2))
    assert first.resourceModel == again.resourceModel
    other = finish(create_handler, session, token="other", **BUNDLE)
    assert (other.errorCode, other.resourceModel.Secret) == (HandlerErrorCode.AlreadyExists, None)


def test_an_update_replaces_and_what_is_for_good_is_not_updatable(session):
    finish(create_handler, session, **BUNDLE, ContentType="application/yaml", Tags=[TEAM])
    changed = finish(update_handler, session, **{**BUNDLE, "Content": "{}"}, Tags=[STAGE])
    model = changed.resourceModel._serialize()
    assert (model["Content"], model["ContentType"], model["Tags"]) == ("{}", "text/plain", [STAGE])
    refused = finish(update_handler, session, **BUNDLE, StorageClass="STANDARD_IA")
    assert refused.errorCode is HandlerErrorCode.NotUpdatable


def test_pages_and_what_is_gone(session):
    for name in ("a", "b", "c"):
        finish(create_handler, session, **{**BUNDLE, "BundleName": name}, token=name)
    first = list_handler(session, request_for(), {})
    rest = list_handler(session, request_for(next_token=first.nextToken), {})
    assert sorted(each.BundleName for each in [*first.resourceModels, *rest.resourceModels]) == ["a", "b", "c"]
    assert rest.nextToken is None
    deleted = delete_handler(session, request_for(BundleName="a"), {})
    assert (deleted.status, deleted.resourceModel) == (OperationStatus.SUCCESS, None)
    for handler in (read_handler, update_handler, delete_handler):
        assert handler(session, request_for(BundleName="a"), {}).errorCode is HandlerErrorCode.NotFound


class FailingSession:
    """A session whose every call fails with the service's error code."""

    def __init__(self, code, status):
        self.error = {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": status}}

    def client(self, name):
        unheard = type("Unheard", (Exception,), {})
        exceptions = SimpleNamespace(ParameterAlreadyExists=unheard, ParameterNotFound=unheard)
        calls = dict.fromkeys(("get_parameter", "get_parameters_by_path", "put_parameter"), self.fail)
        return SimpleNamespace(exceptions=exceptions, **calls)

    def fail(self, **arguments):
        raise ClientError(self.error, "Any")


@pytest.mark.parametrize(("code", "meaning"), [*CODES.items(), ("Unheard", HandlerErrorCode.GeneralServiceException)])
def test_the_services_errors_are_told_apart(code, meaning):
    for handler in (create_handler, read_handler, list_handler):
        assert handler(FailingSession(code, 400), request_for(**BUNDLE), {}).errorCode is meaning


def test_a_failure_of_the_service_is_worth_another_try_and_no_role_is_not(session):
    failed = read_handler(FailingSession("Unheard", 503), request_for(BundleName="a"), {})
    assert failed.errorCode is HandlerErrorCode.ServiceInternalError
    assert read_handler(None, request_for(BundleName="a"), {}).errorCode is HandlerErrorCode.InvalidCredentials


def test_a_document_that_cannot_be_written_leaves_no_name_taken(session):
    s3 = session.client("s3")

    class NoWriting:
        exceptions = s3.exceptions

        def put_object(self, **arguments):
            raise ClientError({"Error": {"Code": "SlowDown", "Message": "no"}}, "PutObject")

        def __getattr__(self, name):
            return getattr(s3, name)

    class Session:
        def client(self, name):
            return NoWriting() if name == "s3" else session.client(name)

    refused = create_handler(Session(), request_for(**BUNDLE), {})
    assert refused.errorCode is HandlerErrorCode.Throttling
    assert finish(create_handler, session, token="other", **BUNDLE).status is OperationStatus.SUCCESS
