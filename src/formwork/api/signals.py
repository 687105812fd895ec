"""Receives data sent to URLs of this service: those of wait condition handles, and for answers of custom resources.

The URL itself proves that its sender was given it.
"""

from collections.abc import Callable

from anyio import to_thread
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from formwork.api.bodies import BodyTooLargeError, read_body
from formwork.api.caller import DEFAULT_REGION, Caller
from formwork.api.dispatch import LazyOperationTable
from formwork.api.requests import IncomingRequest, RequestHead
from formwork.api.responses import internal_failure, too_large
from formwork.api.s3.documents import render_s3_error
from formwork.api.s3.operations import new_request_id
from formwork.api.wire import ApiError

# No operation of any service's: where the table has what takes them.
PUT_SIGNAL = "cloudformation-waitcondition", "Put"
_MAX_BYTES = 1024 * 1024
_NOBODY = Caller("", DEFAULT_REGION, "", "")


class SignalEndpoint:
    """Answers in S3's form, as AWS does: there the handles are objects to be put."""

    def __init__(self, late: LazyOperationTable, *, on_error: Callable[[Exception], None]) -> None:
        self._late = late
        self._on_error = on_error

    async def respond(self, request: IncomingRequest, head: RequestHead, *, refusal: ApiError | None) -> Response:
        """Take a signal."""
        try:
            await self._take(request, head, refusal=refusal)
        except ApiError as error:
            return _refused(error, head)
        except ClientDisconnect:
            raise
        except Exception as error:  # noqa: BLE001 - the boundary: the server outlives a bug in one answer
            self._on_error(error)
            return _refused(internal_failure(error), head)
        return Response(b"", 200, {"x-amz-request-id": new_request_id()})

    async def _take(self, request: IncomingRequest, head: RequestHead, *, refusal: ApiError | None) -> None:
        try:
            body = await read_body(request, limit=_MAX_BYTES)
        except BodyTooLargeError:
            raise too_large(_MAX_BYTES) from None
        if refusal is not None:
            raise refusal
        if head.method != "PUT":
            raise ApiError("MethodNotAllowed", "Signals are sent with PUT", status=405)
        table = await to_thread.run_sync(self._late.expect)
        asked = {"place": f"{head.path}?{head.query}", "body": body}
        await to_thread.run_sync(table[PUT_SIGNAL], _NOBODY, asked)


def _refused(error: ApiError, head: RequestHead) -> Response:
    body = render_s3_error(error, resource=head.path, request_id=new_request_id())
    return Response(body, error.status, {"Content-Type": "application/xml"})
