"""Lambda's API: the functions of the project that is served, and those of stacks.

A name that both have is the project's. Functions of stacks can be invoked, listed and described; nothing here changes
them, since their stacks do.
"""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import unquote

from formwork.aws.scope import Scope
from formwork.lambda_host.http_messages import Request, Response
from formwork.lambda_host.invoke_api import FunctionHost, InvokeApi
from formwork.provisioning.functions.finding import DeployedFunction

# What follows a function's name in requests that describe it.
_DESCRIBED: tuple[list[str], ...] = ([], ["configuration"])
_SHOWN = ("Runtime", "Role", "Handler", "Description", "Layers", "Architectures")


class DeployedFunctions(FunctionHost, Protocol):
    """The functions of the stacks of an account and Region."""

    @property
    def deployed(self) -> Mapping[str, DeployedFunction]:
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
        answer = self._project(request)
        steps = [unquote(each) for each in request.path.strip("/").split("/")]
        listing = request.method == "GET" and steps == ["2015-03-31", "functions"]
        if answer.status != HTTPStatus.NOT_FOUND and not listing:
            return answer
        self._expect()
        assert self._of is not None
        functions = self._of(scope)
        match steps:
            case ["2015-03-31", "functions"] if listing:
                return _with_more(answer, [_configuration(each) for each in functions.deployed.values()])
            case ["2015-03-31", "functions", name, *rest] if request.method == "GET" and rest in _DESCRIBED:
                found = functions.deployed.get(_name(name))
                return answer if found is None else _described(found, whole=not rest)
            case ["2015-03-31", "functions", name, "invocations"] if _name(name) in functions.function_names:
                return InvokeApi(functions).respond(request)
            case _:
                return answer


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


def _described(function: DeployedFunction, *, whole: bool) -> Response:
    configuration = _configuration(function)
    body = {"Configuration": configuration, "Code": {}} if whole else configuration
    return Response(HTTPStatus.OK, json.dumps(body).encode())


def _configuration(function: DeployedFunction) -> dict[str, Any]:
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
