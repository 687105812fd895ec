"""Macros of the users': a resource AWS::CloudFormation::Macro names a Lambda function, which gets the fragment.

Source: CloudFormation user guide, "Create a CloudFormation macro definition"; the event and the refusals as recorded.
"""

import json
import re
import uuid
from typing import Any

from sqlalchemy import select

from formwork.aws.scope import Scope
from formwork.diagnostics import FormworkError
from formwork.durable import Database
from formwork.lambda_host.outcome import Outcome
from formwork.preparation.dependencies import TransformCall
from formwork.provisioning.functions.finding import FunctionInvoker
from formwork.stacks.errors import MacroError, ProcessingError
from formwork.stacks.statuses import ResourceStatus
from formwork.stacks.store.tables import resources, stacks

MACRO_TYPE = "AWS::CloudFormation::Macro"
_STANDING = (ResourceStatus.CREATE_COMPLETE, ResourceStatus.UPDATE_COMPLETE)
_OF_ACCOUNT = re.compile(r"(\d{12})::(.+)", re.ASCII)


class Macros:
    """The macros that stacks of a database define, run by `functions`."""

    def __init__(self, database: Database, functions: FunctionInvoker) -> None:
        self._database = database
        self._functions = functions

    def run(self, scope: Scope, call: TransformCall) -> Any:
        """Run a macro, and return the fragment that it responds with.

        Raises:
            ProcessingError: there is none of this name, or it failed.
        """
        named = _OF_ACCOUNT.fullmatch(call.name)
        home, name = (Scope(named[1], scope.region), named[2]) if named else (scope, call.name)
        full_name = f"{home.account}::{name}"
        function = self._function(home, name)
        if function is None:
            raise ProcessingError(f"No transform named {full_name} found.")
        event = {
            "region": scope.region,
            "accountId": scope.account,
            "fragment": call.fragment,
            "transformId": full_name,
            "params": dict(call.parameters),
            "requestId": str(uuid.uuid4()),
            "templateParameterValues": dict(call.values),
        }
        try:
            outcome = self._functions.invoke(home, function, json.dumps(event).encode())
        except FormworkError as error:  # it can't be run on this machine
            raise MacroError(full_name, f"{error}.") from error
        if outcome is None:
            raise MacroError(full_name, f"the function {function} is not here: neither a stack nor a project has it.")
        return _fragment(full_name, event["requestId"], outcome)

    def _function(self, scope: Scope, name: str) -> str | None:
        """Return the function of a macro that is deployed."""
        query = (
            select(resources.c.properties_json)
            .join(stacks, stacks.c.id == resources.c.stack_id)
            .where(stacks.c.account == scope.account, stacks.c.region == scope.region, stacks.c.live.is_(True))
            .where(resources.c.type == MACRO_TYPE, resources.c.status.in_([str(each) for each in _STANDING]))
            .order_by(resources.c.updated.desc())
        )
        with self._database.read() as connection:
            found = [json.loads(text) for text in connection.execute(query).scalars()]
        return next((str(each["FunctionName"]) for each in found if each.get("Name") == name), None)


def _fragment(name: str, request_id: object, outcome: Outcome) -> Any:
    """Return the fragment in a macro's response, after checking it."""
    malformed = ProcessingError(f"Received malformed response from transform {name}")
    if outcome.function_error is not None:
        raise malformed
    try:
        answer = json.loads(outcome.body)
    except (ValueError, RecursionError):
        raise malformed from None
    if not isinstance(answer, dict) or answer.get("requestId") != request_id:
        raise malformed
    if str(answer.get("status")).lower() != "success":
        if message := answer.get("errorMessage"):
            raise MacroError(name, str(message))
        raise ProcessingError(f"Transform {name} failed without an error message.")
    if "fragment" not in answer:
        raise malformed
    return answer["fragment"]
