"""The functions of the project that a server serves, for workers: macros and custom resources name them."""

import http.client
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from formwork.aws.temporary_keys import TemporaryKeys
from formwork.diagnostics import EnvironmentProblemError
from formwork.lambda_host import http_messages

if TYPE_CHECKING:
    from botocore.awsrequest import AWSRequest

_ACCOUNT, _REGION = "123456789012", "us-east-1"  # of the project's functions
_ARN = f"arn:aws:sts::{_ACCOUNT}:assumed-role/cloudformation/worker"
_SECONDS = 900.0  # that AWS Lambda gives a function at most
_TOLD = ("X-Amz-Function-Error", "x-amzn-RequestId")


class RemoteFunctions:
    """Lambda's Invoke API of the server of a state folder.

    `address` says where it is; what it is asked is signed, with a key that it knows by the same `temporary` seed.
    """

    def __init__(self, address: Callable[[], str], temporary: TemporaryKeys) -> None:
        self._address = address
        self._temporary = temporary

    def respond(self, request: http_messages.Request) -> http_messages.Response:
        """Return the server's answer to a request.

        Raises:
            EnvironmentProblemError: it does not answer.
        """
        url = self._address()
        place = urlsplit(url)
        signed = self._signed(f"{url}{request.path}", request)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=_SECONDS)
        try:
            connection.request(request.method, request.path, request.body, dict(signed.headers.items()))
            answer = connection.getresponse()
            headers = {name: answer.headers[name] for name in _TOLD if name in answer.headers}
            return http_messages.Response(answer.status, answer.read(), headers)
        except (OSError, http.client.HTTPException) as error:
            raise EnvironmentProblemError(
                f"the server at {url}, whose project may have the function, does not answer: {error}",
                hint="functions of a project are within reach of workers on the server's machine, while it runs",
            ) from error
        finally:
            connection.close()

    def _signed(self, url: str, request: http_messages.Request) -> "AWSRequest":
        from botocore.auth import SigV4Auth  # noqa: PLC0415 - few requests need it
        from botocore.awsrequest import AWSRequest  # noqa: PLC0415 - the same
        from botocore.credentials import Credentials  # noqa: PLC0415 - the same

        key = self._temporary.give(account=_ACCOUNT, arn=_ARN, lifetime=timedelta(minutes=5))
        credentials = Credentials(key.access_key_id, key.secret.reveal(), key.token.reveal())
        signed = AWSRequest(request.method, url, {"Content-Type": "application/json"}, request.body)
        SigV4Auth(credentials, "lambda", _REGION).add_auth(signed)
        return signed
