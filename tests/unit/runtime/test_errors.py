"""Exceptions and the codes they mean: the library's own, AWS services', and everything else."""

import pickle

import pytest

from cloudformation_cli_python_lib import HandlerErrorCode, OperationStatus, exceptions
from cloudformation_cli_python_lib.service_errors import handler_error_code, service_error_code

ARGUMENTS = {
    "AlreadyExists": ("Acme::Store::Thing", "id-1"),
    "NotFound": ("Acme::Store::Thing", "id-1"),
    "InvalidTypeConfiguration": ("Acme::Store::Thing", "no key"),
    "NonCompliant": ("Acme::Store::Check", "no encryption"),
    "UnsupportedTarget": ("Acme::Store::Check", "AWS::S3::Bucket"),
}


@pytest.mark.parametrize("code", list(HandlerErrorCode), ids=lambda code: code.name)
def test_there_is_an_exception_for_every_code(code):
    raised = getattr(exceptions, code.name)(*ARGUMENTS.get(code.name, ("why",)))
    event = raised.to_progress_event()
    assert (event.status, event.errorCode) == (OperationStatus.FAILED, code)
    assert event.message == str(raised)
    assert event.message


def test_a_derived_exception_keeps_the_code_of_its_base():
    class MissingBucket(exceptions.NotFound):
        def __init__(self):
            super().__init__("AWS::S3::Bucket", "b")

    class StillMissing(MissingBucket):
        pass

    assert StillMissing().to_progress_event().errorCode is HandlerErrorCode.NotFound
    assert str(StillMissing()) == "Resource of type 'AWS::S3::Bucket' with identifier 'b' was not found."


def test_simple_exceptions_survive_pickling():
    assert str(pickle.loads(pickle.dumps(exceptions.Throttling("slow")))) == "slow"


def client_error(code, status=400):
    botocore = pytest.importorskip("botocore.exceptions")
    response = {"Error": {"Code": code, "Message": "m"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return botocore.ClientError(response, "Operation")


@pytest.mark.parametrize(
    ("code", "status", "meaning"),
    [
        ("Throttling", 400, "Throttling"),
        ("ThrottlingException", 400, "Throttling"),
        ("ThrottledException", 400, "Throttling"),
        ("TooManyRequestsException", 429, "Throttling"),
        ("RequestLimitExceeded", 503, "Throttling"),
        ("ProvisionedThroughputExceededException", 400, "Throttling"),
        ("SlowDown", 503, "Throttling"),
        ("AccessDenied", 403, "AccessDenied"),
        ("AccessDeniedException", 400, "AccessDenied"),
        ("UnauthorizedOperation", 403, "AccessDenied"),
        ("ExpiredToken", 400, "InvalidCredentials"),
        ("InvalidClientTokenId", 403, "InvalidCredentials"),
        ("NoSuchBucket", 404, "NotFound"),
        ("NoSuchEntity", 404, "NotFound"),
        ("ResourceNotFoundException", 400, "NotFound"),
        ("InvalidInstanceID.NotFound", 400, "NotFound"),
        ("AWS.SimpleQueueService.NonExistentQueue", 400, "NotFound"),
        ("QueueDoesNotExist", 400, "NotFound"),
        ("EntityAlreadyExists", 409, "AlreadyExists"),
        ("BucketAlreadyOwnedByYou", 409, "AlreadyExists"),
        ("InvalidGroup.Duplicate", 400, "AlreadyExists"),
        ("ResourceInUseException", 400, "ResourceConflict"),
        ("ConcurrentModificationException", 400, "ResourceConflict"),
        ("ConflictException", 409, "ResourceConflict"),
        ("LimitExceededException", 400, "ServiceLimitExceeded"),
        ("VpcLimitExceeded", 400, "ServiceLimitExceeded"),
        ("ServiceQuotaExceededException", 402, "ServiceLimitExceeded"),
        ("ValidationException", 400, "InvalidRequest"),
        ("InvalidParameterValue", 400, "InvalidRequest"),
        ("InternalServerException", 500, "ServiceInternalError"),
        ("404", 404, "NotFound"),
        ("403", 403, "AccessDenied"),
        ("Strange", 400, "InvalidRequest"),
        ("Strange", 401, "AccessDenied"),
        ("Strange", 409, "ResourceConflict"),
        ("Strange", 410, "NotFound"),
        ("Strange", 418, "GeneralServiceException"),
        ("Strange", 429, "Throttling"),
        ("Strange", 500, "ServiceInternalError"),
        ("Strange", 503, "Throttling"),
        ("Strange", 511, "AccessDenied"),
        ("Strange", 599, "ServiceInternalError"),
    ],
)
def test_service_errors(code, status, meaning):
    error = client_error(code, status)
    assert handler_error_code(error).name == meaning
    assert service_error_code(error) == code


@pytest.mark.parametrize(
    ("make", "meaning"),
    [
        (lambda e: e.EndpointConnectionError(endpoint_url="https://x"), "NetworkFailure"),
        (lambda e: e.ConnectTimeoutError(endpoint_url="https://x"), "NetworkFailure"),
        (lambda e: e.ReadTimeoutError(endpoint_url="https://x"), "NetworkFailure"),
        (lambda e: e.NoCredentialsError(), "InvalidCredentials"),
        (lambda e: e.ParamValidationError(report="r"), "InvalidRequest"),
    ],
)
def test_errors_of_botocore_itself(make, meaning):
    assert handler_error_code(make(pytest.importorskip("botocore.exceptions"))).name == meaning


class Odd(Exception):
    def __init__(self, response):
        super().__init__()
        self.response = response


@pytest.mark.parametrize("response", [None, {}, {"Error": None}, "text", []])
def test_other_exceptions_mean_nothing_here(response):
    assert handler_error_code(Odd(response)) is None


def test_a_strange_response_is_a_general_error():
    odd = Odd({"Error": {}, "ResponseMetadata": {"HTTPStatusCode": "x"}})
    assert handler_error_code(odd) is HandlerErrorCode.GeneralServiceException
