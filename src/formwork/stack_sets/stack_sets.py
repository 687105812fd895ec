"""Stack sets themselves: made, changed, deleted and looked at."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value
from formwork.engine.engine import Engine
from formwork.engine.planning.requests import digest
from formwork.preparation.parameters import GivenParameter
from formwork.stack_sets.definitions import DefinitionRequest, define
from formwork.stack_sets.errors import (
    created_but_modified,
    instance_not_found,
    name_taken,
    not_empty,
    operation_in_progress,
    stack_set_not_found,
)
from formwork.stack_sets.preferences import Preferences
from formwork.stack_sets.records import Instance, InstanceStatus, SetOperationAction, StackSetRecord
from formwork.stack_sets.starting import Asked, Starter
from formwork.stack_sets.store import (
    find_stack_set,
    insert_stack_set,
    list_instances,
    list_operations,
    list_stack_sets,
    write_instance,
    write_stack_set,
)
from formwork.stacks.errors import StackError


class StackSetChange(Struct, frozen=True, kw_only=True):
    """A request for UpdateStackSet; `targets` are the accounts and Regions to update, None for all."""

    name: str
    definition: DefinitionRequest
    operation_id: str | None = None
    preferences: Preferences
    targets: tuple[tuple[str, str], ...] | None = None


class StackSets:
    """The stack sets of an engine. Every method raises StackError for what the service refuses."""

    def __init__(self, engine: Engine, starter: Starter) -> None:
        self._engine = engine
        self._starter = starter

    def create(
        self,
        scope: Scope,
        name: str,
        request: DefinitionRequest,
        *,
        token: str | None = None,
        source: str | None = None,
    ) -> StackSetRecord:
        """Create a stack set; `source` is a stack whose template and parameters it takes."""
        if source is not None:
            request = self._of_stack(scope, request, source)
        asked = digest([name, as_json_value(request)])
        with self._engine.database.read() as connection:
            known = find_stack_set(connection, scope, name)
        if known is not None:
            return self._again(known, token, asked)
        record = StackSetRecord(
            id=str(uuid.uuid4()),
            scope=scope,
            name=name,
            created=self._engine.settings.now(),
            deleted=None,
            definition=define(self._engine, scope, request, None),
            token=token,
            request=asked,
        )
        try:
            with self._engine.database.begin() as connection:
                insert_stack_set(connection, record)
        except IntegrityError as error:
            raise name_taken(name) from error
        return record

    def _of_stack(self, scope: Scope, request: DefinitionRequest, source: str) -> DefinitionRequest:
        deployment = self._engine.lookups.current_deployment(scope, source)
        named = {each.key for each in request.parameters}
        kept = tuple(GivenParameter(key, value) for key, value in deployment.given.items() if key not in named)
        return replace(request, template=deployment.original, parameters=(*request.parameters, *kept))

    def _again(self, known: StackSetRecord, token: str | None, asked: str) -> StackSetRecord:
        if token is None or token != known.token or asked != known.request:
            raise name_taken(known.name)
        with self._engine.database.read() as connection:
            changed = any(each.action is SetOperationAction.UPDATE for each in list_operations(connection, known.id))
        if changed:
            raise created_but_modified(known.name)
        return known

    def update(self, scope: Scope, change: StackSetChange) -> str:
        """Begin to update a stack set and its instances; return the operation's id."""

        def plan(connection: Connection, record: StackSetRecord) -> Sequence[Instance]:
            definition = define(self._engine, scope, change.definition, record.definition)
            write_stack_set(connection, replace(record, definition=definition))
            instances = []
            for each in list_instances(connection, record.id):
                overrides = {key: value for key, value in each.overrides.items() if key in definition.parameters}
                outdated = replace(each, overrides=overrides, status=InstanceStatus.OUTDATED)
                write_instance(connection, record.id, outdated)
                instances.append(outdated)
            if change.targets is None:
                return instances
            return [_expect(record, instances, *each) for each in change.targets]

        asked = Asked(
            action=SetOperationAction.UPDATE,
            operation_id=change.operation_id,
            what=as_json_value(change),
            preferences=change.preferences,
        )
        return self._starter.begin(scope, change.name, asked, plan)

    def delete(self, scope: Scope, name: str) -> None:
        """Delete a stack set that has no instances; does nothing if it does not exist."""
        with self._engine.database.begin() as connection:
            record = find_stack_set(connection, scope, name, lock=True)
            if record is None or record.deleted is not None:
                return
            if any(not each.status.ended for each in list_operations(connection, record.id)):
                raise operation_in_progress(record.arn)
            if list_instances(connection, record.id):
                raise not_empty(record.name)
            write_stack_set(connection, replace(record, deleted=self._engine.settings.now()))

    def describe(self, scope: Scope, name: str) -> tuple[StackSetRecord, list[Instance]]:
        """Return a stack set with its instances."""
        with self._engine.database.read() as connection:
            record = expect_stack_set(connection, scope, name)
            return record, list_instances(connection, record.id)

    def template(self, scope: Scope, name: str) -> str:
        """Return the text of a stack set's template."""
        return self.describe(scope, name)[0].definition.template

    def list(self, scope: Scope) -> "list[StackSetRecord]":
        """Return the stack sets of an account and Region, deleted ones too."""
        with self._engine.database.read() as connection:
            return list_stack_sets(connection, scope)


def expect_stack_set(connection: Connection, scope: Scope, name: str) -> StackSetRecord:
    """Return the stack set with a name or id.

    Raises:
        StackError: there is none.
    """
    record = find_stack_set(connection, scope, name)
    if record is None:
        raise stack_set_not_found(name)
    return record


def _expect(record: StackSetRecord, instances: Sequence[Instance], account: str, region: str) -> Instance:
    for each in instances:
        if (each.account, each.region) == (account, region):
            return each
    raise instance_not_found(record.name, account, region)


def refuse_services(permission_model: str | None, call_as: str | None) -> None:
    """Refuse what needs AWS Organizations.

    Raises:
        StackError: it is asked for; the text is the service's for an account without.
    """
    if permission_model == "SERVICE_MANAGED" or call_as == "DELEGATED_ADMIN":
        raise StackError(
            "You must enable organizations access to operate a service managed stack set. "
            "There is no AWS Organizations on this machine: use PermissionModel SELF_MANAGED and CallAs SELF."
        )


def refuse_units(targets: Mapping[str, Any]) -> None:
    """Refuse targets in organizational units, and what only they are filtered by.

    Raises:
        StackError: there are such targets.
    """
    for name in "OrganizationalUnitIds", "AccountFilterType":
        if targets.get(name) and targets[name] != "NONE":
            raise StackError(
                f"{name} can be specified only if the permission model is SERVICE_MANAGED: "
                "there is no AWS Organizations on this machine"
            )
