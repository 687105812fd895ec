"""AWS::CloudFormation::StackSet: a stack set with its instances as a resource of a stack.

What it takes is a row of operations, one after the other, each with an id of the call's token: a call that is made
again finds those that have begun.

Source: CloudFormation template reference, "AWS::CloudFormation::StackSet".
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.documents.scalar_text import as_text
from formwork.engine.engine import Engine
from formwork.engine.operations.step import TOKENS
from formwork.preparation.parameters import GivenParameter
from formwork.preparation.prepared import parse_template
from formwork.provisioning import HandlerCall, OwnProvisioner, OwnTypes
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.own import OwnHandlers, ask_again, load_own_schema
from formwork.stack_sets.definitions import DefinitionRequest
from formwork.stack_sets.instances import InstancesRequest, every
from formwork.stack_sets.preferences import read_preferences
from formwork.stack_sets.records import DetailedStatus, SetOperationStatus, StackSetRecord
from formwork.stack_sets.service import StackSetService
from formwork.stack_sets.stack_sets import StackSetChange, refuse_services
from formwork.stacks.errors import StackError

STACK_SET_TYPE = "AWS::CloudFormation::StackSet"
Model = Mapping[str, Any]
# Begins an operation under the id that it gets.
Begin = Callable[[str], object]


class StackSetType:
    """The type `AWS::CloudFormation::StackSet` of an engine."""

    def __init__(self, engine: Engine, service: StackSetService) -> None:
        self._engine = engine
        self._service = service

    def add_to(self, own: OwnTypes) -> None:
        """Add the type to the own types."""
        own.add(STACK_SET_TYPE, self)

    def provisioner(self, scope: Scope, type_name: str) -> OwnProvisioner:
        """See `OwnType.provisioner`."""
        return OwnProvisioner(load_own_schema(type_name), _StackSetHandlers(self._engine, self._service, scope))


class _StackSetHandlers(OwnHandlers):
    """The type's handlers, in one account and Region."""

    def __init__(self, engine: Engine, service: StackSetService, scope: Scope) -> None:
        self._engine = engine
        self._sets = service.sets
        self._instances = service.instances
        self._scope = scope

    def create(self, call: HandlerCall) -> Outcome:
        """Create the stack set, then the instances of each group."""
        asked = call.desired or {}
        made = self._sets.create(self._scope, asked["StackSetName"], self._definition(call), token=call.token)
        steps = [self._fill(made.full_id, asked, group) for group in asked.get("StackInstancesGroup", ())]
        return self._go_through(call, steps, made.full_id)

    def read(self, call: HandlerCall) -> Outcome:
        """Describe the stack set."""
        found = self._find(call)
        return Failed("NotFound", "StackSet does not exist") if found is None else Succeeded(_model(found, call))

    def update(self, call: HandlerCall) -> Outcome:
        """Remove the instances that the template no longer names, update the stack set, and add new instances."""
        found = self._find(call)
        if found is None:
            return Failed("NotFound", "StackSet does not exist")
        asked, name = call.desired or {}, found.full_id
        before = call.previous_properties or call.previous or {}
        gone = tuple(sorted(_places(before) - _places(asked)))
        change = StackSetChange(
            name=name,
            definition=self._definition(call),
            preferences=read_preferences(asked.get("OperationPreferences")),
        )
        steps: list[Begin] = []
        if gone:
            steps.append(self._empty(name, asked, gone))
        steps.append(lambda operation_id: self._sets.update(self._scope, replace(change, operation_id=operation_id)))
        steps += [self._fill(name, asked, group) for group in asked.get("StackInstancesGroup", ())]
        return self._go_through(call, steps, name)

    def delete(self, call: HandlerCall) -> Outcome:
        """Delete the instances, then the stack set."""
        found = self._find(call)
        if found is None:
            return Succeeded(None)
        _, instances = self._sets.describe(self._scope, found.full_id)
        if instances:
            places = tuple((each.account, each.region) for each in instances)
            outcome = self._go_through(call, [self._empty(found.full_id, call.desired or {}, places)], found.full_id)
            if not isinstance(outcome, Succeeded):
                return outcome
        self._sets.delete(self._scope, found.full_id)
        return Succeeded(None)

    def list(self, call: HandlerCall) -> Outcome:
        """Return the ids of the stack sets that are not deleted."""
        del call
        living = [{"StackSetId": each.full_id} for each in self._sets.list(self._scope) if each.deleted is None]
        return Succeeded(None, models=tuple(living))

    # -- inside

    def _find(self, call: HandlerCall) -> StackSetRecord | None:
        try:
            record, _ = self._sets.describe(self._scope, str((call.desired or {}).get("StackSetId")))
        except StackError:
            return None
        return record if record.deleted is None else None

    def _go_through(self, call: HandlerCall, steps: Sequence[Begin], name: str) -> Outcome:
        model = {**(call.desired or {}), "StackSetId": name}
        for number, begin in enumerate(steps):
            operation_id = str(uuid.uuid5(TOKENS, f"{call.token}/{call.action}/{number}"))
            try:
                _, operation, results = self._instances.describe_operation(self._scope, name, operation_id)
            except StackError:
                begin(operation_id)
                return ask_again(call, model)
            if not operation.status.ended:
                return ask_again(call, model)
            if operation.status is not SetOperationStatus.SUCCEEDED:
                reasons = [each.reason for each in results if each.status == DetailedStatus.FAILED and each.reason]
                told = f"Stack set operation [{operation_id}] was unexpectedly stopped or failed"
                return Failed("NotStabilized", f"{told}. status reason(s): [{', '.join(reasons)}]", model)
        return Succeeded(model)

    def _definition(self, call: HandlerCall) -> DefinitionRequest:
        asked = call.desired or {}
        refuse_services(asked.get("PermissionModel"), asked.get("CallAs"))
        url = asked.get("TemplateURL")
        own = {each["Key"]: each["Value"] for each in asked.get("Tags", ())}
        return DefinitionRequest(
            template=asked.get("TemplateBody")
            if url is None
            else self._engine.settings.templates.fetch_nested(self._scope, url),
            description=asked.get("Description"),
            parameters=_parameters(asked.get("Parameters", ())),
            tags={**call.tags, **own},
            capabilities=tuple(asked.get("Capabilities", ())),
            administration_role_arn=asked.get("AdministrationRoleARN"),
            execution_role_name=asked.get("ExecutionRoleName"),
            managed_execution=bool(asked.get("ManagedExecution", {}).get("Active")),
        )

    def _fill(self, name: str, asked: Model, group: Model) -> Begin:
        def begin(operation_id: str) -> str:
            request = InstancesRequest(
                name=name,
                places=tuple(sorted(_places({"StackInstancesGroup": [group]}))),
                overrides=_parameters(group.get("ParameterOverrides", ())),
                preferences=read_preferences(asked.get("OperationPreferences")),
                operation_id=operation_id,
            )
            return self._instances.create(self._scope, request)

        return begin

    def _empty(self, name: str, asked: Model, places: tuple[tuple[str, str], ...]) -> Begin:
        def begin(operation_id: str) -> str:
            request = InstancesRequest(
                name=name,
                places=places,
                preferences=read_preferences(asked.get("OperationPreferences")),
                operation_id=operation_id,
            )
            return self._instances.delete(self._scope, request, retain=False)

        return begin


def _places(model: Model) -> set[tuple[str, str]]:
    """Return every account and Region in the resource's instance groups."""
    return {
        place
        for group in model.get("StackInstancesGroup", ())
        for place in every(group["DeploymentTargets"].get("Accounts", ()), group["Regions"])
    }


def _parameters(given: Sequence[Model]) -> tuple[GivenParameter, ...]:
    return tuple(GivenParameter(each["ParameterKey"], each["ParameterValue"]) for each in given)


def _model(found: StackSetRecord, call: HandlerCall) -> dict[str, Any]:
    """The stack set as its resource; parameters that have their defaults are shown where the template names them."""
    definition = found.definition
    declared = parse_template(definition.template).value.get("Parameters", {})
    named = {each["ParameterKey"] for each in (call.desired or {}).get("Parameters", ())}
    parameters = [
        {"ParameterKey": key, "ParameterValue": value}
        for key, value in definition.parameters.items()
        if key in named or as_text(declared.get(key, {}).get("Default")) != value
    ]
    model = {
        "StackSetId": found.full_id,
        "StackSetName": found.name,
        "PermissionModel": "SELF_MANAGED",
        "TemplateBody": definition.template,
        "Description": definition.description,
        "Parameters": parameters or None,
        "Capabilities": list(definition.capabilities) or None,
        "Tags": [{"Key": key, "Value": value} for key, value in definition.tags.items()] or None,
        "AdministrationRoleARN": definition.administration_role_arn,
        "ExecutionRoleName": definition.execution_role_name,
        "ManagedExecution": {"Active": True} if definition.managed_execution else None,
    }
    return {name: each for name, each in model.items() if each is not None}
