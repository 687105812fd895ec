"""Pre-deployment validation: finds problems of a deployment before any resource is touched.

Source: CloudFormation user guide, "Validate stack deployments"; the service's model (`OperationEvent`). Two of the
service's validations are made: of properties by their type's schema, and of names that are in use. The texts are from
answers of the service.

The reasons are in docs/decisions/1304.
"""

import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.engine.changes.compute import Changes
from formwork.engine.changes.values import ChangeAction, ResourceChange
from formwork.engine.deployed.view import DeploymentView
from formwork.invoke.masking import Masker
from formwork.provisioning import HandlerCall, OwnProvisioner, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.outcomes import Succeeded
from formwork.provisioning.physical_ids import identifying_model
from formwork.provisioning.property_faults import find_faults, is_open, render_path
from formwork.schema import ResourceSchema
from formwork.schema.models import read_identifier
from formwork.stacks.store.records import Record

PROPERTIES = "PROPERTY_VALIDATION"
NAMES = "NAME_CONFLICT_VALIDATION"
REFUSED = "VALIDATION_FAILED"  # the detailed status of an operation that validation has ended
DETECTED = "Validation failure detected. See the operation's FAILED event for details."
_CHECKS = {
    PROPERTIES: "AWS::EarlyValidation::PropertyValidation",
    NAMES: "AWS::EarlyValidation::ResourceExistenceCheck",
}


class ValidationProblem(Record, frozen=True):
    """Why a deployment can't succeed: `name` is the validation's, `path` a pointer into the template."""

    logical_id: str
    type: str
    name: str
    reason: str
    path: str


def find_problems(
    view: DeploymentView,
    changes: Changes,
    find_type: Callable[[str], Provisioner | None],
    *,
    hidden: Sequence[str],
    adopted: Collection[str] = (),
) -> list[ValidationProblem]:
    """Return the problems of resources that `changes` adds or changes, with properties from `view`.

    Values of other resources are not checked, since those of simulated ones are made up. `hidden` are values that no
    text may contain; `adopted` are the logical ids of imported resources.
    """
    found: list[ValidationProblem] = []
    evaluator = view.static_evaluator()
    for change in changes.plain:
        provisioner = find_type(change.type)
        declared = view.template.resources.get(change.logical_id)
        if declared is None or provisioner is None or isinstance(provisioner, OwnProvisioner):
            continue
        properties = evaluator.properties(declared)
        masker = Masker.of_resource(provisioner.schema)
        masker.learn({}, hidden)
        wrong = [*_of_properties(change, provisioner.schema, properties)]
        if change.action is ChangeAction.ADD and change.logical_id not in adopted:
            wrong += _of_names(change, provisioner, properties)
        found += (replace(each, reason=masker.text(each.reason)) for each in wrong)
    return found


def change_set_reason(problems: Sequence[ValidationProblem]) -> str:
    """Return why a change set with these problems has failed."""
    checks = ", ".join(dict.fromkeys(_CHECKS[each.name] for each in problems))
    return (
        f"The following hook(s)/validation failed: [{checks}]. To troubleshoot Early Validation errors, use the "
        "DescribeEvents API for detailed failure information."
    )


def operation_reason(problems: Sequence[ValidationProblem]) -> str:
    """Return why an operation with these problems has failed."""
    return (
        f"Validation failed with {len(problems)} error(s). Call DescribeEvents to retrieve the full list of issues "
        "with resource and property details, resolve each error, then retry the operation."
    )


def _of_properties(change: ResourceChange, schema: ResourceSchema, properties: Any) -> Iterator[ValidationProblem]:
    for fault in find_faults(schema, properties):
        path = f"/Resources/{change.logical_id}/Properties{render_path(fault.path)}"
        yield ValidationProblem(change.logical_id, change.type, PROPERTIES, fault.early, path)


def _of_names(change: ResourceChange, provisioner: Provisioner, properties: Any) -> Iterator[ValidationProblem]:
    """Yield the problem of a name that is in use, for types without handlers of their own: handlers are not called."""
    schema = provisioner.schema
    named = not any(path in schema.read_only for path in schema.primary_identifier)
    values = read_identifier(properties, schema.primary_identifier) if named else None
    if provisioner.note is None or "read" not in schema.handlers or values is None or is_open(values):
        return
    identifier = schema.identifier_of(properties)
    model = identifying_model(schema, identifier, properties)
    outcome = call_provisioner(provisioner, HandlerCall(action="READ", desired=model, token=str(uuid.uuid4())))
    if isinstance(outcome, Succeeded):
        reason = f"Resource of type '{change.type}' with identifier '{identifier}' already exists."
        yield ValidationProblem(change.logical_id, change.type, NAMES, reason, f"/Resources/{change.logical_id}")
