"""The actual state of resources from their read handlers, and how it differs from the deployed one.

Source: user guide (seed 002), "Preventing false drift"; CloudFormation user guide, "Detect unmanaged configuration
changes" and "Using drift-aware change sets".
"""

import copy
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.contract.compare import DifferenceKind, compare_request
from formwork.contract_results.findings import ABSENT
from formwork.diagnostics import render_pointer
from formwork.diagnostics.secrets import NO_ECHO_MASK, mask_copies
from formwork.documents.copied import as_json_value
from formwork.engine.changes import Changes, DriftIgnoredReason, IgnoredAttribute, LiveState
from formwork.engine.changes.differences import KNOWN_AFTER_APPLY
from formwork.engine.deployed.drift_comparison import ResourceDriftStatus, compare_drift
from formwork.engine.deployed.secrets import hidden_values, property_secrets
from formwork.engine.engine import Engine
from formwork.provisioning import HandlerCall
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.known_models import last_known_model
from formwork.provisioning.outcomes import Failed, Succeeded
from formwork.provisioning.references import refers_to_secrets, without_references
from formwork.provisioning.stack_tags import without_stack_tags, without_undeclared_tags
from formwork.schema import ResourceSchema
from formwork.schema.coercion import coerce_properties
from formwork.stacks.store.drifts import FoundDrift
from formwork.stacks.store.records import ChangeSetRequest, ResourceRecord, StackRecord
from formwork.stacks.store.resources import list_custom_resources, list_resources
from formwork.template.evaluation import Value, replace_unknown

DRIFTED = frozenset({ResourceDriftStatus.MODIFIED, ResourceDriftStatus.DELETED})
Place = tuple[str | int, ...]

# Properties that AWS itself changes while another property of the resource is true.
_MANAGED: Mapping[str, tuple[str, str]] = {
    "AWS::RDS::DBCluster": ("AutoMinorVersionUpgrade", "EngineVersion"),
    "AWS::RDS::DBInstance": ("AutoMinorVersionUpgrade", "EngineVersion"),
}


class LiveStates:
    """Reads the resources of an engine's stacks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of_stack(self, stack: StackRecord) -> dict[str, LiveState]:
        """Read all resources of a stack, for a change set that is aware of drift."""
        with self._engine.database.read() as connection:
            resources = list_resources(connection, stack.id)
        return {name: self._state(stack, each) for name, each in resources.items()}

    def _state(self, stack: StackRecord, resource: ResourceRecord) -> LiveState:
        found, model = self.look(stack, resource)
        provisioner = self._engine.settings.types.find(stack.scope, resource.type)
        if provisioner is None or model is None:
            return LiveState(found, (), lambda _desired: resource.properties)
        schema = provisioner.schema
        ignored = tuple(_ignored(schema, resource.properties))
        model = without_undeclared_tags(schema, model, resource.properties)
        return LiveState(found, ignored, lambda desired: _actual(schema, resource.properties, model, desired, ignored))

    def look(self, stack: StackRecord, resource: ResourceRecord) -> tuple[FoundDrift, Mapping[str, Any] | None]:
        """Read a resource; return its drift and its model without the stack's tags, None if it could not be read."""
        now = self._engine.settings.now()
        provisioner = self._engine.settings.types.find(stack.scope, resource.type)
        if provisioner is None or resource.physical_id is None or "read" not in provisioner.schema.handlers:
            return FoundDrift(ResourceDriftStatus.NOT_CHECKED, now, None), None
        schema, scope = provisioner.schema, stack.scope

        def resolve(value: Any) -> Any:
            return self._engine.settings.references.resolve(scope, value)

        hidden = self._hidden(stack)
        outcome = call_provisioner(
            provisioner,
            HandlerCall(
                action="READ",
                desired=last_known_model(schema, resource, resolve),
                token=str(uuid.uuid4()),
                logical_id=resource.logical_id,
                stack_id=stack.arn,
                secrets=[*hidden, *property_secrets(schema, resource.properties, resolve)],
            ),
        )
        model: Mapping[str, Any] | None = None
        match outcome:
            case Succeeded():
                model = outcome.model or {}
            case Failed() if outcome.code == "NotFound":
                pass
            case Failed():
                return FoundDrift(ResourceDriftStatus.UNKNOWN, now, {"reason": outcome.message or outcome.code}), None
            case _:
                return FoundDrift(ResourceDriftStatus.UNKNOWN, now, {"reason": "the read handler is not done"}), None
        declared = without_references(resource.properties)
        if model is not None and stack.deployed is not None:
            model = without_stack_tags(schema, model, stack.deployed.tags, declared)
        drift = compare_drift(schema, declared, model)
        return FoundDrift(drift.status, now, mask_copies(as_json_value(drift), hidden, NO_ECHO_MASK)), model

    def _hidden(self, stack: StackRecord) -> list[str]:
        view = None if stack.deployed is None else self._engine.planner.view(stack, stack.deployed)
        with self._engine.database.read() as connection:
            return hidden_values([view], list_custom_resources(connection, stack.id))


def with_live_states(request: ChangeSetRequest, live: Mapping[str, LiveState], changes: Changes) -> ChangeSetRequest:
    """Return the request of a change set with the drift that its execution needs."""
    if request.deployment_mode is None:
        return request
    statuses = {each.found.status for each in live.values()}
    unknown = "UNKNOWN" if ResourceDriftStatus.UNKNOWN in statuses else "IN_SYNC"
    drifted = {
        name: {
            "status": each.found.status,
            "checked": each.found.checked,
            "details": each.found.details,
            "properties": changes.actual.get(name),
        }
        for name, each in live.items()
        if name in changes.actual or each.found.status == ResourceDriftStatus.DELETED
    }
    return replace(request, drift_status="DRIFTED" if statuses & DRIFTED else unknown, live=drifted)


def _actual(
    schema: ResourceSchema,
    deployed: Mapping[str, Any],
    model: Mapping[str, Any],
    desired: Mapping[str, Value],
    ignored: Sequence[IgnoredAttribute],
) -> dict[str, Any]:
    """Return the deployed properties, with those that have drifted taken from the model; see `LiveState`."""
    found: dict[str, Any] = copy.deepcopy(dict(deployed))
    wanted = replace_unknown(dict(desired), KNOWN_AFTER_APPLY)
    unlike = [place for place, _ in _drifts(schema, wanted, model)]
    managed = {each.path for each in ignored if each.reason is DriftIgnoredReason.MANAGED}
    for place, actual in _drifts(schema, deployed, model):
        steps = tuple("*" if isinstance(each, int) else each for each in place)
        if _pointer(place) in managed or _covered(schema.create_only, steps):
            continue
        settled = _has(wanted, place) and not any(_meet(place, each) for each in unlike)
        _put(found, place, _at(wanted, place) if settled else actual)
    return found


def _drifts(
    schema: ResourceSchema, properties: Mapping[str, Any], model: Mapping[str, Any]
) -> Iterator[tuple[Place, Any]]:
    expected = schema.without_write_only(coerce_properties(schema, without_references(properties)))
    for each in compare_request(schema, expected, model):
        if each.kind is not DifferenceKind.EXTRA:
            yield each.place, each.actual


def _ignored(schema: ResourceSchema, properties: Mapping[str, Any]) -> Iterator[IgnoredAttribute]:
    condition, managed = _MANAGED.get(schema.type_name, ("", ""))
    for place, value in _leaves(properties, ()):
        steps = tuple("*" if isinstance(each, int) else each for each in place)
        if _covered(schema.write_only, steps):
            yield IgnoredAttribute(_pointer(place), DriftIgnoredReason.WRITE_ONLY)
        elif refers_to_secrets(value):
            yield IgnoredAttribute(_pointer(place), DriftIgnoredReason.SENSITIVE)
        elif place == (managed,) and str(properties.get(condition)).lower() == "true":
            yield IgnoredAttribute(_pointer(place), DriftIgnoredReason.MANAGED)


def _leaves(value: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    match value:
        case dict() if value:
            for name, each in value.items():
                yield from _leaves(each, (*place, name))
        case list() if value:
            for index, each in enumerate(value):
                yield from _leaves(each, (*place, index))
        case _:
            yield place, value


def _covered(paths: Sequence[tuple[str, ...]], steps: tuple[str, ...]) -> bool:
    """Return whether one of the paths is at or above the place."""
    return any(
        len(path) <= len(steps) and all(a == b or "*" in (a, b) for a, b in zip(path, steps, strict=False))
        for path in paths
    )


def _pointer(place: Place) -> str:
    return render_pointer(("Properties", *place))


def _meet(one: Place, other: Place) -> bool:
    """Return whether one of two places is at or above the other."""
    return all(a == b for a, b in zip(one, other, strict=False))


def _has(value: Any, place: Place) -> bool:
    return _at(value, place) is not ABSENT


def _at(value: Any, place: Place) -> Any:
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ABSENT
    return value


def _put(value: Any, place: Place, new: Any) -> None:
    """Set or delete the part of a value at a place that a comparison has found."""
    for step in place[:-1]:
        value = value[step]
    if new is ABSENT:
        del value[place[-1]]
    else:
        value[place[-1]] = new
