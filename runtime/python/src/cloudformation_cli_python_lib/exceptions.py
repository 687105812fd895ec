"""Exceptions that a handler raises to fail with an error code: one class a code, under the code's name.

    _HandlerError
        AccessDenied, AlreadyExists, GeneralServiceException, HandlerInternalFailure, InternalFailure,
        InvalidCredentials, InvalidRequest, InvalidTypeConfiguration, NetworkFailure, NonCompliant, NotFound,
        NotStabilized, NotUpdatable, ResourceConflict, ServiceInternalError, ServiceLimitExceeded, Throttling,
        Unknown, UnsupportedTarget

A subclass of one of them keeps its code.
"""

from typing import ClassVar

from .interface import HandlerErrorCode, ProgressEvent


class _HandlerError(Exception):
    """A failure with an error code; the class's own name is the code unless a base class has one."""

    _error_code: ClassVar[HandlerErrorCode] = HandlerErrorCode.InternalFailure

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__name__ in HandlerErrorCode.__members__:
            cls._error_code = HandlerErrorCode[cls.__name__]

    def to_progress_event(self) -> ProgressEvent:
        """The FAILED event that answers the request."""
        return ProgressEvent.failed(self._error_code, str(self))


class NotUpdatable(_HandlerError):
    """The request updates a create-only property."""


class InvalidRequest(_HandlerError):
    """The user's input is wrong."""


class AccessDenied(_HandlerError):
    """The customer lacks permissions."""


class InvalidCredentials(_HandlerError):
    """The credentials are not valid."""


class AlreadyExists(_HandlerError):
    """The resource was there before the create request."""

    def __init__(self, type_name: str, identifier: str) -> None:
        super().__init__(f"Resource of type '{type_name}' with identifier '{identifier}' already exists.")


class NotFound(_HandlerError):
    """The resource is not there."""

    def __init__(self, type_name: str, identifier: str) -> None:
        super().__init__(f"Resource of type '{type_name}' with identifier '{identifier}' was not found.")


class ResourceConflict(_HandlerError):
    """The resource is busy for now."""


class Throttling(_HandlerError):
    """The downstream service throttles."""


class ServiceLimitExceeded(_HandlerError):
    """A limit of the downstream service is reached."""


class NotStabilized(_HandlerError):
    """The resource did not become ready."""


class GeneralServiceException(_HandlerError):
    """The downstream service failed in a way that no other code names."""


class ServiceInternalError(_HandlerError):
    """The downstream service failed inside."""


class NetworkFailure(_HandlerError):
    """The downstream service could not be reached."""


class InternalFailure(_HandlerError):
    """The handler failed unexpectedly."""


class HandlerInternalFailure(_HandlerError):
    """The handler failed unexpectedly, as newer callers name it."""


class InvalidTypeConfiguration(_HandlerError):
    """The extension's configuration is wrong."""

    def __init__(self, type_name: str, message: str) -> None:
        super().__init__(f"Invalid TypeConfiguration provided for type {type_name}. Reason: {message}")


class NonCompliant(_HandlerError):
    """The hook's target breaks the hook's rule."""

    def __init__(self, type_name: str, message: str) -> None:
        super().__init__(f"Hook of type '{type_name}' returned a non-compliant status. Reason: {message}")


class UnsupportedTarget(_HandlerError):
    """The hook does not handle this target."""

    def __init__(self, hook_type_name: str, target_type_name: str) -> None:
        super().__init__(
            f"Hook of type '{hook_type_name}' received request for unsupported target '{target_type_name}'"
        )


class Unknown(_HandlerError):
    """None of the above."""
