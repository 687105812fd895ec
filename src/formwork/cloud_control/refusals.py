"""Errors of Cloud Control, with the service's names and messages.

Source: the service's model; its API reference, "Common Errors", and the errors of each operation.
"""

from formwork.provisioning.outcomes import Failed
from formwork.stacks.errors import StackError

_NOT_FOUND = 404
# Handler error codes to the service's exceptions, for operations that answer at once.
_EXCEPTIONS = {
    "AlreadyExists": "AlreadyExistsException",
    "GeneralServiceException": "GeneralServiceException",
    "InternalFailure": "HandlerInternalFailureException",
    "InvalidCredentials": "InvalidCredentialsException",
    "InvalidRequest": "InvalidRequestException",
    "NetworkFailure": "NetworkFailureException",
    "NotFound": "ResourceNotFoundException",
    "NotStabilized": "NotStabilizedException",
    "NotUpdatable": "NotUpdatableException",
    "ResourceConflict": "ResourceConflictException",
    "ServiceInternalError": "ServiceInternalErrorException",
    "ServiceLimitExceeded": "ServiceLimitExceededException",
    "Throttling": "ThrottlingException",
}


def refused(code: str, message: str, status: int = 400) -> StackError:
    """Return an exception of the service by its code."""
    return StackError(message, code=code, status=status)


def invalid(message: str) -> StackError:
    """Return the exception for an invalid request."""
    return refused("InvalidRequestException", message)


def handler_exception(outcome: Failed) -> StackError:
    """Return the exception for a handler's failure."""
    code = _EXCEPTIONS.get(outcome.code, "HandlerFailureException")
    return refused(code, outcome.message, _NOT_FOUND if code == "ResourceNotFoundException" else 400)
