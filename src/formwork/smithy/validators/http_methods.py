"""HttpMethodSemantics: operations whose traits and payloads fit their HTTP method."""

from collections.abc import Iterator

from msgspec import Struct

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import expect_object
from formwork.smithy.shapes import OperationShape
from formwork.smithy.validators.context import Validation, event, quoted, warning

_ID = "HttpMethodSemantics"
_HTTP = "smithy.api#http"
_BOUND = ("httpLabel", "httpHeader", "httpPrefixHeaders", "httpQuery", "httpQueryParams", "hostLabel")


class _Method(Struct, frozen=True):
    """Whether operations with a method are read-only, idempotent (None: as they like) and may have a payload."""

    readonly: bool
    idempotent: bool | None
    payload: bool


_METHODS = {
    "GET": _Method(readonly=True, idempotent=False, payload=False),
    "HEAD": _Method(readonly=True, idempotent=False, payload=False),
    "OPTIONS": _Method(readonly=True, idempotent=False, payload=True),
    "TRACE": _Method(readonly=True, idempotent=False, payload=False),
    "POST": _Method(readonly=False, idempotent=None, payload=True),
    "DELETE": _Method(readonly=False, idempotent=True, payload=False),
    "PUT": _Method(readonly=False, idempotent=True, payload=True),
    "PATCH": _Method(readonly=False, idempotent=None, payload=True),
}
_OPTIONS = (
    "OPTIONS requests are typically used as part of CORS and should not be modeled explicitly. They are an "
    "implementation detail that should not appear in generated client or server code. Instead, tooling should use the "
    "`cors` trait on a service to automatically configure CORS on clients and servers. It is the responsibility of "
    "service frameworks and API gateways to automatically manage OPTIONS requests. For example, OPTIONS requests are "
    "automatically created when using Smithy models with Amazon API Gateway."
)


def method_semantics(validation: Validation) -> Iterator[Event]:
    """Check every operation with @http."""
    for operation in validation.model.operations:
        written = str(expect_object(operation.trait(_HTTP)).get("method", ""))
        method = written.upper()
        subject = f"This operation uses the `{method}` method in the `http` trait, but"
        semantics = _METHODS.get(method)
        if semantics is None:
            continue
        if written != method:
            message = f"This operation uses the `{written}` method in the `http` trait, but expected `{method}`."
            yield warning(_ID, operation, message, trait=_HTTP)
        if method == "OPTIONS":
            yield warning(f"{_ID}.OPTIONS", operation, _OPTIONS, trait=_HTTP)
        for trait, wanted in (("readonly", semantics.readonly), ("idempotent", semantics.idempotent)):
            if wanted is not None and operation.has_trait(trait) is not wanted:
                kind, verb = ("Missing", "is not") if wanted else ("Unnecessary", "is")
                event_id = f"{_ID}.{kind}{trait.capitalize()}Trait"
                yield warning(event_id, operation, f"{subject} {verb} marked with the {trait} trait", trait=_HTTP)
        if not semantics.payload:
            yield from _check_payload(validation, operation, method, subject)


def _check_payload(validation: Validation, operation: OperationShape, method: str, subject: str) -> Iterator[Event]:
    given = validation.bindings.input_of(operation)
    members = given.members.values() if given is not None else ()
    unbound = [each for each in members if not any(map(each.has_trait, _BOUND))]
    free = [each.member_name for each in unbound]
    payload = next((each.member_name for each in unbound if each.has_trait("httpPayload")), None)
    if payload is not None:
        message = (
            f"{subject} the `{payload}` member is sent as the payload of the request because it is marked with the "
            f"`httpPayload` trait. Many HTTP clients do not support payloads with {method} requests. Consider binding "
            "this member to other parts of the HTTP request such as a query string parameter using the `httpQuery` "
            "trait, a header using the `httpHeader` trait, or a path segment using the `httpLabel` trait."
        )
    elif free:
        message = (
            f"{subject} the following members are sent as part of the payload of the request: {quoted(sorted(free))}. "
            "These members are sent as part of the payload because they are not explicitly configured to be sent in "
            "headers, in the query string, or in a URI segment. Many HTTP clients do not support payloads with "
            f"{method} requests. Consider binding these members to other parts of the HTTP request such as query "
            "string parameters using the `httpQuery` trait, headers using the `httpHeader` trait, or URI segments "
            "using the `httpLabel` trait."
        )
    else:
        return
    yield event(f"{_ID}.UnexpectedPayload", EventSeverity.DANGER, operation, message, trait=_HTTP)
