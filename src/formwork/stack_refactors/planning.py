"""Validates a refactor: the new place of each resource, and the reasons of a refusal.

Source: CloudFormation user guide, "Stack refactoring": considerations and resource limitations. Texts as answered by
the service, where recordings of them are public; the others are this service's.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.engine.changes.differences import find_differences
from formwork.engine.deployed.exports import find_exporter, list_importers
from formwork.engine.engine import Engine
from formwork.engine.planning.deployments import new_deployment
from formwork.engine.planning.requests import StackRequest
from formwork.preparation.parameters import GivenParameter
from formwork.preparation.prepared import parse_template
from formwork.schema import ResourceSchema
from formwork.stack_refactors.matching import Declared, Match, Matching
from formwork.stack_refactors.parts import Outputs, Refactored, StackPart, new_stack
from formwork.stack_refactors.records import Move, RefactoredStack, ResourcePlace, StackRefactor
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import UPDATABLE, StackStatus
from formwork.stacks.store.records import ResourceRecord
from formwork.stacks.store.stacks import get_stack
from formwork.template.evaluation import EvaluationError, Value

_TYPES = Path(__file__).with_name("unsupported_types.toml")
_CAPABILITIES = ("CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND")  # requests have none
_FIXED = ("Parameters", "Conditions", "Mappings", "Rules", "Transform")  # the same before and after
_REFUSED = ("Conditions", "Mappings", "Parameters", "Rules")  # in a stack that is created
_ATTRIBUTES = ("Metadata", "CreationPolicy", "UpdatePolicy", "DeletionPolicy", "UpdateReplacePolicy")
_HANDLERS = frozenset({"create", "read", "update", "delete"})  # of a FULLY_MUTABLE type


class Arrival(Struct, frozen=True):
    """A moved resource: its record before the refactor, and its declaration at the destination."""

    move: Move
    record: ResourceRecord
    declaration: Mapping[str, Any]
    module: list[str] | None


class RefactorPlan(Struct, frozen=True):
    """The plan of a refactor: the stacks as they will be, all their resources, and their outputs by stack id."""

    parts: list[StackPart]
    arrivals: list[Arrival]
    outputs: Mapping[str, Outputs]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The resources that get another place."""
        return tuple(each.move for each in self.arrivals if each.move.source != each.move.destination)


def prepare_stacks(engine: Engine, refactor: StackRefactor) -> list[RefactoredStack]:
    """Return the stacks with what their templates deploy.

    Raises:
        StackError: a stack or its template can't be refactored.
    """
    return [_told(each.arn(refactor.scope), _prepare, engine, refactor, each) for each in refactor.stacks]


def plan_refactor(engine: Engine, refactor: StackRefactor) -> RefactorPlan:
    """Return the plan of a refactor whose stacks are prepared.

    Raises:
        StackError: it is refused.
    """
    return _Planning(engine, refactor).run()


def _told(arn: str, check: Any, *arguments: Any) -> Any:
    """Return the result of a check of one stack; refusals get the stack's name in front, as in the service."""
    try:
        return check(*arguments)
    except (StackError, EvaluationError) as error:
        raise StackError(f"{arn}: {error.message}") from error


def _prepare(engine: Engine, refactor: StackRefactor, stack: RefactoredStack) -> RefactoredStack:
    with engine.database.read() as connection:
        known = get_stack(connection, stack.id)
    sections = parse_template(stack.template).value
    record = known or new_stack(engine, refactor.scope, stack)
    deployed = record.deployed
    if deployed is None:
        if record.status is not StackStatus.REVIEW_IN_PROGRESS:
            raise StackError(f"Stack:{record.arn} is in {record.status} state and can not be updated.")
        if found := [each for each in _REFUSED if each in sections]:
            raise StackError(
                f"Following template sections are not allowed when creating a stack while refactoring: "
                f"{', '.join(found)}"
            )
    else:
        if record.status not in UPDATABLE:
            raise StackError(f"Stack:{record.arn} is in {record.status} state and can not be updated.")
        if record.policy is not None:
            raise StackError("Stack Refactor does not support stacks with a stack policy.")
        before = parse_template(deployed.original).value
        if found := [each for each in _FIXED if before.get(each) != sections.get(each)]:
            raise StackError(f"Stack Refactor does not support changes to the template sections: {', '.join(found)}")
    given = {} if deployed is None else deployed.given
    request = StackRequest(
        name=stack.name,
        template=stack.template,
        parameters=tuple(GivenParameter(name, None, use_previous=True) for name in given),
        capabilities=_CAPABILITIES,
    )
    prepared = engine.planner.prepare(refactor.scope, request, record.arn, stack.template, previous=given)
    tags = {} if deployed is None else deployed.tags
    deployment = new_deployment(prepared, replace(request, capabilities=()), tags)
    return replace(stack, deployment=deployment)


class _Planning:
    def __init__(self, engine: Engine, refactor: StackRefactor) -> None:
        self._engine = engine
        self._refactor = refactor
        self._after = Refactored(engine, refactor.scope, refactor.stacks)
        self._parts = {part.refactored.id: part for part in self._after.parts}

    def run(self) -> RefactorPlan:
        present = {
            ResourcePlace(part.stack.id, each): part.present[each] for part in self._walk() for each in part.present
        }
        wanted = {ResourcePlace(part.stack.id, each): part for part in self._walk() for each in part.view.graph}
        names = {part.refactored.id: part.refactored.name for part in self._walk()}
        matches = Matching(
            {place: _declared(each.declaration) for place, each in present.items()},
            {place: _declared(_resource(part, place)) for place, part in wanted.items()},
            names,
        ).run(self._refactor.mappings)
        self._after.origins = {each.destination: present[each.source] for each in matches}
        for each in matches:
            if each.source != each.destination:
                self._check_type(each, present[each.source])
        arrivals = [self._arrival(each, present[each.source]) for each in matches]
        outputs = {part.stack.id: _told(part.stack.arn, self._after.outputs, part) for part in self._walk()}
        self._check_exports(outputs)
        return RefactorPlan(self._after.parts, arrivals, outputs)

    def _walk(self) -> Iterator[StackPart]:
        yield from self._parts.values()

    def _schema(self, type_name: str) -> ResourceSchema | None:
        provisioner = self._engine.settings.types.find(self._refactor.scope, type_name)
        return None if provisioner is None else provisioner.schema

    def _check_type(self, match: Match, record: ResourceRecord) -> None:
        arn = self._parts[match.source.stack].stack.arn
        schema = self._schema(record.type)
        refused = f"{arn}: Stack Refactor does not support {record.type}"
        if record.type in unsupported_types() or record.type.startswith("Custom::") or schema is None:
            raise StackError(f"{refused}.")
        if not schema.handlers.keys() >= _HANDLERS:
            raise StackError(f"{refused}.")
        tagging = schema.tagging
        if tagging.declared and tagging.taggable and not tagging.tag_updatable:
            raise StackError(f"{refused} because the resource type does not allow tag updates after creation.")

    def _arrival(self, match: Match, record: ResourceRecord) -> Arrival:
        part, source = self._parts[match.destination.stack], self._parts[match.source.stack]
        logical_id = match.destination.logical_id
        declared = part.view.template.resources[logical_id]
        declaration = _resource(part, match.destination)
        properties = _told(part.stack.arn, self._after.evaluator(part).properties, declared)
        if declared.type != record.type or _differs(record, declaration, properties):
            raise StackError(
                f"Resource {match.source.logical_id} in stack {source.stack.arn} does not match the destination "
                "resource's properties."
            )
        schema = self._schema(record.type)
        move = Move(
            source=match.source,
            destination=match.destination,
            physical_id=record.physical_id or "",
            identifier={} if schema is None else schema.parse_identifier(record.physical_id or "") or {},
            given=match.given,
            rewritten=declaration.get("Properties") != record.declaration.get("Properties"),
            tagged=schema is not None and _is_tagged(schema, source, part),
        )
        return Arrival(move, record, declaration, part.view.deployment.modules.get(logical_id))

    def _check_exports(self, outputs: Mapping[str, Outputs]) -> None:
        """Check that exports are each stack's alone, and that what other stacks import stays as it is."""
        names = {part.stack.name for part in self._walk()}
        after: dict[str, str | None] = {}
        with self._engine.database.read() as connection:
            for part in self._walk():
                for value, export, _ in outputs[part.stack.id].values():
                    known = None if export is None else find_exporter(connection, part.stack.scope, export)
                    owner = None if known is None or known[0].id in outputs else known[0].name
                    if export in after or owner is not None:
                        owned = f"Export with name {export} is already exported by stack {owner or part.stack.name}"
                        raise StackError(f"{part.stack.arn}: {owned}")
                    if export is not None:
                        after[export] = value
            for part in self._walk():
                for value, export, _ in part.stack.outputs.values():
                    if export is None or after.get(export) == value:
                        continue
                    if users := set(list_importers(connection, part.stack.scope, export)) - names:
                        used = f"as it is in use by {' and '.join(sorted(users))}"
                        raise StackError(f"{part.stack.arn}: Cannot delete export {export} {used}.")


@cache
def unsupported_types() -> frozenset[str]:
    """Return the types of which the service moves no resources."""
    with _TYPES.open("rb") as file:
        return frozenset(tomllib.load(file)["types"])


def _resource(part: StackPart, place: ResourcePlace) -> Mapping[str, Any]:
    declared: Mapping[str, Any] = part.view.deployment.template["Resources"][place.logical_id]
    return declared


def _declared(declaration: Mapping[str, Any]) -> Declared:
    return Declared(str(declaration["Type"]), declaration.get("Properties"))


def _differs(record: ResourceRecord, declaration: Mapping[str, Any], properties: Mapping[str, Value]) -> bool:
    if any(find_differences(dict(record.properties), dict(properties))):
        return True
    return any(declaration.get(name) != record.declaration.get(name) for name in _comparable(declaration))


def _comparable(declaration: Mapping[str, Any]) -> Iterable[str]:
    """The attributes that can be compared as they are written: a policy may be a function, stored as its value."""
    policies = ("DeletionPolicy", "UpdateReplacePolicy")
    return (name for name in _ATTRIBUTES if name not in policies or not isinstance(declaration.get(name), dict))


def _is_tagged(schema: ResourceSchema, source: StackPart, destination: StackPart) -> bool:
    """Return whether the handler has to update tags: those of the stack, or those that the service adds."""
    tagging = schema.tagging
    if not tagging.taggable or not tagging.tag_updatable or "update" not in schema.handlers:
        return False
    if schema.subschema_at(tagging.tag_property) is None:
        return False
    before = {} if source.stack.deployed is None else dict(source.stack.deployed.tags)
    return tagging.system_tags or before != dict(destination.view.deployment.tags)
