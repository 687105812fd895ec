"""What an engine's macros need of the service: snippets from its S3, functions of stacks and of the project."""

import contextlib
import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from urllib.parse import quote

from formwork.api.packages import fetch_object, parse_object_url
from formwork.api.s3.errors import S3Error
from formwork.api.s3.store import ObjectStore
from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import Database
from formwork.engine.functions.finding import find_function
from formwork.engine.functions.running import FunctionRunner
from formwork.engine.transforms.include import ReadSnippet, SnippetError
from formwork.engine.transforms.macros import Macros
from formwork.engine.transforms.named import NamedTransforms
from formwork.lambda_host import Outcome, OutcomeKind, http11
from formwork.registry import HandlerSettings
from formwork.registry.scope import Scope

# A snippet is a part of a template, which has 1 MB at most.
_MAX_SNIPPET_BYTES = 1024 * 1024

InvokeApi = Callable[[http11.Request], http11.Response]


@contextlib.contextmanager
def open_transforms(
    database: Database, objects: ObjectStore, handlers: HandlerSettings, invoke: InvokeApi
) -> Iterator[NamedTransforms]:
    """The macros of an engine; `invoke` is the Invoke API of the project's functions."""

    def fetch(scope: Scope, url: str) -> bytes:
        return fetch_object(objects, account=scope.account, url=url)

    with contextlib.closing(FunctionRunner(handlers, fetch)) as runner:

        def run(scope: Scope, function: str, payload: bytes) -> Outcome | None:
            deployed = find_function(database, scope, function)
            return invoke_project(invoke, function, payload) if deployed is None else runner.invoke(deployed, payload)

        yield NamedTransforms(Macros(database, run), _snippets(objects))


def _snippets(objects: ObjectStore) -> ReadSnippet:
    def read(scope: Scope, location: str) -> bytes:
        place = parse_object_url(location)
        if place is None:
            raise SnippetError("The location parameter is not a valid S3 uri.")
        bucket, key = place
        try:
            return objects.read(objects.expect_bucket(bucket, account=scope.account), key, limit=_MAX_SNIPPET_BYTES)
        except S3Error as error:
            raise SnippetError(_refusal(error, bucket, key)) from error

    return read


def _refusal(error: S3Error, bucket: str, key: str) -> str:
    match error.code:
        case "NoSuchBucket":
            return f"S3 bucket [{bucket}] does not exist."
        case "NoSuchKey":
            return f"S3 object [{key}] does not exist in bucket [{bucket}]."
        case _:
            return f"S3 error: {error.message}"


def invoke_project(invoke: InvokeApi, function: str, payload: bytes) -> Outcome | None:
    """What a function of the project answers; None where it has none of this name."""
    path = f"/2015-03-31/functions/{quote(function, safe='')}/invocations"
    headers = {"host": "localhost", "content-type": "application/json"}
    response = invoke(http11.Request("POST", path, "", headers, payload, keep_alive=False))
    if response.status == HTTPStatus.NOT_FOUND:
        return None
    if response.status != HTTPStatus.OK:
        raise EnvironmentProblemError(str(json.loads(response.body).get("Message")))
    failed = "X-Amz-Function-Error" in response.headers
    kind = OutcomeKind.HANDLER_ERROR if failed else OutcomeKind.RETURNED
    return Outcome(kind, response.body, response.headers.get("x-amzn-RequestId", ""))
