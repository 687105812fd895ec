"""Creates that failed: whether the inputs or the handler caused it, and which clause that violates."""

from formwork.contract.calls import HandlerCalls
from formwork.contract.models import Identity, Model, has_identifier, identity_of, only
from formwork.contract.never_created import finds_anything
from formwork.contract.outcomes import model_of, outcome
from formwork.contract.recording import BlockedError, NotProvableError, StopTestError, error_code
from formwork.contract_results.clauses import Level
from formwork.invoke import Operation


def failed_create(calls: HandlerCalls, request: Model, operation: Operation) -> StopTestError:
    """Return the error that ends a test after a failed create, caused by inputs that clash or by the handler."""
    memory = calls.subject.memory
    taken = taken_by_this_run(calls, request, operation)
    kept = memory.existing.shared(calls.schema, request)
    why = explain_failed_create(calls, request, operation)
    if taken is None:
        return BlockedError(why)
    if kept is not None and kept.identity in memory.leftovers:
        return BlockedError(f"an earlier test could not delete the resource with the same value for {kept.name}")
    return NotProvableError(taken)


def explain_failed_create(calls: HandlerCalls, request: Model, operation: Operation) -> str:
    """Return why a create of valid input failed; recorded as a violation unless an earlier test is to blame."""
    code = error_code(operation)
    identity = identity_of(calls.schema, request)
    if code == "AlreadyExists" and identity is not None and identity in calls.subject.memory.leftovers:
        return "an earlier test could not delete the resource with this identifier"
    if code == "AlreadyExists" and identity is not None and identity in calls.subject.memory.deleted:
        _judge_not_deleted(calls, request, operation, identity)
        return "the resource with this identifier was deleted by an earlier test, and exists all the same"
    if code == "AlreadyExists" and operation.tries > 1:
        return _judge_failed_retry(calls, request, operation)
    if (taken := taken_by_this_run(calls, request, operation)) is not None:
        return taken
    if code == "ServiceLimitExceeded" and calls.subject.memory.has_created:
        return "the service has no room for one more resource"
    if operation.problem is None and operation.status == "FAILED":
        if code != "AlreadyExists":
            _judge_left_behind(calls, request, operation)
        text = str((operation.event or {}).get("message") or "")
        said = f"{code}: {text}" if text else str(code)
        message = f"CREATE of {_origin(calls, request)} ended FAILED with {said}"
        calls.violate("create.applied", message, [operation])
    return f"CREATE did not succeed ({code or operation.status or 'no event'})"


def _judge_failed_retry(calls: HandlerCalls, request: Model, operation: Operation) -> str:
    """Return a create that failed with a retriable code had made the resource all the same, and can't be retried."""
    first = (operation.exchanges[-operation.tries].event or {}).get("errorCode")
    told = f"CREATE FAILED with {first}, and the same request with the same token, sent again, with AlreadyExists"
    calls.violate("create.idempotent", told, [operation], level=Level.SHOULD)
    _judge_left_behind(calls, request, operation)
    return told


def taken_by_this_run(calls: HandlerCalls, request: Model, operation: Operation) -> str | None:
    """Return why a create failed if a resource of this run already has a value that must be unique, else None."""
    existing, code = calls.subject.memory.existing, error_code(operation)
    hint = "add inputs_<n>_create.json with other values" if calls.inputs.given else "let overrides.json give less"
    if code == "AlreadyExists" and (shared := existing.shared(calls.schema, request)) is not None:
        existing.twins = existing.twins or False
        same = f"another resource of this run has the same value for {shared.name}"
        return f"{same}, which the type keeps unique; {hint}"
    if operation.status == "FAILED" and calls.inputs.given and existing.like(calls.inputs.likeness(request)):
        existing.twins = existing.twins or False
        return f"a second resource with the same input is {outcome(operation)}, which may be; {hint}"
    return None


def _origin(calls: HandlerCalls, request: Model) -> str:
    """Return a description of the input for messages: generated, or the author's and valid or not."""
    if not calls.inputs.given:
        return "valid input (generated from the schema; give inputs/ if it can't know better)"
    if calls.subject.is_valid_input(request):
        return "valid input"
    return "the input of inputs/, which is not valid against the schema,"


def _judge_not_deleted(calls: HandlerCalls, request: Model, operation: Operation, identity: Identity) -> None:
    """Judge a create that fails with AlreadyExists after a delete: the resource may still exist."""
    message = "CREATE with the identifiers of a deleted resource is FAILED with AlreadyExists"
    calls.violate("delete.create", message, [operation])
    identifier = only(request, calls.schema.primary_identifier)
    if calls.subject.has("read"):
        read = calls.read(identifier)
        if read.succeeded:
            calls.violate("delete.read", "READ of a deleted resource is SUCCESS", [operation, read])
    if calls.subject.has("list"):
        page = calls.list_page({})
        models = (page.event or {}).get("resourceModels")
        if isinstance(models, list) and any(identity_of(calls.schema, each) == identity for each in models):
            message = "the list still holds a resource that was deleted"
            calls.violate("delete.list", message, [operation, page])
            calls.violate("delete.leak", message, [operation, page])
    if calls.subject.has("update"):
        wanted = calls.inputs.update(request)
        updated = None if wanted is None else calls.update(wanted, request)
        if updated is not None and updated.succeeded:
            calls.violate("delete.update", "UPDATE of a deleted resource is SUCCESS", [operation, updated])


def _judge_left_behind(calls: HandlerCalls, request: Model, operation: Operation) -> None:
    """A FAILED create without an identifier must have made nothing."""
    if has_identifier(calls.schema, model_of(operation)) or not calls.subject.has("read"):
        return
    if not calls.subject.knows_identifier(request):
        return
    read = calls.read(only(request, calls.schema.primary_identifier))
    if not read.succeeded:
        return
    calls.adopt(request)
    if (why := finds_anything(calls, request)) is not None:
        calls.not_tested("event.identifier", f"a create is FAILED without a model, and {why}")
        return
    message = "a FAILED create without a model left the resource behind"
    calls.violate("event.identifier", message, [operation, read])
