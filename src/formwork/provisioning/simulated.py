"""Resources of types without handlers: kept as their schema says, in the engine's own table.

They are marked in events: nothing but this table knows them.
"""

import json
import threading
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, Integer, bindparam, select, text

from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.provisioning.aws_values import chosen_values, decided_values
from formwork.provisioning.outcomes import Outcome, read_outcome
from formwork.provisioning.provisioner import SIMULATED, HandlerCall
from formwork.provisioning.references import conceal
from formwork.provisioning.stack_tags import with_stack_tags
from formwork.schema import ResourceSchema
from formwork.simulate import Simulator
from formwork.simulate.resources import SimulatedResource
from formwork.stacks.store.tables import simulated

_MINE = (
    simulated.c.account == bindparam("account"),
    simulated.c.region == bindparam("region"),
    simulated.c.type == bindparam("type"),
)
_NUMBERS = select(simulated.c.identifier, simulated.c.number).where(*_MINE).order_by(simulated.c.number)
_SINCE = (
    select(simulated)
    .where(*_MINE, simulated.c.number >= bindparam("oldest", type_=Integer))
    .order_by(simulated.c.number)
)
_DELETE = simulated.delete().where(*_MINE, simulated.c.identifier == bindparam("identifier"))
_INSERT = simulated.insert()
_LOOKS = frozenset({"READ", "LIST"})


class SimulatedProvisioner:
    """The simulator of one type, its resources in the database."""

    version = None
    note: str | None = SIMULATED

    def __init__(self, schema: ResourceSchema, database: Database, scope: Scope) -> None:
        self.schema = schema
        self._database = database
        self._scope = scope
        self._lock = threading.Lock()
        self._simulator = Simulator(schema, validates=False)  # who calls has seen to that
        self._kept: dict[str, int] = {}  # key → its row's number
        self._loaded = False

    def invoke(self, call: HandlerCall) -> Outcome:
        """See `Provisioner.invoke`."""
        if call.action in {"CREATE", "UPDATE"} and call.desired is not None:
            call = replace(call, desired=with_stack_tags(self.schema, call.desired, call.tags))
        request: dict[str, Any] = {
            "action": call.action,
            "bearerToken": call.token,
            "callbackContext": call.context,
            "nextToken": call.next_token,
            "requestData": {
                "resourceProperties": _plain(call.desired),
                "previousResourceProperties": _plain(call.previous),
                "desiredResourceTags": call.tags,
            },
        }
        if call.action == "CREATE" and self.schema.type_name.startswith("AWS::"):
            plain = replace(call, desired=_plain(call.desired))
            chosen = chosen_values(self.schema, plain, self._scope)
            request["decided"] = {**chosen, **decided_values(self.schema, plain, self._scope)}
        with self._lock:
            try:
                event = self._simulate(request, call)
            except BaseException:  # nothing was kept
                self._forget()
                raise
        return read_outcome(call.action, event, None)

    def _simulate(self, request: Mapping[str, Any], call: HandlerCall) -> Mapping[str, Any]:
        writes = call.action not in _LOOKS
        if not writes or not self._database.shared:
            if not self._loaded or self._database.shared:
                with self._database.read() as connection:
                    self._load(connection)
            event = self._simulator(request)
            if writes:
                with self._database.begin() as connection:
                    self._keep(connection, call)
            return event
        with self._database.begin() as connection:  # which has the type to itself, in other processes too
            name = f"{self.schema.type_name}/{self._scope.account}/{self._scope.region}"
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:name))"), {"name": name})
            self._load(connection)
            event = self._simulator(request)
            self._keep(connection, call)
            return event

    def _forget(self) -> None:
        self._kept.clear()
        self._simulator.store.resources.clear()
        self._simulator.store.resources.touched.clear()
        self._loaded = False

    def _load(self, connection: Connection) -> None:
        """Load changed rows of the table into the simulator; a row's number changes with every change of it."""
        store = self._simulator.store
        numbers = {row.identifier: row.number for row in connection.execute(_NUMBERS, self._mine())}
        for key in [key for key in self._kept if key not in numbers]:
            del store.resources[key], self._kept[key]
        oldest = min((number for key, number in numbers.items() if self._kept.get(key) != number), default=None)
        if oldest is not None:
            for row in connection.execute(_SINCE, {**self._mine(), "oldest": oldest}):
                store.resources.pop(row.identifier, None)  # the order is that of the numbers
                store.resources[row.identifier] = SimulatedResource(
                    row.identifier, json.loads(row.model_json), row.token
                )
                self._kept[row.identifier] = row.number
        store.resources.touched.clear()
        store.serial = max(store.serial, *numbers.values(), 0)
        self._loaded = True

    def _keep(self, connection: Connection, call: HandlerCall) -> None:
        """Write the call's changes to the table."""
        store = self._simulator.store
        for key in store.resources.touched:
            if self._kept.pop(key, None) is not None:
                connection.execute(_DELETE, {**self._mine(), "identifier": key})
            each = store.resources.get(key)
            if each is None:
                continue
            store.serial += 1
            self._kept[key] = store.serial
            # Nothing reads a writeOnly property again; what a reference to a secret gave stays the reference.
            shown = conceal(self.schema.without_write_only(each.model), call.desired, call.properties)
            row = {"identifier": key, "number": store.serial, "token": each.token, "model_json": json.dumps(shown)}
            connection.execute(_INSERT, {**self._mine(), **row})
        store.resources.touched.clear()

    def _mine(self) -> dict[str, str]:
        return {"account": self._scope.account, "region": self._scope.region, "type": self.schema.type_name}


def _plain(model: Mapping[str, Any] | None) -> Any:
    """Return a copy of a model in JSON's own types: secrets are marked by a type that validators don't know."""
    return json.loads(json.dumps(model))
