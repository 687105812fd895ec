"""S3 over HTTP: bodies from the socket to disk, and from disk to the socket."""

import hashlib
from collections.abc import AsyncIterator, Callable
from typing import BinaryIO

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse

from formwork.api.authentication import Authenticated, Authenticator
from formwork.api.bodies import BodyTooLargeError, pour_body, read_body
from formwork.api.requests import IncomingRequest, RequestHead
from formwork.api.responses import internal_failure, s3_auth_error, too_large
from formwork.api.s3.answers import FileSlice, S3Response
from formwork.api.s3.chunked import ChunkSignatures
from formwork.api.s3.documents import render_s3_error
from formwork.api.s3.incoming import IncomingBody
from formwork.api.s3.operations import S3Api, new_request_id
from formwork.api.s3.request import S3Request, parse_s3_request
from formwork.api.signature import AuthError
from formwork.api.verification import Signed
from formwork.api.wire import ApiError
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ReceivedBody

# Of an object or a part; and of every other body: ten thousand parts make a list of a megabyte.
MAX_OBJECT_BYTES = 5 * 1024**3
_MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
_PIECE = 256 * 1024
_SIGNED_CHUNKS = ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER")


class S3Endpoint:
    """Answers requests to S3."""

    def __init__(
        self, api: S3Api, authenticator: Authenticator, *, threads: int = 16, on_error: Callable[[Exception], None]
    ) -> None:
        self._api = api
        self._authenticator = authenticator
        self._threads = CapacityLimiter(threads)
        self._on_error = on_error

    async def respond(self, request: IncomingRequest, head: RequestHead, *, refusal: ApiError | None) -> Response:
        """Answer a request to S3."""
        request_id = new_request_id()
        try:
            answer = await self._answer(request, head, refusal=refusal)
        except AuthError as error:
            answer = _error(s3_auth_error(error), head, request_id)
        except (ApiError, S3Error) as error:
            answer = _error(error, head, request_id)
        except ClientDisconnect:  # the client is gone: there is no connection to answer on
            raise
        except Exception as error:  # noqa: BLE001 - the boundary: the server outlives a bug in one answer
            self._on_error(error)
            answer = _error(internal_failure(error), head, request_id)
        response = _response(answer, head, request_id)
        if "expect" in head.headers and not request.is_read:
            # The client may keep the body to itself now: what comes next on the connection could be either.
            response.headers["Connection"] = "close"
        return response

    async def _answer(self, request: IncomingRequest, head: RequestHead, *, refusal: ApiError | None) -> S3Response:
        if refusal is not None:
            raise refusal
        asked = parse_s3_request(head.method, head.path, head.query, head.headers)
        who = self._authenticate(head)
        if not asked.carries_object:
            try:
                body = await read_body(request, limit=_MAX_DOCUMENT_BYTES)
            except BodyTooLargeError:
                raise too_large(_MAX_DOCUMENT_BYTES) from None
            _check_hash(head, body)
            return await to_thread.run_sync(self._api.respond, asked, who.caller, body, limiter=self._threads)
        # Before the body comes: a client that sent "Expect: 100-continue" keeps it to itself then.
        await to_thread.run_sync(self._expect_bucket, asked, who, limiter=self._threads)
        received = await self._receive(request, head, who)
        try:
            return await to_thread.run_sync(self._api.respond, asked, who.caller, received, limiter=self._threads)
        finally:
            received.path.unlink(missing_ok=True)  # where it was not kept

    def _authenticate(self, head: RequestHead) -> Authenticated:
        payload_hash = head.headers.get("x-amz-content-sha256", "UNSIGNED-PAYLOAD")
        signed = Signed(head.method, head.path, head.query, head.headers, payload_hash)
        return self._authenticator.authenticate(signed, service="s3")

    def _expect_bucket(self, asked: S3Request, who: Authenticated) -> None:
        self._api.store.expect_bucket(asked.bucket, account=who.caller.account)

    async def _receive(self, request: IncomingRequest, head: RequestHead, who: Authenticated) -> ReceivedBody:
        signatures = _chunk_signatures(head, who)
        path = self._api.store.new_file()
        with IncomingBody(path, head.headers, limit=MAX_OBJECT_BYTES, signatures=signatures) as incoming:
            await pour_body(request, incoming.write)
            return incoming.finish()


def _check_hash(head: RequestHead, body: bytes) -> None:
    declared = head.headers.get("x-amz-content-sha256", "")
    if len(declared) == 64 and declared != hashlib.sha256(body).hexdigest():
        raise ApiError(
            "XAmzContentSHA256Mismatch", "The provided 'x-amz-content-sha256' header does not match what was computed."
        )


def _chunk_signatures(head: RequestHead, who: Authenticated) -> ChunkSignatures | None:
    if who.key is None or head.headers.get("x-amz-content-sha256") not in _SIGNED_CHUNKS:
        return None
    signature = who.signature
    scope = f"{signature.date}/{signature.region}/{signature.service}/aws4_request"
    return ChunkSignatures(who.key, timestamp=signature.timestamp, scope=scope, first=signature.value)


def _error(error: ApiError | S3Error, head: RequestHead, request_id: str) -> S3Response:
    body = render_s3_error(error, resource=head.path, request_id=request_id)
    headers = error.headers if isinstance(error, S3Error) else {}
    return S3Response(error.status, {"Content-Type": "application/xml", **headers}, body)


def _response(answer: S3Response, head: RequestHead, request_id: str) -> Response:
    headers = {**answer.headers, "x-amz-request-id": request_id, "x-amz-id-2": request_id}
    if answer.status not in (204, 304):
        headers["Content-Length"] = str(answer.length)
    if not isinstance(answer.body, FileSlice):
        return Response(answer.body, answer.status, headers)
    if head.method == "HEAD":
        answer.body.file.close()
        return Response(b"", answer.status, headers)
    return StreamingResponse(_pieces(answer.body), answer.status, headers)


async def _pieces(piece: FileSlice) -> AsyncIterator[bytes]:
    def read(file: BinaryIO, size: int) -> bytes:
        return file.read(size)

    with piece.file:
        piece.file.seek(piece.start)
        left = piece.length
        while left > 0:
            data = await to_thread.run_sync(read, piece.file, min(left, _PIECE))
            left -= len(data)
            yield data
