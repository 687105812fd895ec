"""botocore's exceptions as ours: who has to do something about it, the author of the request or of the machine."""

import contextlib
from collections.abc import Iterator
from urllib.parse import urlsplit

from formwork.diagnostics import BadInputError, EnvironmentProblemError

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_USUAL_PORT = 3001  # of `cfn serve`
# What CloudFormation says of requests that will fail however often they are sent.
_INPUT_CODES = frozenset(
    {
        "AlreadyExistsException",
        "CFNRegistryException",
        "InsufficientCapabilitiesException",
        "LimitExceededException",
        "TypeConfigurationNotFoundException",
        "TypeNotFoundException",
        "ValidationError",
    }
)
# The service's own troubles, which no other request would be spared.
_THEIR_CODES = frozenset({"InternalFailure", "InternalError", "ServiceUnavailable"})
_THEIR_FAULT = "the service has this problem, not the request: fix it there, or try again later"


@contextlib.contextmanager
def aws_errors(doing: str) -> Iterator[None]:
    """Raise botocore's exceptions as ours; messages begin with `doing`, such as "registering the type".

    Raises:
        BadInputError: the service refuses the request itself.
        EnvironmentProblemError: it can't be reached, or refuses the caller.
    """
    import botocore.exceptions  # noqa: PLC0415 - comes with boto3, which is optional

    try:
        yield
    except botocore.exceptions.ClientError as error:
        said = error.response.get("Error", {})
        code, message = str(said.get("Code", "")), str(said.get("Message") or error)
        if code in _INPUT_CODES:
            raise BadInputError.of("aws.refused", f"{doing}: {code}: {message}") from error
        hint = _THEIR_FAULT if code in _THEIR_CODES else "do the credentials, the region and the endpoint go together?"
        raise EnvironmentProblemError(f"{doing}: {code}: {message}", hint=hint) from error
    except (botocore.exceptions.EndpointConnectionError, botocore.exceptions.ConnectTimeoutError) as error:
        where = urlsplit(str(error.kwargs.get("endpoint_url", "")))
        if where.hostname not in _HERE:
            raise EnvironmentProblemError(f"{doing}: {error}", hint="is the endpoint right, and the region?") from error
        port = f" --port {where.port}" if where.port not in {None, _USUAL_PORT} else ""
        raise EnvironmentProblemError(
            f"{doing}: nothing answers at {where.scheme}://{where.netloc}", hint=f"start it: `cfn serve{port}`"
        ) from error
    except botocore.exceptions.BotoCoreError as error:
        raise EnvironmentProblemError(f"{doing}: {error}", hint="is the endpoint right, and the region?") from error
