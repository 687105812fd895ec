"""Identifiers that no resource has, and whether handlers tell them from those of resources.

A code that says nothing about the resource (AccessDenied, InvalidCredentials, Throttling …) is a violation only where a
create succeeds: a handler without an account must not be accused of what it could not reach.
"""

from formwork.contract.calls import HandlerCalls
from formwork.contract.models import Model, identity_of, with_value
from formwork.contract.outcomes import outcome
from formwork.contract.recording import error_code
from formwork.invoke import Operation

# Identifiers of few possible values take some attempts.
_ATTEMPTS = 8

# What a handler fails with before it looks for the resource: who calls, how it is configured, that the service is out
# of reach. The other codes speak of the request or the resource, or are the handler's own failure.
_BEFORE_LOOKING = frozenset(
    {
        "AccessDenied",
        "InvalidCredentials",
        "InvalidTypeConfiguration",
        "NetworkFailure",
        "ServiceInternalError",
        "ServiceTimeout",
        "Throttling",
    }
)


def finds_anything(calls: HandlerCalls, request: Model) -> str | None:
    """Return why a successful READ of `request` does not prove that the resource exists; None if it does.

    READ is called with an unused identifier; a handler that answers it with SUCCESS, too, proves nothing.
    """
    identifier = unused_identifier(calls, request)
    if identifier is None:
        return "no other identifier can be made to see whether READ tells resources from what does not exist"
    with calls.expecting_failure():
        read = calls.read(identifier)
    return "READ is SUCCESS for identifiers that were never created, too" if read.succeeded else None


def why_not_looked(calls: HandlerCalls, operation: Operation) -> str | None:
    """Return why a failure does not show how the handler treats a missing resource; None if it does.

    A code that is not about the resource shows nothing if handlers cannot create one: without access they get no
    further. Where a create succeeds there is access, so one is tried where the run has not seen any.
    """
    if operation.status != "FAILED" or error_code(operation) not in _BEFORE_LOOKING:
        return None
    if calls.subject.memory.has_created:
        return None
    created = calls.create(calls.inputs.create())
    if created.succeeded or calls.subject.memory.has_created:
        return None
    action = str(operation.exchanges[-1].request.get("action"))
    return (
        f"{action} is {outcome(operation)}, which says nothing of the resource, and CREATE {outcome(created)}: "
        "no handler got as far as to look"
    )


def unused_identifier(calls: HandlerCalls, request: Model) -> Model | None:
    """Return a primary identifier that `request` and all resources of this run lack; None if none can be generated."""
    known = calls.subject.memory.made | {identity_of(calls.schema, request)}
    for _ in range(_ATTEMPTS):
        identifier: Model = {}
        for path in calls.schema.primary_identifier:
            identifier = with_value(identifier, path, calls.inputs.value_at(path))
        identity = identity_of(calls.schema, identifier)
        if identity is not None and identity not in known:
            return identifier
    return None
