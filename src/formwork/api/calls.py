"""Calls of operations: a query or JSON request is decoded, passed to its handler, and the output encoded."""

import contextlib
import hashlib
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl

from anyio import CapacityLimiter, to_thread
from msgspec import Struct
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest

from formwork.api.authentication import Authenticator
from formwork.api.bodies import BodyTooLargeError, read_body
from formwork.api.caller import Caller
from formwork.api.dispatch import Handler, LazyOperationTable, OperationTable
from formwork.api.long_polling import IN_PROGRESS, ChangeNotifier, seconds_to_hold
from formwork.api.requests import IncomingRequest, RequestHead
from formwork.api.responses import (
    ApiResponse,
    error_response,
    internal_failure,
    json_auth_error,
    protocol_headers,
    query_auth_error,
    too_large,
)
from formwork.api.routing import Route
from formwork.api.signature import AuthError, parse_signature
from formwork.api.verification import Signed
from formwork.api.wire import (
    ApiError,
    Protocol,
    Service,
    check_constraints,
    load_service,
    parse_json_request,
    parse_query_request,
    render_json_response,
    render_query_response,
    unknown_operation,
)
from formwork.diagnostics import FormworkError

if TYPE_CHECKING:
    from botocore.model import OperationModel

_T = TypeVar("_T")

# CloudFormation's own bounds add up to less: a template of 51,200 bytes, a configuration of 204,800, percent-encoded.
MAX_BODY_BYTES = 2 * 1024 * 1024
_THREADS = 32
_MAX_FIELDS = 20_000  # of a form; a stack set may name 100,000 stacks, in requests of their own
_LARGE_BYTES = 32 * 1024

# Services by the name in a signature's scope, and by the version that a query names.
_QUERY_SERVICES = {"cloudformation": "cloudformation", "sts": "sts", "iam": "iam"}
_QUERY_VERSIONS = {"2010-05-15": "cloudformation", "2011-06-15": "sts", "2010-05-08": "iam"}
# Operations that read may be called with GET, as presigned URLs of GetCallerIdentity are. AWS's clients post all else;
# a link that is opened can only GET.
_READS = ("Describe", "Get", "List")
_TARGETS = {"AmazonSSM": "ssm", "CloudApiService": "cloudcontrol", "Logs_20140328": "logs"}
_ELSEWHERE = "; `cfn serve --aws moto` starts moto, which has other services, and prints its address"


class _Call(Struct, frozen=True):
    """A requested operation; `parse` reads its input once the operation is known to exist."""

    service: Service
    name: str
    parse: "Callable[[OperationModel], dict[str, Any]]"


class Calls:
    """Answers calls with two tables of operations: that of the stand-ins, and that of the registry and the engine."""

    def __init__(  # noqa: PLR0913 - the parts of the server
        self,
        early: OperationTable,
        late: LazyOperationTable,
        *,
        authenticator: Authenticator,
        changes: ChangeNotifier,
        hold_seconds: float,
        on_error: Callable[[Exception], None],
    ) -> None:
        self._early = early
        self._late = late
        self._authenticator = authenticator
        self._changes = changes
        self._hold_seconds = hold_seconds
        self._on_error = on_error
        self._threads = CapacityLimiter(_THREADS)

    async def respond(
        self, request: IncomingRequest, head: RequestHead, route: Route, *, refusal: ApiError | None
    ) -> ApiResponse:
        """ApiResponse a call that came in by `route`."""
        request_id = str(uuid.uuid4())
        service = load_service("cloudformation" if route is Route.QUERY else "cloudcontrol")
        try:
            body = await _read(request, refusal=refusal)
            read = _query_call if route is Route.QUERY else _json_call
            call = await _off_the_loop(body, lambda: read(head, body))
            service = call.service
            request.operation = f"{service.name} {call.name if service.operation(call.name) else 'unknown operation'}"
            return await self._answer(call, request, head, body, request_id)
        except AuthError as error:
            refused = query_auth_error(error) if service.protocol is Protocol.QUERY else json_auth_error(error)
            return error_response(service, refused, request_id)
        except ApiError as error:
            return error_response(service, error, request_id)
        except FormworkError as error:  # the registry or the engine can't start; the server's output says so too
            unavailable = ApiError("ServiceUnavailable", str(error), status=503, fault="Receiver")
            return error_response(service, unavailable, request_id)
        except ClientDisconnect:  # the client is gone: there is no connection to answer on
            raise
        except Exception as error:  # noqa: BLE001 - the boundary: the server outlives a bug in one answer
            self._on_error(error)
            return error_response(service, internal_failure(error), request_id)

    async def _answer(
        self, call: _Call, request: HttpRequest, head: RequestHead, body: bytes, request_id: str
    ) -> ApiResponse:
        payload_hash = hashlib.sha256(body).hexdigest()
        signed = Signed(head.method, head.path, head.query, head.headers, payload_hash)
        caller = self._authenticator.authenticate(signed, service=call.service.signing_name).caller
        service, operation = call.service, call.service.operation(call.name)
        handler = await self._find(service, call.name)
        if operation is None or handler is None:
            raise unknown_operation(service, call.name)
        asked = await _off_the_loop(body, lambda: _checked(call, operation))
        output = await self._run(handler, caller, asked)
        in_progress = IN_PROGRESS.get((service.name, call.name))
        seconds = seconds_to_hold(head.headers.get("user-agent", ""), self._hold_seconds)
        if in_progress is not None and seconds:

            async def ask() -> Mapping[str, Any]:
                return await self._run(handler, caller, asked)

            output = await self._changes.hold(output, ask, in_progress, seconds, request.is_disconnected)
        headers = protocol_headers(service, request_id)
        if service.protocol is Protocol.QUERY:
            return ApiResponse(200, render_query_response(service, operation, output, request_id), headers)
        return ApiResponse(200, render_json_response(operation, output), headers)

    async def _find(self, service: Service, name: str) -> Handler | None:
        found = self._early.get((service.name, name))
        if found is None and service.operation(name) is not None:
            found = (await to_thread.run_sync(self._late.expect)).get((service.name, name))
        return found

    async def _run(self, handler: Handler, caller: Caller, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return await to_thread.run_sync(handler, caller, asked, limiter=self._threads)


def _checked(call: _Call, operation: "OperationModel") -> dict[str, Any]:
    asked = call.parse(operation)
    check_constraints(operation, asked)
    return asked


async def _off_the_loop(body: bytes, work: Callable[[], _T]) -> _T:
    """Return what `work` makes of a body; of a large one in a thread, so that other requests don't wait."""
    return work() if len(body) < _LARGE_BYTES else await to_thread.run_sync(work)


async def _read(request: HttpRequest, *, refusal: ApiError | None) -> bytes:
    try:
        body = await read_body(request, limit=MAX_BODY_BYTES)
    except BodyTooLargeError:
        raise too_large(MAX_BODY_BYTES) from None
    if refusal is not None:
        raise refusal
    return body


def _signed_for(head: RequestHead) -> str | None:
    """Return the service that a request is signed for; None without a well-formed signature, which is refused later."""
    with contextlib.suppress(AuthError):
        signature = parse_signature(head.headers, head.query)
        return signature.service if signature is not None else None
    return None


def _query_call(head: RequestHead, body: bytes) -> _Call:
    try:
        fields = parse_qsl(head.query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
        fields += parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except UnicodeDecodeError:
        raise ApiError("MalformedInput", "The body is not a form in UTF-8") from None
    except ValueError:
        raise ApiError("MalformedInput", f"The form has more than {_MAX_FIELDS} fields") from None
    named = dict(fields)
    signed_for = _signed_for(head)
    known = _QUERY_SERVICES.get(signed_for) if signed_for else _QUERY_VERSIONS.get(named.get("Version", ""))
    name = named.get("Action")
    if name is None:
        raise ApiError("MissingAction", "Could not find an action or operation in the request")
    if known is None:
        what = f"The service {signed_for}" if signed_for else f"Version {named.get('Version')}"
        raise ApiError("InvalidAction", f"{what}, with its operation {name[:80]}, is not available here{_ELSEWHERE}")
    if head.method != "POST" and not (head.method == "GET" and name.startswith(_READS)):
        raise _not_allowed(head.method, name)
    service = load_service(known)
    return _Call(service, name[:80], lambda operation: parse_query_request(operation, fields))


def _not_allowed(method: str, name: str) -> ApiError:
    return ApiError("MethodNotAllowed", f"{name[:80]} is called with POST, not with {method}", status=405)


def _json_call(head: RequestHead, body: bytes) -> _Call:
    prefix, _, name = head.headers["x-amz-target"].partition(".")
    known = _TARGETS.get(prefix)
    if known is None:
        message = f"{head.headers['x-amz-target'][:120]} is not available here{_ELSEWHERE}"
        raise ApiError("UnknownOperationException", message)
    if head.method != "POST":
        raise _not_allowed(head.method, name)
    return _Call(load_service(known), name[:80], lambda operation: parse_json_request(operation, body))
