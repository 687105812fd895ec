"""The parameters of Parameter Store that stacks and Cloud Control have made here."""

import uuid
from collections.abc import Callable

from msgspec import Struct
from sqlalchemy import select

from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.outcomes import Succeeded
from formwork.provisioning.provisioner import HandlerCall, Provisioner
from formwork.stacks.store.tables import events, stacks

TYPE = "AWS::SSM::Parameter"
_WRITTEN = ("CREATE_COMPLETE", "UPDATE_COMPLETE")


class StackParameter(Struct, frozen=True):
    """A parameter; `version` counts how often stacks have written it, `modified` is when they last did."""

    name: str
    type: str
    value: str
    version: int
    modified: float | None


class StackParameters:
    """Evaluates a stack's parameters; `find` returns the provisioner of a type."""

    def __init__(self, database: Database, find: Callable[[Scope, str], Provisioner | None]) -> None:
        self._database = database
        self._find = find

    def get(self, scope: Scope, name: str) -> StackParameter | None:
        """Return the parameter of that name, or of `NAME:VERSION` if the version is the current one; else None."""
        name, _, version = name.partition(":")
        provisioner = self._find(scope, TYPE)
        if provisioner is None:
            return None
        call = HandlerCall(action="READ", desired={"Name": name}, token=str(uuid.uuid4()))
        outcome = call_provisioner(provisioner, call)
        if not isinstance(outcome, Succeeded) or outcome.model is None or "Value" not in outcome.model:
            return None
        number, modified = self._history(scope, name)
        if version and version != str(number):
            return None
        model = outcome.model
        return StackParameter(name, str(model.get("Type", "String")), str(model["Value"]), number, modified)

    def names(self, scope: Scope) -> list[str]:
        """Return the names of the parameters, sorted."""
        provisioner = self._find(scope, TYPE)
        if provisioner is None or "list" not in provisioner.schema.handlers:
            return []
        outcome = call_provisioner(provisioner, HandlerCall(action="LIST", desired={}, token=str(uuid.uuid4())))
        models = outcome.models if isinstance(outcome, Succeeded) else ()
        return sorted(str(each["Name"]) for each in models if "Name" in each)

    def _history(self, scope: Scope, name: str) -> tuple[int, float | None]:
        """Return how often the parameter was written since it was created, and when last."""
        query = (
            select(events.c.status, events.c.time)
            .join(stacks, stacks.c.id == events.c.stack_id)
            .where(stacks.c.account == scope.account, stacks.c.region == scope.region)
            .where(events.c.type == TYPE, events.c.physical_id == name, events.c.status.in_(_WRITTEN))
            .order_by(events.c.number)
        )
        number, modified = 0, None
        with self._database.read() as connection:
            for row in connection.execute(query):
                number = 1 if row.status == "CREATE_COMPLETE" else number + 1
                modified = row.time
        return max(number, 1), modified
