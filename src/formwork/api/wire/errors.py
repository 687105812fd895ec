"""Errors that operations return to clients."""

from formwork.api.wire.services import Protocol, Service


class ApiError(Exception):
    """An AWS error: `code` as in the response, `status` the HTTP status, `fault` is the client's or the server's."""

    def __init__(self, code: str, message: str, *, status: int = 400, fault: str = "Sender") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.fault = fault

    @classmethod
    def modelled(cls, service: Service, name: str, message: str) -> "ApiError":
        """Return the error that the service's model calls `name`, with its code and status.

        Raises:
            LookupError: the service has no such error.
        """
        shape = service.error_shape(name)
        if shape is None:
            msg = f'"{service.name}" has no error "{name}"'
            raise LookupError(msg)
        error = shape.metadata.get("error", {})
        server = shape.metadata.get("fault", False)
        return cls(
            error.get("code", shape.name),
            message,
            status=error.get("httpStatusCode", 500 if server else 400),
            fault="Receiver" if server else "Sender",
        )


def validation_error(message: str) -> ApiError:
    """CloudFormation's most common error; no model lists it, clients match on it."""
    return ApiError("ValidationError", message)


def unknown_operation(service: Service, name: str) -> ApiError:
    """Return the answer to an operation that does not exist, or that is not served here."""
    code = "InvalidAction" if service.protocol is Protocol.QUERY else "UnknownOperationException"
    if service.operation(name) is None:
        return ApiError(code, f"Could not find operation {name} for version {service.version}")
    return ApiError(code, f"{service.name} operation {name} is not available here")
