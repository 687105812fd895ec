"""The functions that macros and custom resources name: those of stacks, run here, and those of the project."""

import contextlib
import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from urllib.parse import quote

from formwork.aws.scope import Scope
from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import Database
from formwork.lambda_host import Outcome, OutcomeKind, http_messages
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import fetch_object
from formwork.provisioning.functions.finding import InvokeFunction, find_function
from formwork.provisioning.functions.running import FunctionRunner
from formwork.registry import HandlerSettings

InvokeApi = Callable[[http_messages.Request], http_messages.Response]


@contextlib.contextmanager
def open_functions(
    database: Database, objects: ObjectStore, handlers: HandlerSettings, invoke: InvokeApi
) -> Iterator[InvokeFunction]:
    """What invokes a function by its name or ARN; `invoke` is the Invoke API of the project's functions."""

    def fetch(scope: Scope, url: str) -> bytes:
        return fetch_object(objects, account=scope.account, url=url)

    with contextlib.closing(FunctionRunner(handlers, fetch)) as runner:

        def run(scope: Scope, function: str, payload: bytes) -> Outcome | None:
            deployed = find_function(database, scope, function)
            return invoke_project(invoke, function, payload) if deployed is None else runner.invoke(deployed, payload)

        yield run


def invoke_project(invoke: InvokeApi, function: str, payload: bytes) -> Outcome | None:
    """What a function of the project answers; None where it has none of this name."""
    path = f"/2015-03-31/functions/{quote(function, safe='')}/invocations"
    headers = {"host": "localhost", "content-type": "application/json"}
    response = invoke(http_messages.Request("POST", path, "", headers, payload))
    if response.status == HTTPStatus.NOT_FOUND:
        return None
    if response.status != HTTPStatus.OK:
        raise EnvironmentProblemError(str(json.loads(response.body).get("Message")))
    failed = "X-Amz-Function-Error" in response.headers
    kind = OutcomeKind.HANDLER_ERROR if failed else OutcomeKind.RETURNED
    return Outcome(kind, response.body, response.headers.get("x-amzn-RequestId", ""))
