"""Lambda functions among the resources of stacks."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct
from sqlalchemy import select

from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.lambda_host.outcome import Outcome
from formwork.stacks.store.tables import resources, stacks

FUNCTION_TYPE = "AWS::Lambda::Function"


class FunctionInvoker(Protocol):
    """Invokes Lambda functions."""

    def invoke(self, scope: Scope, function: str, payload: bytes) -> Outcome | None:
        """Invoke a function by its name or ARN; None if it is not found."""
        ...


class DeployedFunction(Struct, frozen=True):
    """A function of a stack: its name, and the properties that its template gives it."""

    scope: Scope
    name: str
    properties: Mapping[str, Any]

    @property
    def arn(self) -> str:
        """The function's ARN."""
        return f"arn:{self.scope.partition}:lambda:{self.scope.region}:{self.scope.account}:function:{self.name}"

    @property
    def digest(self) -> str:
        """A digest of the function's code and settings."""
        what = [self.scope.account, self.scope.region, self.name, dict(self.properties)]
        return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def list_functions(database: Database, scope: Scope) -> list[DeployedFunction]:
    """Return the functions of live stacks, by name."""
    query = (
        select(resources.c.physical_id, resources.c.properties_json)
        .join(stacks, stacks.c.id == resources.c.stack_id)
        .where(stacks.c.account == scope.account, stacks.c.region == scope.region, stacks.c.live.is_(True))
        .where(resources.c.type == FUNCTION_TYPE, resources.c.physical_id.is_not(None))
        .order_by(resources.c.physical_id)
    )
    with database.read() as connection:
        rows = connection.execute(query).all()
    return [DeployedFunction(scope, str(row.physical_id), json.loads(row.properties_json)) for row in rows]


def find_function(database: Database, scope: Scope, name_or_arn: str) -> DeployedFunction | None:
    """Return the function with a name or ARN, with or without a qualifier, among those of live stacks."""
    name = _name(name_or_arn)
    query = (
        select(resources.c.physical_id, resources.c.properties_json, resources.c.model_json)
        .join(stacks, stacks.c.id == resources.c.stack_id)
        .where(stacks.c.account == scope.account, stacks.c.region == scope.region, stacks.c.live.is_(True))
        .where(resources.c.type == FUNCTION_TYPE, resources.c.physical_id.is_not(None))
    )
    with database.read() as connection:
        for row in connection.execute(query):
            arn = json.loads(row.model_json).get("Arn")
            if row.physical_id in (name, name_or_arn) or name_or_arn in (arn, f"{arn}:$LATEST"):
                return DeployedFunction(scope, str(row.physical_id), json.loads(row.properties_json))
    return None


def _name(name_or_arn: str) -> str:
    parts = name_or_arn.split(":")
    return parts[parts.index("function") + 1] if "function" in parts[:-1] else parts[0]
