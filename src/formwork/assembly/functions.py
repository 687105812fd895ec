"""The functions that macros and custom resources name: those of stacks, run here, and those of the project."""

import contextlib
import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from urllib.parse import quote

from formwork.aws.scope import Scope
from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import Database
from formwork.invoke.endpoint import LambdaEndpointTransport
from formwork.lambda_host import http_messages
from formwork.lambda_host.outcome import Outcome, OutcomeKind
from formwork.object_store.store import ObjectStore
from formwork.provisioning.functions.finding import DeployedFunction, find_function, list_functions
from formwork.provisioning.functions.running import FunctionRunner
from formwork.registry.settings import HandlerSettings

InvokeApi = Callable[[http_messages.Request], http_messages.Response]


class Functions:
    """The functions of stacks, those of the project, and those of another Lambda service: a `FunctionInvoker`.

    `project` is the Invoke API of the project's functions, `endpoint` the address of the service that is asked last,
    None for none.
    """

    def __init__(self, database: Database, runner: FunctionRunner, project: InvokeApi, endpoint: str | None) -> None:
        self._database = database
        self._runner = runner
        self._project = project
        self._endpoint = endpoint

    def invoke(self, scope: Scope, function: str, payload: bytes) -> Outcome | None:
        """See `FunctionInvoker.invoke`."""
        deployed = find_function(self._database, scope, function)
        if deployed is not None:
            return self._runner.invoke(deployed, payload)
        outcome = invoke_project(self._project, function, payload)
        if outcome is None and self._endpoint is not None:
            return _invoke_elsewhere(self._endpoint, function, payload)
        return outcome

    def of(self, scope: Scope) -> "ScopedFunctions":
        """Return the functions of the stacks of an account and Region."""
        return ScopedFunctions(scope, self._database, self._runner)


class ScopedFunctions:
    """The functions of stacks of one account and Region: a `FunctionHost`."""

    def __init__(self, scope: Scope, database: Database, runner: FunctionRunner) -> None:
        self._scope = scope
        self._runner = runner
        self.deployed = {each.name: each for each in list_functions(database, scope)}

    @property
    def function_names(self) -> tuple[str, ...]:
        """See `FunctionHost`."""
        return tuple(self.deployed)

    def arn(self, name: str) -> str:
        """See `FunctionHost`."""
        return DeployedFunction(self._scope, name, {}).arn

    def invoke(
        self, name: str, payload: bytes, *, timeout: float | None = None, client_context: str | None = None
    ) -> Outcome:
        """See `FunctionHost`; the function's own timeout holds."""
        del timeout
        return self._runner.invoke(self.deployed[name], payload, client_context)


@contextlib.contextmanager
def open_functions(
    database: Database,
    objects: ObjectStore,
    handlers: HandlerSettings,
    project: InvokeApi,
    endpoint: str | None = None,
) -> Iterator[Functions]:
    """Yield the invoker of functions; processes of functions in stacks end with the context."""
    with contextlib.closing(FunctionRunner(handlers, objects)) as runner:
        yield Functions(database, runner, project, endpoint)


def _invoke_elsewhere(endpoint: str, function: str, payload: bytes) -> Outcome:
    """Invoke a function at another Lambda service, and return its outcome.

    Raises:
        EnvironmentProblemError: the service doesn't answer, or doesn't have it.
    """
    with contextlib.closing(LambdaEndpointTransport(endpoint, function)) as transport:
        answer = transport.invoke(json.loads(payload))
    kind = OutcomeKind.RETURNED if answer.function_error is None else OutcomeKind.HANDLER_ERROR
    return Outcome(kind, answer.body, "")


def invoke_project(invoke: InvokeApi, function: str, payload: bytes) -> Outcome | None:
    """Invoke a function of the served project, and return its outcome; None if the project has no such function."""
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
