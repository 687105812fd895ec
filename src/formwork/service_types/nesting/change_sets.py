"""Change sets of stacks with nested stacks: one for each of them, made, executed and deleted through the root's.

Source: CloudFormation user guide, "Create change sets for nested stacks".
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.engine.change_sets import NO_CHANGES, ChangeSets, FoundChangeSet, NewChangeSet
from formwork.engine.changes.differences import KNOWN_AFTER_APPLY
from formwork.engine.changes.values import ChangeAction, ChangeSource
from formwork.engine.deletion import begin_deletion
from formwork.engine.planning.requests import StackRequest
from formwork.provisioning import HandlerCall
from formwork.service_types.nesting.bounds import check_nesting
from formwork.service_types.nesting.children import Parent, child_name, child_request
from formwork.stacks.errors import StackError
from formwork.stacks.statuses import StackStatus
from formwork.stacks.store.change_sets import delete_change_set, get_change_set, list_change_sets, write_change_set
from formwork.stacks.store.records import STACK_TYPE, ChangeSetRecord, ChangeSetRequest, OperationOptions, StackRecord
from formwork.stacks.store.stacks import get_stack

_UNSETTLED = frozenset({"CREATE_COMPLETE", "CREATE_IN_PROGRESS"})


class _Change(Struct, frozen=True):
    """The change of a nested stack in its parent's change set."""

    logical_id: str
    physical_id: str | None
    properties: Mapping[str, Any]


class NestedChangeSets(ChangeSets):
    """Change sets that include those of nested stacks if the request says so."""

    def make(self, scope: Scope, asked: NewChangeSet) -> FoundChangeSet:
        """Create a change set for the stack, and for its nested stacks if requested."""
        found = super().make(scope, asked)
        if not asked.request.include_nested or found.record.status not in _UNSETTLED:
            return found
        children: dict[str, str] = {}
        unchanged: set[str] = set()
        for change in self._nested(found):
            child, problem = self._create_child(scope, found, change)
            if problem is not None:
                self._refuse(found, change.logical_id, problem)
            elif child is None:
                continue
            elif child.record.reason == NO_CHANGES:
                self._forget(child.record)
                unchanged.add(change.logical_id)
            else:
                children[change.logical_id] = child.arn
                if child.record.status == "FAILED":
                    problem = f"Nested change set {child.arn} was not successfully created: Currently in FAILED."
                    self._refuse(found, change.logical_id, problem)
        return self._note_children(found, children, unchanged)

    def execute(
        self, scope: Scope, name: str, stack_name: str | None, *, token: str | None, options: OperationOptions
    ) -> None:
        """Begin the operation; the nested change sets are executed as it comes to their stacks."""
        found = self.expect(scope, name, stack_name)
        self._refuse_nested(found, "executed")
        with self._engine.database.read() as connection:
            others = [each for each in list_change_sets(connection, found.stack.id) if each.id != found.record.id]
        super().execute(scope, name, stack_name, token=token, options=options)
        for each in others:
            self._forget_children(scope, each)

    def delete(self, scope: Scope, name: str, stack_name: str | None) -> None:
        """Delete the change set, those of nested stacks, and the stacks that were created only for them."""
        try:
            found = self.expect(scope, name, stack_name)
        except StackError:
            found = None
        if found is not None:
            self._refuse_nested(found, "deleted")
            self._forget_children(scope, found.record)
        super().delete(scope, name, stack_name)

    # -- inside

    def _nested(self, found: FoundChangeSet) -> Iterator[_Change]:
        """Return the nested stacks that a change set creates or may change; their stored properties are masked."""
        assert found.record.target is not None
        for each in self._engine.planner.find_changes(found.stack, found.record.target).with_values:
            if each.type == STACK_TYPE and each.after_context is not None and each.action is not ChangeAction.REMOVE:
                properties: Any = each.after_context["Properties"]
                yield _Change(each.logical_id, each.physical_id, properties)

    def _create_child(
        self, scope: Scope, found: FoundChangeSet, change: _Change
    ) -> tuple[FoundChangeSet | None, str | None]:
        """Create the change set of a nested stack; return it, or what is wrong with its template.

        There is none where the values that the stack gets are only known once other resources are made.
        """
        engine, record = self._engine, found.record
        assert record.target is not None
        try:
            call = HandlerCall(action="CREATE", desired=change.properties, token=record.id, tags=record.target.tags)
            template = engine.settings.templates.fetch_nested(scope, change.properties["TemplateURL"])
            known = self._stack_at(change.physical_id)
            name = child_name(found.stack.name, change.logical_id, record.id) if known is None else known.name
            parent = Parent(found.stack, record.target)
            request = child_request(name, template, call, parent, OperationOptions())
            if known is None:
                check_nesting(engine.database, parent, request)
            asked = NewChangeSet(
                name=child_name(record.name, change.logical_id, record.id),
                kind="CREATE" if known is None else "UPDATE",
                stack=request,
                request=ChangeSetRequest(
                    capabilities=list(record.request.capabilities),
                    include_nested=True,
                    deployment_mode=record.request.deployment_mode,
                    disable_validation=record.request.disable_validation,
                    parent=found.arn,
                    root=record.request.root or found.arn,
                ),
            )
            return self.create(scope, asked), None
        except StackError as error:
            unknown = KNOWN_AFTER_APPLY in json.dumps(dict(change.properties))
            return None, None if unknown else error.message

    def _stack_at(self, physical_id: str | None) -> StackRecord | None:
        if physical_id is None:
            return None
        with self._engine.database.read() as connection:
            return get_stack(connection, physical_id.rpartition("/")[2])

    def _refuse(self, found: FoundChangeSet, logical_id: str, problem: str) -> None:
        """Fail the change set because a nested one could not be created."""
        with self._engine.database.begin() as connection:
            record = get_change_set(connection, found.record.id)
            if record is not None and record.status != "FAILED":
                reason = problem if problem.startswith("Nested change set") else f"{logical_id}: {problem}"
                failed = replace(record, status="FAILED", execution_status="UNAVAILABLE", reason=reason)
                write_change_set(connection, failed)

    def _note_children(self, found: FoundChangeSet, children: Mapping[str, str], unchanged: set[str]) -> FoundChangeSet:
        """Store the change set of each nested stack; drop the changes of those that stay as they are."""
        with self._engine.database.begin() as connection:
            record = get_change_set(connection, found.record.id)
            assert record is not None
            changes = json.loads(record.changes)
            left = {
                name: [each for each in changes[name] if not _stays(each, unchanged)]
                for name in ("plain", "with_values")
            }
            request = replace(record.request, children=dict(children))
            record = replace(record, request=request, changes=json.dumps(left))
            if unchanged and not left["plain"] and record.status in _UNSETTLED and not self._outputs_differ(found):
                record = replace(record, status="FAILED", execution_status="UNAVAILABLE", reason=NO_CHANGES)
            write_change_set(connection, record)
        return replace(found, record=record)

    @staticmethod
    def _outputs_differ(found: FoundChangeSet) -> bool:
        deployed, target = found.stack.deployed, found.record.target
        assert target is not None
        return deployed is None or deployed.template.get("Outputs") != target.template.get("Outputs")

    @staticmethod
    def _refuse_nested(found: FoundChangeSet, verb: str) -> None:
        root = found.record.request.root
        if root is not None:
            raise StackError(
                f"ChangeSet [{found.arn}] is nested and can only be {verb} from the root change set [{root}]"
            )

    def _forget_children(self, scope: Scope, record: ChangeSetRecord) -> None:
        for arn in record.request.children.values():
            with self._engine.database.read() as connection:
                child = get_change_set(connection, arn.rpartition("/")[2])
                stack = None if child is None else get_stack(connection, child.stack_id)
            if child is None or stack is None:
                continue
            self._forget_children(scope, child)
            self._forget(child)
            if stack.status is StackStatus.REVIEW_IN_PROGRESS:
                request = StackRequest(name=stack.name, template=None, options=OperationOptions(unasked=True))
                begin_deletion(self._engine, stack, request)

    def _forget(self, record: ChangeSetRecord) -> None:
        with self._engine.database.begin() as connection:
            delete_change_set(connection, record.id)


def _stays(change: Mapping[str, Any], unchanged: set[str]) -> bool:
    automatic = all(each["source"] == ChangeSource.AUTOMATIC for each in change["details"])
    return change["logical_id"] in unchanged and automatic
