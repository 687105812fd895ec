"""Imports of existing resources into a stack: checks, and the plan.

Source: CloudFormation user guide, "Import AWS resources into a CloudFormation stack", "Automatically import"; the texts
are the service's.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.engine.changes import Changes, ResourceChange
from formwork.engine.changes.values import ChangeAction
from formwork.engine.deployed.view import DeploymentView
from formwork.provisioning import HandlerCall, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.outcomes import Failed, Succeeded
from formwork.stacks.errors import StackError
from formwork.stacks.store.records import StackRecord
from formwork.template import Resource
from formwork.template.evaluation import EvaluationError, NoResources

_KEEPING = frozenset({"Retain", "RetainExceptOnCreate"})


class ResourceToImport(Struct, frozen=True):
    """A resource to import, from a request; `identifier` is property name → value."""

    type: str
    logical_id: str
    identifier: Mapping[str, str]


class ImportPlan(Struct, frozen=True):
    """The physical ids of what is imported, by logical id; `problem` is why the import fails."""

    physical_ids: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None

    def apply(self, changes: Changes) -> Changes:
        """Return the changes, with imports in place of creations of existing resources."""

        def turned(found: Iterable[ResourceChange]) -> tuple[ResourceChange, ...]:
            return tuple(
                replace(
                    each, action=ChangeAction.IMPORT, physical_id=self.physical_ids[each.logical_id], after_context=None
                )
                if each.action is ChangeAction.ADD and each.logical_id in self.physical_ids
                else each
                for each in found
            )

        return replace(changes, plain=turned(changes.plain), with_values=turned(changes.with_values))


class Importer:
    """Plans imports into one stack.

    `view` is the new deployment, `present` are the stack's logical ids; `provisioner` returns a type's provisioner,
    `owner` the ARN of the stack that has a physical resource.
    """

    def __init__(
        self,
        stack: StackRecord,
        view: DeploymentView,
        present: Iterable[str],
        *,
        provisioner: Callable[[str], Provisioner | None],
        owner: Callable[[str, str], str | None],
    ) -> None:
        self._stack = stack
        self._view = view
        self._present = frozenset(present)
        self._provisioner = provisioner
        self._owner = owner

    # -- resources that a request names

    def plan(self, asked: tuple[ResourceToImport, ...], changes: Changes) -> ImportPlan:
        """Return the plan of an import operation, which makes no other changes.

        Raises:
            StackError: the request is refused.
        """
        resources = self._check_entries(asked)
        self._check_template(asked, changes)
        physical_ids = {}
        for each in asked:
            schema = resources[each.logical_id].schema
            model: dict[str, Any] = dict(each.identifier)
            identifier = schema.identifier_of(model)
            if identifier is None:
                raise StackError(_wrong_identifier(each.type, resources[each.logical_id]))
            if (problem := self._lookup(each, resources[each.logical_id], identifier)) is not None:
                return ImportPlan(problem=problem)
            physical_ids[each.logical_id] = identifier
        return ImportPlan(physical_ids)

    def _check_entries(self, asked: tuple[ResourceToImport, ...]) -> dict[str, Provisioner]:
        if not asked:
            raise StackError("Must Provide at least one resource to import")
        if len({each.logical_id for each in asked}) < len(asked):
            raise StackError("Every resource to import must have unique LogicalResourceId")
        resources = self._view.template.resources
        if missing := [each.logical_id for each in asked if each.logical_id not in resources]:
            raise StackError(
                f"The logical resource ids [{', '.join(missing)}] provided in ResourceToImport do not exist in the "
                "template."
            )
        found = {}
        for each in asked:
            provisioner = self._provisioner(each.type)
            if provisioner is None or "read" not in provisioner.schema.handlers:
                raise StackError(f"ResourceTypes [{each.type}] are not supported for Import")
            if set(each.identifier) != set(_identifier_names(provisioner)):
                raise StackError(_wrong_identifier(each.type, provisioner))
            if (declared := resources[each.logical_id].type) != each.type:
                raise StackError(
                    f"Resource type of [{each.logical_id}] passed in ResourceToImport does not match with resource "
                    f"type defined in the template. Resource type in ResourceToImport: {each.type}; Resource type in "
                    f"Template: {declared}."
                )
            found[each.logical_id] = provisioner
        return found

    def _check_template(self, asked: tuple[ResourceToImport, ...], changes: Changes) -> None:
        named = {each.logical_id for each in asked}
        new = [name for name in self._view.graph if name not in self._present]
        if not new:
            raise StackError("The template should contain at least one new resource to import.")
        if held := sorted(named & self._present):
            raise StackError(
                f"Resources [{', '.join(held)}] passed in ResourceToImport are already in a stack and cannot be "
                "imported."
            )
        if missing := [name for name in new if name not in named]:
            raise StackError(f"Resources [{', '.join(missing)}] is missing from ResourceToImport list")
        if modified := [each.logical_id for each in changes.plain if each.action is not ChangeAction.ADD]:
            raise StackError(
                f"You have modified resources [{', '.join(modified)}] in your template that are not being imported. "
                "Update, create or delete operations cannot be executed during import operations."
            )
        bare = [name for name in new if self._view.template.resources[name].deletion_policy is None]
        if bare:
            raise StackError(
                f"The following resources to import [{', '.join(bare)}] must have DeletionPolicy attribute specified "
                "in the template."
            )
        before = None if self._stack.deployed is None else self._stack.deployed.template.get("Outputs")
        if before is not None and before != self._view.deployment.template.get("Outputs"):
            raise StackError("As part of the import operation, you cannot modify or add [Outputs]")

    def _lookup(self, asked: ResourceToImport, provisioner: Provisioner, identifier: str) -> str | None:
        """Return why the resource cannot be imported, or None."""
        problem = self._read(provisioner, asked.logical_id, identifier)
        if problem is not None:
            unknown = f"Resource of type '{asked.type}' with identifier '{identifier}' was not found."
            told = problem.message if provisioner.note is None or problem.code != "NotFound" else ""
            return told or unknown
        owner = self._owner(asked.type, identifier)
        return None if owner is None else f"{identifier} already exists in stack {owner}"

    # -- resources of the template that exist already

    def plan_existing(self, changes: Changes) -> ImportPlan:
        """Return the plan of an operation that imports existing resources which the template names."""
        physical_ids: dict[str, str] = {}
        unkept: list[str] = []
        for change in changes.plain:
            if change.action is not ChangeAction.ADD:
                continue
            resource = self._view.template.resources[change.logical_id]
            provisioner = self._provisioner(resource.type)
            if provisioner is None or "read" not in provisioner.schema.handlers:
                continue
            identifier = self._custom_name(resource, provisioner)
            if identifier is None or self._owner(resource.type, identifier) is not None:
                continue
            if self._read(provisioner, change.logical_id, identifier) is not None:
                continue
            physical_ids[change.logical_id] = identifier
            declared = self._view.deployment.template["Resources"][change.logical_id].get("DeletionPolicy")
            if declared not in _KEEPING:
                named = ", ".join(f"{name}={value}" for name, value in _named(provisioner, identifier).items())
                unkept.append(f"{change.logical_id} ({{{named}}})")
        if unkept:
            return ImportPlan(
                problem="CloudFormation is attempting to import some resources because they already exist in your "
                "account. The resources must have the DeletionPolicy attribute set to 'Retain' or "
                "'RetainExceptOnCreate' in the template for successful import. The affected resources are "
                + ", ".join(unkept)
            )
        return ImportPlan(physical_ids)

    def _custom_name(self, resource: Resource, provisioner: Provisioner) -> str | None:
        """Return the resource's identifier from the template, None if the handler assigns it."""
        try:
            properties = self._view.evaluator(NoResources()).properties(resource)
        except EvaluationError:
            return None
        named = {name: properties.get(name) for name in _identifier_names(provisioner)}
        if not all(isinstance(each, str | int) for each in named.values()):
            return None
        return provisioner.schema.identifier_of(named)

    def _read(self, provisioner: Provisioner, logical_id: str, identifier: str) -> Failed | None:
        call = HandlerCall(
            action="READ",
            desired=provisioner.schema.parse_identifier(identifier) or {},
            token=str(uuid.uuid4()),
            logical_id=logical_id,
            stack_id=self._stack.arn,
        )
        outcome = call_provisioner(provisioner, call)
        match outcome:
            case Succeeded():
                return None
            case Failed():
                return outcome
            case _:
                return Failed("InternalFailure", "the read handler is not done")


def _identifier_names(provisioner: Provisioner) -> list[str]:
    return [".".join(each) for each in provisioner.schema.primary_identifier]


def _named(provisioner: Provisioner, identifier: str) -> Mapping[str, Any]:
    return provisioner.schema.parse_identifier(identifier) or {}


def _wrong_identifier(type_name: str, provisioner: Provisioner) -> str:
    expected = ", ".join(_identifier_names(provisioner))
    return f"Invalid resource identifier for resource type {type_name}. Expected [{expected}]"
