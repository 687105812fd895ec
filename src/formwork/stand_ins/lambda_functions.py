"""Lambda's API: the functions of the project that is served, and those of stacks.

A name that both have is the project's. Functions of stacks can be invoked, listed and described; nothing here changes
them, since their stacks do.
"""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl, unquote

from formwork.aws.scope import Scope
from formwork.lambda_host.http_messages import Request, Response
from formwork.lambda_host.invoke_api import FunctionHost, InvokeApi

if TYPE_CHECKING:
    from formwork.provisioning.functions.finding import DeployedFunction

# What follows a function's name in requests that describe it.
_DESCRIBED: tuple[list[str], ...] = ([], ["configuration"])
_PAGE = 50
# Members that have no effect here, by their names on the wire.
_REFUSED_HEADERS = {"x-amz-durable-execution-name": "DurableExecutionName", "x-amz-tenant-id": "TenantId"}
_REFUSED_QUERY = ("MasterRegion",)
_SHOWN = ("Runtime", "Role", "Handler", "Description", "Layers", "Architectures")


class DeployedFunctions(FunctionHost, Protocol):
    """The functions of the stacks of an account and Region."""

    @property
    def deployed(self) -> "Mapping[str, DeployedFunction]":
        """The functions by name."""
        ...


class LambdaApi:
    """Answers requests: `project` first, then the functions of stacks."""

    def __init__(self, project: Callable[[Request], Response]) -> None:
        self._project = project
        self._expect: Callable[[], object] = lambda: None
        self._of: Callable[[Scope], DeployedFunctions] | None = None

    def wait_with(self, expect: Callable[[], object]) -> None:
        """Have requests about functions of stacks call `expect`, which returns once `start` has been called."""
        self._expect = expect

    def start(self, functions_of: Callable[[Scope], DeployedFunctions]) -> None:
        """Serve the functions of stacks too."""
        self._of = functions_of

    def respond(self, request: Request, scope: Scope) -> Response:
        """Answer a request; blocks while the function runs."""
        if (refused := _refused(request)) is not None:
            return refused
        answer = self._project(request)
        steps = [unquote(each) for each in request.path.strip("/").split("/")]
        listing = request.method == "GET" and steps == ["2015-03-31", "functions"]
        if answer.status != HTTPStatus.NOT_FOUND and not listing:
            return answer
        self._expect()
        assert self._of is not None
        return _respond_for_stacks(self._of(scope), request, steps, answer)


def _respond_for_stacks(functions: DeployedFunctions, request: Request, steps: list[str], answer: Response) -> Response:
    """Answer a request from the functions of stacks too; `answer` is the project's."""
    query = dict(parse_qsl(request.query))
    match steps:
        case ["2015-03-31", "functions"] if request.method == "GET":
            found = _with_more(answer, [_configuration(each) for each in functions.deployed.values()])
            return _paged(found, query)
        case ["2015-03-31", "functions", name, *rest] if request.method == "GET" and rest in _DESCRIBED:
            function = functions.deployed.get(_name(name))
            if function is None:
                return answer
            qualifier = query.get("Qualifier", "$LATEST")
            return _described(function, whole=not rest) if qualifier == "$LATEST" else _absent(function, qualifier)
        case ["2015-03-31", "functions", name, "invocations"] if _name(name) in functions.function_names:
            return InvokeApi(functions).respond(request)
        case _:
            return answer


def _refused(request: Request) -> Response | None:
    """Return the refusal of a request with a member that has no effect here, None for any other."""
    query = dict(parse_qsl(request.query))
    found = [member for name, member in _REFUSED_HEADERS.items() if name in request.headers]
    found += [name for name in _REFUSED_QUERY if name in query]
    return (
        _error(HTTPStatus.BAD_REQUEST, "InvalidParameterValueException", f"{found[0]} is not available here")
        if found
        else None
    )


def _absent(function: "DeployedFunction", qualifier: str) -> Response:
    message = f"Function not found: {function.arn}:{qualifier}"
    return _error(HTTPStatus.NOT_FOUND, "ResourceNotFoundException", message)


def _error(status: HTTPStatus, code: str, message: str) -> Response:
    body = {"Type": "User", "Message": message, "message": message}
    return Response(status, json.dumps(body).encode(), {"x-amzn-ErrorType": code})


def _paged(answer: Response, query: Mapping[str, str]) -> Response:
    """Return the page of a list of functions that a request asks for; the marker is the name that it begins after."""
    functions = sorted(json.loads(answer.body)["Functions"], key=lambda each: str(each["FunctionName"]))
    left = [each for each in functions if each["FunctionName"] > query.get("Marker", "")]
    size = query.get("MaxItems", "")
    page = left[: min(int(size), _PAGE) if size.isascii() and size.isdecimal() and int(size) else _PAGE]
    more = {"NextMarker": page[-1]["FunctionName"]} if len(page) < len(left) else {}
    return Response(answer.status, json.dumps({"Functions": page, **more}).encode(), answer.headers)


def _name(name: str) -> str:
    parts = name.split(":")
    return parts[parts.index("function") + 1] if "function" in parts[:-1] else parts[0]


def _with_more(answer: Response, functions: list[dict[str, Any]]) -> Response:
    if answer.status != HTTPStatus.OK:
        return Response(HTTPStatus.OK, json.dumps({"Functions": functions}).encode())
    known = json.loads(answer.body)["Functions"]
    names = {each["FunctionName"] for each in known}
    more = [each for each in functions if each["FunctionName"] not in names]
    return Response(answer.status, json.dumps({"Functions": [*known, *more]}).encode(), answer.headers)


def _described(function: "DeployedFunction", *, whole: bool) -> Response:
    configuration = _configuration(function)
    body = {"Configuration": configuration, "Code": {}} if whole else configuration
    return Response(HTTPStatus.OK, json.dumps(body).encode())


def _configuration(function: "DeployedFunction") -> dict[str, Any]:
    properties = function.properties
    return {
        "FunctionName": function.name,
        "FunctionArn": function.arn,
        "Version": "$LATEST",
        "State": "Active",
        "Timeout": int(properties.get("Timeout", 3)),
        "MemorySize": int(properties.get("MemorySize", 128)),
        "PackageType": properties.get("PackageType", "Zip"),
        **{name: properties[name] for name in _SHOWN if name in properties},
        **({"Environment": properties["Environment"]} if "Environment" in properties else {}),
    }
