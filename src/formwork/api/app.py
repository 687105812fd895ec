"""The ASGI application: CloudFormation, Cloud Control, STS, IAM, CloudWatch Logs, S3, Lambda's Invoke on one port."""

import contextlib
import hashlib
import time
from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from msgspec import Struct, field
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from formwork.api.authentication import Authenticator
from formwork.api.bodies import BodyTooLargeError, read_body
from formwork.api.caller import DEFAULT_ACCOUNT, DEFAULT_REGION
from formwork.api.calls import Calls
from formwork.api.dispatch import LazyOperationTable, OperationTable
from formwork.api.front_page import front_page, is_visit
from formwork.api.long_polling import HOLD_SECONDS, ChangeNotifier
from formwork.api.requests import AnsweredRequest, IncomingRequest, RequestHead, head_of
from formwork.api.responses import json_auth_error, json_body
from formwork.api.routing import Route, route_of
from formwork.api.s3.endpoint import S3Endpoint
from formwork.api.s3.operations import S3Api
from formwork.api.signals import SignalEndpoint
from formwork.api.signature import AuthError
from formwork.api.verification import Signed
from formwork.api.wire import ApiError
from formwork.aws.scope import Scope as AwsScope
from formwork.lambda_host import http_messages
from formwork.lambda_host.function import MAX_REQUEST_BYTES
from formwork.object_store.store import ObjectStore
from formwork.request_guard import RequestGuard

# Each invocation blocks a thread, for minutes where a handler works that long.
_INVOCATIONS = 256


class ApiParts(Struct, frozen=True):
    """The dependencies of the application.

    `early` has the operations that need neither registry nor engine, `late` those that do; `invoke` is Lambda's API,
    which is given the caller's account and Region too; `changes` notifies calls that wait; `guard` refuses requests of
    web pages. `console` is the address that browsers are pointed to, None for none. `on_error` is called with
    exceptions that are bugs, `on_request` after every response.
    """

    early: OperationTable
    late: LazyOperationTable
    objects: ObjectStore
    invoke: Callable[[http_messages.Request, AwsScope], http_messages.Response]
    authenticator: Authenticator
    changes: ChangeNotifier
    on_error: Callable[[Exception], None]
    on_request: Callable[[AnsweredRequest], None] = lambda _answered: None
    hold_seconds: float = HOLD_SECONDS
    guard: RequestGuard = field(default_factory=RequestGuard)
    console: str | None = None


class ApiApp:
    """Routes requests to the endpoint of their service."""

    def __init__(self, parts: ApiParts) -> None:
        self._parts = parts
        self._calls = Calls(
            parts.early,
            parts.late,
            authenticator=parts.authenticator,
            changes=parts.changes,
            hold_seconds=parts.hold_seconds,
            on_error=parts.on_error,
        )
        self._objects = S3Endpoint(S3Api(parts.objects), parts.authenticator, on_error=parts.on_error)
        self._signals = SignalEndpoint(parts.late, on_error=parts.on_error)
        self._invocations = CapacityLimiter(_INVOCATIONS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = IncomingRequest(scope, receive)
        began = time.monotonic()
        with contextlib.suppress(ClientDisconnect):
            response = await self._respond(request, head_of(request))
            if request.has_rest:  # else the connection would read on, for ever where the body never ends
                response.headers["Connection"] = "close"
            await response(scope, receive, send)
            seconds = time.monotonic() - began
            self._parts.on_request(AnsweredRequest(request.operation, response.status_code, seconds))

    async def _respond(self, request: IncomingRequest, head: RequestHead) -> Response:
        route = route_of(head.method, head.path, head.query, head.headers)
        refusal = self._refusal(request, head, route)
        if refusal is not None and is_visit(head):
            return front_page(self._parts.console)
        match route:
            case Route.LAMBDA:
                request.operation = "lambda Invoke"
                return await self._invoke(request, head, refusal=refusal)
            case Route.S3:
                request.operation = f"s3 {head.method}"
                return await self._objects.respond(request, head, refusal=refusal)
            case Route.SIGNAL:
                request.operation = "signal"
                return await self._signals.respond(request, head, refusal=refusal)
            case Route.QUERY | Route.TARGET:
                answer = await self._calls.respond(request, head, route, refusal=refusal)
                return Response(answer.body, answer.status, answer.headers)

    def _refusal(self, request: IncomingRequest, head: RequestHead, route: Route) -> ApiError | None:
        """Return the error for a request that a web page may have sent, None for a program's."""
        server = request.scope.get("server")
        address = server[0] if server else None
        # S3's clients have the bucket in the host's name.
        why = self._parts.guard.refusal(head.headers, address=address, subdomains=route is Route.S3)
        return None if why is None else ApiError("AccessDenied", why, status=403)

    async def _invoke(self, request: IncomingRequest, head: RequestHead, *, refusal: ApiError | None) -> Response:
        try:
            body, over = await read_body(request, limit=MAX_REQUEST_BYTES), False
        except BodyTooLargeError:
            body, over = b"", True
        if refusal is not None:
            return _refused(refusal)
        caller = AwsScope(DEFAULT_ACCOUNT, DEFAULT_REGION)
        try:
            payload_hash = hashlib.sha256(body).hexdigest()
            signed = Signed(head.method, head.path, head.query, head.headers, payload_hash)
            found = self._parts.authenticator.authenticate(signed, service="lambda").caller
            caller = AwsScope(found.account, found.region)
        except AuthError as error:
            # Where no key is needed, no signature is: clients of a local Lambda send none.
            if self._parts.authenticator.verifies:
                return _refused(json_auth_error(error))
        asked = http_messages.Request(head.method, head.path, head.query, head.headers, body, too_large=over)
        invoke, limiter = self._parts.invoke, self._invocations
        answer = await to_thread.run_sync(invoke, asked, caller, abandon_on_cancel=True, limiter=limiter)
        kind = {} if answer.status == 204 else {"Content-Type": answer.content_type}
        return Response(answer.body, answer.status, {**kind, **answer.headers})


def _refused(error: ApiError) -> Response:
    """Return an error in the form of Lambda's API."""
    headers = {"Content-Type": "application/json", "x-amzn-ErrorType": error.code}
    return Response(json_body({"Type": "User", "message": error.message}), 403, headers)
