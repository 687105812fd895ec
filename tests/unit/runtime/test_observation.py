"""The provider's log and metrics: delivered, redacted, and never in a request's way."""

import logging

import pytest

from cloudformation_cli_python_lib import (
    Action,
    Hook,
    HookInvocationPoint,
    OperationStatus,
    ProgressEvent,
    Resource,
    boto3_proxy,
)
from cloudformation_cli_python_lib.log_delivery import ProviderLogHandler

from .request_samples import SECRETS, hook_request, observed, resource_request
from .sample_models import ResourceModel

LOG = logging.getLogger("acme_store_thing.handlers")


class Missing(Exception):
    pass


class Exists(Exception):
    pass


class Cloud:
    """CloudWatch and its logs, as a stand-in for the process's boto3 session."""

    class exceptions:
        ResourceNotFoundException = Missing
        ResourceAlreadyExistsException = Exists

    def __init__(self, *, groups=("provider-log",), failing=()):
        self.groups = {group: {} for group in groups}
        self.metrics = []
        self.calls = []
        self.failing = set(failing)
        self.clients = []

    def client(self, service, region_name=None, **options):
        self.clients.append((service, region_name, options["aws_access_key_id"]))
        return self

    def _enter(self, name):
        self.calls.append(name)
        if name in self.failing:
            raise OSError("no network")

    def put_log_events(self, logGroupName, logStreamName, logEvents):
        self._enter("put_log_events")
        logging.getLogger("botocore").info("a record that sending itself causes")
        if logStreamName not in self.groups.get(logGroupName, {}):
            raise Missing
        assert [event["timestamp"] for event in logEvents] == sorted(event["timestamp"] for event in logEvents)
        self.groups[logGroupName][logStreamName] += [event["message"] for event in logEvents]

    def create_log_group(self, logGroupName):
        self._enter("create_log_group")
        if logGroupName in self.groups:
            raise Exists
        self.groups[logGroupName] = {}

    def create_log_stream(self, logGroupName, logStreamName):
        self._enter("create_log_stream")
        if logStreamName in self.groups[logGroupName]:
            raise Exists
        self.groups[logGroupName][logStreamName] = []

    def put_metric_data(self, Namespace, MetricData):
        self._enter("put_metric_data")
        self.metrics += [(Namespace, datum) for datum in MetricData]


@pytest.fixture
def cloud(monkeypatch):
    def install(**options):
        created = Cloud(**options)
        monkeypatch.setattr(boto3_proxy, "_shared_session", lambda: created)
        return created

    level = logging.getLogger().level
    logging.getLogger().setLevel(logging.INFO)
    yield install
    logging.getLogger().setLevel(level)


def make_resource(handle, **options):
    resource = Resource("Acme::Store::Thing", ResourceModel, **options)
    resource.handler(Action.CREATE)(handle)
    return resource


def succeed(*_arguments):
    LOG.info("creating %s", "it")
    LOG.info("done")
    return ProgressEvent(OperationStatus.SUCCESS)


def test_without_the_providers_credentials_nothing_is_delivered(cloud):
    aws = cloud()
    assert make_resource(succeed)(resource_request(), None)["status"] == "SUCCESS"
    assert aws.calls == []


def test_the_log_goes_to_a_stream_of_the_resource_in_one_call(cloud):
    aws = cloud(groups=())
    make_resource(succeed)(observed(resource_request()), None)
    stream = "arn__aws__cloudformation__eu-west-1__123456789012__stack/sample/9f6f7b0e/MyThing"
    assert aws.groups == {"provider-log": {stream: ["creating it", "done"]}}
    assert aws.calls.count("put_log_events") == 2, "once before the group was made, once after"
    assert {region for _, region, _ in aws.clients} == {"eu-west-1"}
    assert {key for _, _, key in aws.clients} == {"AKIDPROVIDER00000000"}


def test_each_request_has_its_own_stream(cloud):
    aws = cloud()
    resource = make_resource(succeed)
    resource(observed(resource_request()), None)
    resource(observed(resource_request(data={"logicalResourceId": "Other"})), None)
    resource(observed(resource_request(stackId=None)), None)
    streams = [name.rpartition("/")[2] for name in aws.groups["provider-log"]]
    assert streams == ["MyThing", "Other", "123456789012-eu-west-1"]
    assert all(messages == ["creating it", "done"] for messages in aws.groups["provider-log"].values())


def test_no_handler_is_left_behind(cloud):
    cloud()
    before = list(logging.getLogger().handlers)
    make_resource(succeed)(observed(resource_request()), None)
    assert logging.getLogger().handlers == before
    assert all(not handler.filters for handler in before)


def test_the_platforms_log_does_not_show_the_providers_records(cloud, caplog):
    cloud()
    root = logging.getLogger()
    seen = []

    class Platform(logging.Handler):
        def emit(self, record):
            seen.append(record.name)

    platform = Platform()
    root.handlers.insert(0, platform)
    try:

        def handle(*_arguments):
            LOG.info("the provider's")
            logging.getLogger("acme_store_thingummy").info("another package's")
            return ProgressEvent(OperationStatus.SUCCESS)

        make_resource(handle)(observed(resource_request()), None)
    finally:
        root.removeHandler(platform)
    assert set(seen) == {"acme_store_thingummy", "botocore"}


def test_the_format_is_the_authors(cloud):
    aws = cloud()
    make_resource(succeed, log_format=logging.Formatter("%(levelname)s %(message)s"))(
        observed(resource_request()), None
    )
    assert ["INFO creating it", "INFO done"] in aws.groups["provider-log"].values()


def test_credentials_and_the_bearer_token_are_masked(cloud):
    aws = cloud()

    def handle(_session, request, _context):
        from urllib.parse import quote

        for secret in SECRETS:
            LOG.info("signing with %s and %s", secret, quote(secret, safe=""))
        LOG.info("token %s", request.clientRequestToken)
        raise RuntimeError(f"no {SECRETS[1]} in {SECRETS[2]}")

    response = make_resource(handle)(observed(resource_request()), None)
    (delivered,) = aws.groups["provider-log"].values()
    text = "\n".join([*delivered, str(response), str(aws.metrics)])
    assert "signing with ******** and ********" in text
    assert "token ********" in text
    assert "no ******** in ******** (RuntimeError)" in response["message"]
    assert "Traceback" in text
    assert "canary" not in text


def test_metrics_go_out_in_one_call(cloud):
    aws = cloud()
    make_resource(succeed)(observed(resource_request(), group=None), None)
    assert aws.calls == ["put_metric_data"]
    assert [datum["MetricName"] for _, datum in aws.metrics] == ["HandlerInvocationCount", "HandlerInvocationDuration"]
    namespace, count = aws.metrics[0]
    assert namespace == "AWS/CloudFormation/Acme/Store/Thing"
    assert count["Dimensions"] == [
        {"Name": "DimensionKeyActionType", "Value": "CREATE"},
        {"Name": "DimensionKeyResourceType", "Value": "Acme::Store::Thing"},
    ]
    assert (count["Unit"], count["Value"]) == ("Count", 1.0)
    assert aws.metrics[1][1]["Unit"] == "Milliseconds"


def test_exceptions_are_counted_by_class(cloud):
    aws = cloud()

    def handle(*_arguments):
        raise KeyError("k")

    make_resource(handle)(observed(resource_request(), group=None), None)
    datum = aws.metrics[-1][1]
    assert datum["MetricName"] == "HandlerException"
    assert {"Name": "DimensionKeyExceptionType", "Value": "<class 'KeyError'>"} in datum["Dimensions"]


@pytest.mark.parametrize("failing", ["put_log_events", "create_log_group", "create_log_stream", "put_metric_data"])
def test_a_failing_delivery_never_fails_the_request(cloud, failing):
    cloud(groups=(), failing=[failing])
    assert make_resource(succeed)(observed(resource_request()), None)["status"] == "SUCCESS"


@pytest.mark.parametrize("credentials", ["AYADeK", {"accessKeyId": "a"}, 5])
def test_provider_credentials_that_cannot_be_read_never_fail_the_request(cloud, credentials):
    aws = cloud()
    request = observed(resource_request())
    request["requestData"]["providerCredentials"] = credentials
    assert make_resource(succeed)(request, None)["status"] == "SUCCESS"
    assert aws.calls == []


def test_a_failing_delivery_is_tried_once_and_counted(cloud):
    aws = cloud(failing=["put_log_events"])

    def handle(*_arguments):
        for _ in range(5):
            LOG.error("at once")
        return ProgressEvent(OperationStatus.SUCCESS)

    make_resource(handle)(observed(resource_request()), None)
    assert aws.calls.count("put_log_events") == 1
    dimensions = [datum["Dimensions"] for _, datum in aws.metrics if datum["MetricName"] == "HandlerException"]
    assert dimensions[0][0] == {"Name": "DimensionKeyActionType", "Value": "ProviderLogDelivery"}


def test_errors_are_sent_at_once(cloud):
    aws = cloud()

    def handle(*_arguments):
        LOG.error("broken")
        assert "put_log_events" in aws.calls
        return ProgressEvent(OperationStatus.SUCCESS)

    assert make_resource(handle)(observed(resource_request()), None)["status"] == "SUCCESS"


def test_batches_stay_within_the_services_limits(cloud):
    aws = cloud()

    def handle(*_arguments):
        for _ in range(30):
            LOG.info("x" * 100_000)
        LOG.info("")
        LOG.info("%d", "wrong argument")
        return ProgressEvent(OperationStatus.SUCCESS)

    raising, logging.raiseExceptions = logging.raiseExceptions, False
    try:
        make_resource(handle)(observed(resource_request()), None)
    finally:
        logging.raiseExceptions = raising
    (messages,) = aws.groups["provider-log"].values()
    assert len(messages) == 30
    assert {len(message) for message in messages} == {60_000}
    assert aws.calls.count("put_log_events") >= 2


def test_a_handler_made_by_hand_delivers(cloud):
    from cloudformation_cli_python_lib.boto3_proxy import _get_boto_session
    from cloudformation_cli_python_lib.credentials import Credentials

    aws = cloud()
    handler = ProviderLogHandler("provider-log", "a:b", _get_boto_session(Credentials("AKIDPROVIDER00000000", "s")))
    handler.handle(logging.LogRecord("n", logging.ERROR, "f", 1, "m", (), None))
    assert aws.groups["provider-log"] == {"a__b": ["m"]}


def test_hooks_deliver_too(cloud):
    aws = cloud()
    hook = Hook("Acme::Store::Check", ResourceModel)
    hook.handler(HookInvocationPoint.CREATE_PRE_PROVISION)(succeed)
    assert hook(observed(hook_request()), None)["hookStatus"] == "SUCCESS"
    assert [name.rpartition("/")[2] for name in aws.groups["provider-log"]] == ["MyBucket"]
    namespace, datum = aws.metrics[0]
    assert namespace == "AWS/CloudFormation/123456789012/Acme/Store/Check"
    assert [dimension["Name"] for dimension in datum["Dimensions"]] == [
        "DimensionKeyInvocationPointType",
        "DimensionKeyHookType",
    ]
