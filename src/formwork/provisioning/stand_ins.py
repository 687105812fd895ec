"""Stand-ins for AWS's own types that are not registered and whose schema is available: moto and the simulator."""

import functools
import json
import threading
from collections.abc import Mapping

from sqlalchemy import select

from formwork.aws.scope import Scope
from formwork.documents import DocumentFormat, parse_document
from formwork.durable import Database
from formwork.provisioning.moto_stacks import Moto, MotoProvisioner, moto_schema
from formwork.provisioning.provisioner import Provisioner
from formwork.provisioning.simulated import SimulatedProvisioner
from formwork.schema import ResourceSchema, load_resource_schema
from formwork.schema.at_hand import SchemaSource
from formwork.stacks.store.tables import simulated

_AWS = ("AWS::", "Alexa::")
# What these types do, they do to CloudFormation: a stand-in would only claim it. Those that work here need none.
_CLOUDFORMATION = "AWS::CloudFormation::"
_WHERE_SCHEMAS_ARE = (
    "no schema of it is at hand: install cfn-lint, or a newer one, where this server runs, or put the schema into a "
    "folder that --schemas names, or into `schemas` of the state folder"
)


class StandIns:
    """The stand-ins of every account and Region; third-party types have none.

    `moto` is used for the types that it can create and delete, the simulator for the others.
    """

    def __init__(self, database: Database, schema_of: SchemaSource, moto: Moto | None = None) -> None:
        self._database = database
        self._schema_of = schema_of
        self._moto = moto
        self._lock = threading.Lock()
        self._known: dict[tuple[Scope, str], Provisioner] = {}

    def find(self, scope: Scope, type_name: str) -> Provisioner | None:
        """Return the stand-in for the type's handlers, None if there is none."""
        if not type_name.startswith(_AWS) or type_name.startswith(_CLOUDFORMATION):
            return None
        key = scope, type_name
        with self._lock:
            if key not in self._known:
                text = self._schema_of(type_name)
                made = None if text is None else self._make(scope, type_name, text)
                if made is None:
                    return None  # its schema may be there the next time
                self._known[key] = made
            return self._known[key]

    def list_types(self, scope: Scope) -> list[str]:
        """Return the types of which there may be resources: simulated ones, and those that moto was asked about."""
        query = select(simulated.c.type).where(simulated.c.account == scope.account, simulated.c.region == scope.region)
        with self._database.read() as connection:
            found = set(connection.execute(query.distinct()).scalars())
        with self._lock:
            found |= {name for place, name in self._known if place == scope}
        return sorted(found)

    def _make(self, scope: Scope, type_name: str, text: str) -> Provisioner | None:
        abilities = self._models.get(type_name, ())
        if self._moto is None or "delete" not in abilities:
            schema, _ = read_schema(text, type_name)
            return None if schema is None else SimulatedProvisioner(schema, self._database, scope)
        schema, _ = read_schema(json.dumps(moto_schema(json.loads(text), list(abilities))), type_name)
        return None if schema is None else MotoProvisioner(schema, self._moto, scope)

    @functools.cached_property
    def _models(self) -> Mapping[str, list[str]]:
        return {} if self._moto is None else self._moto.server.stack_models()

    def explain(self, type_name: str) -> str | None:
        """Return why a type of AWS has no stand-in and what to do; None for types that never have one."""
        if not type_name.startswith(_AWS):
            return None
        if type_name.startswith(_CLOUDFORMATION):
            return f"{type_name} is not available on this machine, and is never simulated"
        text = self._schema_of(type_name)
        if text is None:
            return f"{type_name} is simulated where its schema is known, and {_WHERE_SCHEMAS_ARE}"
        return read_schema(text, type_name)[1]


def read_schema(text: str, name: str) -> tuple[ResourceSchema | None, str | None]:
    """Parse a schema; return it, or why the text is invalid."""
    loaded = load_resource_schema(parse_document(text, name=f"{name}.json", format=DocumentFormat.JSON))
    if loaded.schema is not None:
        return loaded.schema, None
    first = loaded.diagnostics[0]
    return None, f"the schema of {name} can't be used: {first.location.pointer or '/'}: {first.message}"
