"""Resources of types without handlers: kept as their schema says, in the engine's own table.

They are marked in events: nothing but this table knows them.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import select

from formwork.durable import Database
from formwork.engine.outcomes import Outcome, read_outcome
from formwork.engine.provisioning.aws_values import decided_values
from formwork.engine.provisioning.provisioner import HandlerCall
from formwork.engine.store.tables import simulated
from formwork.registry.scope import Scope
from formwork.schema import ResourceSchema
from formwork.simulate import Simulator
from formwork.simulate.store import Resource


class SimulatedProvisioner:
    """The simulator of one type, its resources in the database."""

    version = None
    note: str | None = "simulated"

    def __init__(self, schema: ResourceSchema, database: Database, scope: Scope) -> None:
        self.schema = schema
        self._database = database
        self._scope = scope
        self._lock = threading.Lock()
        self._simulator = Simulator(schema)
        self._kept: dict[str, tuple[str, str]] = {}  # key → token and model as the table has them
        self._loaded = False

    def invoke(self, call: HandlerCall) -> Outcome:
        """See `Provisioner.invoke`."""
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
            request["decided"] = decided_values(self.schema, call, self._scope)
        with self._lock:
            self._load()
            event = self._simulator(request)
            self._keep()
        return read_outcome(call.action, event, None)

    def _load(self) -> None:
        """The table's resources into the simulator: once, or each time where others write the table too."""
        if self._loaded and not self._database.shared:
            return
        store = self._simulator.store
        store.resources.clear()
        with self._database.read() as connection:
            rows = connection.execute(select(simulated).where(*self._mine()).order_by(simulated.c.number)).all()
        for row in rows:
            store.resources[row.identifier] = Resource(row.identifier, json.loads(row.model_json), row.token)
            store.serial = max(store.serial, row.number)
        self._kept = {row.identifier: (row.token, row.model_json) for row in rows}
        self._loaded = True

    def _keep(self) -> None:
        """What the call has changed into the table."""
        store = self._simulator.store
        gone = [key for key in self._kept if key not in store.resources]
        changed = dict(self._changed(store.resources))
        if not gone and not changed:
            return
        with self._database.begin() as connection:
            for key in (*gone, *(key for key in changed if key in self._kept)):
                connection.execute(simulated.delete().where(*self._mine(), simulated.c.identifier == key))
                self._kept.pop(key)
            for key, (token, model) in changed.items():
                store.serial += 1
                connection.execute(
                    simulated.insert().values(
                        account=self._scope.account,
                        region=self._scope.region,
                        type=self.schema.type_name,
                        identifier=key,
                        number=store.serial,
                        token=token,
                        model_json=model,
                    )
                )
                self._kept[key] = token, model

    def _changed(self, resources: Mapping[str, Resource]) -> Iterator[tuple[str, tuple[str, str]]]:
        for key, each in resources.items():
            # Nothing ever reads a secret again: the table need not have it.
            content = each.token, json.dumps(self.schema.without_write_only(each.model))
            if self._kept.get(key) != content:
                yield key, content

    def _mine(self) -> tuple[Any, ...]:
        return (
            simulated.c.account == self._scope.account,
            simulated.c.region == self._scope.region,
            simulated.c.type == self.schema.type_name,
        )


def _plain(model: Mapping[str, Any] | None) -> Any:
    """A copy of a model in JSON's own types: secrets are marked by a type that validators don't know."""
    return json.loads(json.dumps(model))
