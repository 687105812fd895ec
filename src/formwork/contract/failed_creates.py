"""Creates that did not succeed: whose doing that is, and what it violates."""

from typing import TYPE_CHECKING

from formwork.contract.bench import BlockedError, NotProvableError, StopTestError, error_code
from formwork.contract.clauses import Level
from formwork.contract.models import Identity, Model, has_identifier, identity_of, only
from formwork.contract.never_created import finds_anything
from formwork.contract.outcomes import model_of, outcome
from formwork.invoke import Operation

if TYPE_CHECKING:
    from formwork.contract.trial import Trial


def failed_create(trial: "Trial", request: Model, operation: Operation) -> StopTestError:
    """What a test ends with whose create did not succeed: the inputs were not different enough, or the handler."""
    memory = trial.subject.memory
    taken = taken_by_this_run(trial, request, operation)
    kept = memory.existing.shared(trial.schema, request)
    why = explain_failed_create(trial, request, operation)
    if taken is None:
        return BlockedError(why)
    if kept is not None and kept.identity in memory.leftovers:
        return BlockedError(f"an earlier test could not delete the resource with the same value for {kept.name}")
    return NotProvableError(taken)


def explain_failed_create(trial: "Trial", request: Model, operation: Operation) -> str:
    """Why a create of valid input failed; recorded as a violation unless an earlier test is to blame."""
    code = error_code(operation)
    identity = identity_of(trial.schema, request)
    if code == "AlreadyExists" and identity is not None and identity in trial.subject.memory.leftovers:
        return "an earlier test could not delete the resource with this identifier"
    if code == "AlreadyExists" and identity is not None and identity in trial.subject.memory.deleted:
        _judge_not_deleted(trial, request, operation, identity)
        return "the resource with this identifier was deleted by an earlier test, and exists all the same"
    if code == "AlreadyExists" and operation.tries > 1:
        return _judge_failed_retry(trial, request, operation)
    if (taken := taken_by_this_run(trial, request, operation)) is not None:
        return taken
    if code == "ServiceLimitExceeded" and trial.subject.memory.has_created:
        return "the service has no room for one more resource"
    if operation.problem is None and operation.status == "FAILED":
        if code != "AlreadyExists":
            _judge_left_behind(trial, request, operation)
        text = str((operation.event or {}).get("message") or "")
        said = f"{code}: {text}" if text else str(code)
        message = f"CREATE of {_origin(trial, request)} ended FAILED with {said}"
        trial.violate("create.applied", message, [operation])
    return f"CREATE did not succeed ({code or operation.status or 'no event'})"


def _judge_failed_retry(trial: "Trial", request: Model, operation: Operation) -> str:
    """A create that failed with a retriable code had made the resource all the same, and can't be retried."""
    first = (operation.exchanges[-operation.tries].event or {}).get("errorCode")
    told = f"CREATE FAILED with {first}, and the same request with the same token, sent again, with AlreadyExists"
    trial.violate("create.idempotent", told, [operation], level=Level.SHOULD)
    _judge_left_behind(trial, request, operation)
    return told


def taken_by_this_run(trial: "Trial", request: Model, operation: Operation) -> str | None:
    """Why a failed create is the doing of the run itself: a resource of its own has what the type keeps unique."""
    existing, code = trial.subject.memory.existing, error_code(operation)
    hint = "add inputs_<n>_create.json with other values" if trial.inputs.given else "let overrides.json give less"
    if code == "AlreadyExists" and (shared := existing.shared(trial.schema, request)) is not None:
        existing.twins = existing.twins or False
        same = f"another resource of this run has the same value for {shared.name}"
        return f"{same}, which the type keeps unique; {hint}"
    if operation.status == "FAILED" and trial.inputs.given and existing.like(trial.inputs.likeness(request)):
        existing.twins = existing.twins or False
        return f"a second resource with the same input is {outcome(operation)}, which may be; {hint}"
    return None


def _origin(trial: "Trial", request: Model) -> str:
    """Whose input it is, for a failure that may be its author's."""
    if not trial.inputs.given:
        return "valid input (generated from the schema; give inputs/ if it can't know better)"
    if trial.subject.is_valid_input(request):
        return "valid input"
    return "the input of inputs/, which is not valid against the schema,"


def _judge_not_deleted(trial: "Trial", request: Model, operation: Operation, identity: Identity) -> None:
    """What an earlier test deleted cannot be created again: is it gone at all?"""
    message = "CREATE with the identifiers of a deleted resource is FAILED with AlreadyExists"
    trial.violate("delete.create", message, [operation])
    identifier = only(request, trial.schema.primary_identifier)
    if trial.subject.has("read"):
        read = trial.read(identifier)
        if read.succeeded:
            trial.violate("delete.read", "READ of a deleted resource is SUCCESS", [operation, read])
    if trial.subject.has("list"):
        page = trial.list_page({})
        models = (page.event or {}).get("resourceModels")
        if isinstance(models, list) and any(identity_of(trial.schema, each) == identity for each in models):
            message = "the list still holds a resource that was deleted"
            trial.violate("delete.list", message, [operation, page])
            trial.violate("delete.leak", message, [operation, page])
    if trial.subject.has("update"):
        wanted = trial.inputs.update(request)
        updated = None if wanted is None else trial.update(wanted, request)
        if updated is not None and updated.succeeded:
            trial.violate("delete.update", "UPDATE of a deleted resource is SUCCESS", [operation, updated])


def _judge_left_behind(trial: "Trial", request: Model, operation: Operation) -> None:
    """A FAILED create without an identifier must have made nothing."""
    if has_identifier(trial.schema, model_of(operation)) or not trial.subject.has("read"):
        return
    if not trial.subject.knows_identifier(request):
        return
    read = trial.read(only(request, trial.schema.primary_identifier))
    if not read.succeeded:
        return
    trial.adopt(request)
    if (why := finds_anything(trial, request)) is not None:
        trial.not_tested("event.identifier", f"a create is FAILED without a model, and {why}")
        return
    message = "a FAILED create without a model left the resource behind"
    trial.violate("event.identifier", message, [operation, read])
