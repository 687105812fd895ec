"""Identifiers that no resource has, and whether READ tells them from those of resources."""

from formwork.contract.calls import HandlerCalls
from formwork.contract.models import Model, identity_of, with_value

# Identifiers of few possible values take some attempts.
_ATTEMPTS = 8


def finds_anything(calls: HandlerCalls, request: Model) -> str | None:
    """Why a READ with SUCCESS of what `request` identifies does not show that it exists; None where it does.

    READ is called with an identifier that no resource has: a handler that finds that one, too, finds everything.
    """
    identifier = unused_identifier(calls, request)
    if identifier is None:
        return "no other identifier can be made to see whether READ tells resources from what does not exist"
    with calls.expecting_failure():
        read = calls.read(identifier)
    return "READ is SUCCESS for identifiers that were never created, too" if read.succeeded else None


def unused_identifier(calls: HandlerCalls, request: Model) -> Model | None:
    """A primary identifier that neither `request` nor any resource of this run has; None where none can be made."""
    known = calls.subject.memory.made | {identity_of(calls.schema, request)}
    for _ in range(_ATTEMPTS):
        identifier: Model = {}
        for path in calls.schema.primary_identifier:
            identifier = with_value(identifier, path, calls.inputs.value_at(path))
        identity = identity_of(calls.schema, identifier)
        if identity is not None and identity not in known:
            return identifier
    return None
