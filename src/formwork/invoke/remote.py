"""A function in AWS Lambda itself, through boto3: signed, with the user's credentials."""

import time
from collections.abc import Mapping
from typing import Any

from formwork.diagnostics import EnvironmentProblemError
from formwork.invoke.answer import UNHANDLED, Answer, error_body
from formwork.invoke.endpoint import READ_TIMEOUT, decode_log
from formwork.invoke.transport import encode_payload


class AwsLambdaTransport:
    """Invokes a deployed function; `client` is a boto3 client for `lambda`, as `lambda_client` makes it."""

    def __init__(self, client: Any, function_name: str) -> None:
        self._client = client
        self._function_name = function_name

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """Invoke the function; see HandlerTransport. `timeout` can't be changed by the call: the client's holds."""
        import botocore.exceptions  # noqa: PLC0415 - optional, and slow to import

        body = encode_payload(payload)
        started = time.perf_counter()
        try:
            response = self._client.invoke(FunctionName=self._function_name, Payload=body, LogType="Tail")
            answer = response["Payload"].read()
        except botocore.exceptions.ReadTimeoutError:
            message = f"Task timed out after {timeout or READ_TIMEOUT:.2f} seconds"
            return Answer(error_body("Sandbox.Timedout", message), UNHANDLED, time.perf_counter() - started)
        except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as error:
            raise EnvironmentProblemError(f"AWS Lambda refused to invoke {self._function_name}: {error}") from error
        log = decode_log(response.get("LogResult", ""))
        return Answer(answer, response.get("FunctionError"), time.perf_counter() - started, log)


def lambda_client(session: Any, endpoint: str) -> Any:
    """Return a boto3 client for `AwsLambdaTransport`: no retries, since a handler must not be called twice."""
    from botocore.config import Config  # noqa: PLC0415 - optional, and slow to import

    config = Config(read_timeout=READ_TIMEOUT, retries={"max_attempts": 0})
    return session.client("lambda", endpoint_url=endpoint, config=config)
