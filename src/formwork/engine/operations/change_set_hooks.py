"""Calls hooks for a new change set, before it can be executed.

Source: the service's hooks guide, "Evaluating change set operations": the reason is AWS's for a change set
that hooks refuse.
"""

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.engine.deployed.view import DeploymentView
from formwork.engine.operations.services import OperationServices
from formwork.hooks import HookCall, HookTarget, TargetKind, find_hooks
from formwork.hooks.asking import Answers, HookAnswer, consult, read_answers, refusal, store_answers
from formwork.hooks.payloads import change_set_payload
from formwork.stacks.store.change_sets import get_change_set, list_unanswered, write_change_set
from formwork.stacks.store.records import ChangeSetRecord, StackRecord, change_set_arn
from formwork.stacks.store.stacks import get_stack

WORKFLOW = "change-set-hooks"


def register(services: OperationServices) -> None:
    """Register the workflow; before the work is launched."""
    services.work.register(WORKFLOW, lambda identifier: _run(services, identifier))


def resume(services: OperationServices) -> None:
    """Start the hooks of change sets for which none was called yet."""
    with services.database.read() as connection:
        waiting = list_unanswered(connection)
    for identifier in waiting:
        start(services, identifier)


def start(services: OperationServices, identifier: str) -> None:
    """Start the hooks of a stored change set in CREATE_IN_PROGRESS."""
    services.work.start(WORKFLOW, f"{identifier}/hooks", identifier)


def has_hooks(services: OperationServices, stack: StackRecord, record: ChangeSetRecord) -> bool:
    """Return whether any hook targets the change set."""
    return bool(find_hooks(services.hooks, stack.scope, change_set_target(stack, record)))


def change_set_target(stack: StackRecord, record: ChangeSetRecord) -> HookTarget:
    """Return a change set as a target; its only action is the creation."""
    arn = change_set_arn(stack.scope, record.name, record.id)
    return HookTarget(
        kind=TargetKind.CHANGE_SET,
        action="CREATE",
        name=str(TargetKind.CHANGE_SET),
        identifier=arn,
        execution=stack.arn,
        stack_name=stack.name,
        role=record.request.role_arn or stack.settings.role_arn,
        change_set=arn,
    )


def _run(services: OperationServices, identifier: str) -> None:
    while (wait := services.work.step("ask", lambda: _ask(services, identifier))) is not None:
        services.work.sleep(min(wait, 5.0))


def _ask(services: OperationServices, identifier: str) -> float | None:
    """Call the hooks that are due; return the seconds until the next call, None if there is none."""
    with services.database.read() as connection:
        record = get_change_set(connection, identifier)
        stack = None if record is None else get_stack(connection, record.stack_id)
    if record is None or stack is None or record.status != "CREATE_IN_PROGRESS":
        return None
    question = _Question(services, stack, record)
    due = question.ask()
    return None if due is None else max(0.0, due - services.now())


class _Question(Struct):
    services: OperationServices
    stack: StackRecord
    record: ChangeSetRecord

    def ask(self) -> float | None:
        services, scope, name = self.services, self.stack.scope, f"change-sets/{self.record.id}"
        target = change_set_target(self.stack, self.record)
        hooks = find_hooks(services.hooks, scope, target)
        payload, before = self._payload(), self.stack.deployed
        call = HookCall(
            target=target,
            model={},
            token=self.record.id,
            payload_url=services.payloads.publish(scope, name, payload),
            payload={**payload, "previousTemplate": None if before is None else before.original},
            secrets=self._secrets(),
        )

        def keep(answers: Answers, news: Sequence[HookAnswer]) -> None:
            self.record = replace(self.record, request=replace(self.record.request, hooks=store_answers(answers)))
            with services.database.begin() as connection:
                services.hook_results.write(connection, scope, (target, hooks, news))
                self._write(connection)
            services.hook_results.announce()

        due = consult(hooks, call, read_answers(self.record.request.hooks), now=services.now, keep=keep)
        if due is None:
            services.payloads.withdraw(scope, name)
            self._settle()
        return due

    def _settle(self) -> None:
        """Set the change set's final status after all hooks have answered."""
        reason = refusal(read_answers(self.record.request.hooks))
        self.record = replace(
            self.record,
            status="CREATE_COMPLETE" if reason is None else "FAILED",
            execution_status="AVAILABLE" if reason is None else "UNAVAILABLE",
            reason=None if reason is None else f"Change set creation failed. {reason}",
        )
        with self.services.database.begin() as connection:
            self._write(connection)
        self.services.observer.changed()

    def _write(self, connection: Any) -> None:
        """Store it, unless a client has deleted it meanwhile."""
        if get_change_set(connection, self.record.id) is not None:
            write_change_set(connection, self.record)

    def _payload(self) -> dict[str, Any]:
        target = self.record.target
        changes = json.loads(self.record.changes)["with_values"]
        return change_set_payload("" if target is None else target.original, changes)

    def _secrets(self) -> list[str]:
        target = self.record.target
        if target is None:
            return []
        return DeploymentView(target, self.stack, self.services.stack_values).no_echo_values()
