"""Updates as tests ask for them: what to change a resource to, and an update that must succeed."""

from formwork.contract.models import Model, identity_of, value_at, with_value, without
from formwork.contract.outcomes import failed_with, outcome
from formwork.contract.recording import BlockedError, NotProvableError
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.contract_results.findings import ABSENT
from formwork.instances import Extent
from formwork.invoke import Operation


def desired_state(test: ResourceTestCase, wanted: Model, made: CreatedResource) -> dict[str, object]:
    """Return the desired state of an update: the wanted properties, and the primary identifier from the create."""
    desired = dict(wanted)
    for path in test.schema.primary_identifier:
        value = value_at(made.model, path)
        if value is not ABSENT:
            desired = with_value(desired, path, value)
    return desired


def wanted_update(test: ResourceTestCase, made: CreatedResource, extent: Extent = Extent.RANDOM) -> dict[str, object]:
    """Return the properties to update the resource to.

    Generated updates leave conditionalCreateOnly properties alone once the handler has refused to change them.

    Raises:
        NotProvableError: there is no update to make.
    """
    safe = test.subject.memory.refuses_conditional
    return desired_state(test, change_of(test, made.request, extent, safe=safe), made)


def change_of(
    test: ResourceTestCase, request: Model, extent: Extent = Extent.RANDOM, *, safe: bool = True
) -> dict[str, object]:
    """Return the changed `request` for an update; `safe`: with a generated change that no handler may refuse.

    Raises:
        NotProvableError: there is no update to make.
    """
    wanted: dict[str, object] | None = test.inputs.update(request, extent)
    if wanted is not None and safe and not test.inputs.given:
        wanted = _with_conditional_of(test, request, wanted)
    if wanted is None:
        raise NotProvableError(
            "no update input: add inputs_<n>_update.json" if test.inputs.given else "nothing can change"
        )
    return wanted


def _with_conditional_of(test: ResourceTestCase, request: Model, wanted: Model) -> dict[str, object] | None:
    """Return `wanted` with the conditionalCreateOnly values of `request`; None if no other change is left."""
    if not test.schema.conditional_create_only:
        return dict(wanted)
    kept: Model = wanted
    for path in test.schema.conditional_create_only:
        if "*" not in path:
            value = value_at(request, path)
            kept = without(kept, path) if value is ABSENT else with_value(kept, path, value)
    return dict(kept) if kept != request and test.subject.is_valid_input(kept) else None


def run_update(
    test: ResourceTestCase, made: CreatedResource, desired: Model, previous: Model | None = None
) -> Operation:
    """Return an update that must succeed.

    Raises:
        BlockedError: it did not; recorded as a violation.
        NotProvableError: the schema allows the refusal.
    """
    operation = test.update(desired, made.model if previous is None else previous)
    _judge_identity(test, made, operation)
    if operation.succeeded:
        return operation
    if operation.status == "FAILED":
        changed = [
            path
            for path in test.schema.conditional_create_only
            if value_at(desired, path) != value_at(made.model, path)
        ]
        if failed_with(operation, "NotUpdatable") and changed:
            test.subject.memory.refuses_conditional = True
            raise NotProvableError(
                "the update changes a conditionalCreateOnly property and was refused, which it may be"
            )
        text = str((operation.event or {}).get("message") or "")
        message = f"UPDATE with valid input ended {outcome(operation)}" + (f": {text}" if text else "")
        test.violate("update.applied", message, [made.operation, operation])
    raise BlockedError(f"UPDATE did not succeed ({outcome(operation)})")


def _judge_identity(test: ResourceTestCase, made: CreatedResource, operation: Operation) -> None:
    for exchange in operation.exchanges:
        identity = identity_of(test.schema, (exchange.event or {}).get("resourceModel"))
        if identity is None:
            continue
        message = f"an event of UPDATE has another primaryIdentifier: {identity} instead of {made.identity}"
        if not test.judge("update.identity", identity == made.identity, message, [made.operation, operation]):
            return
