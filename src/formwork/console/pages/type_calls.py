"""The calls of a type's handlers since the server started, and a recorded one sent to the handler again."""

import json
import shlex
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwork.aws.stored_values import UnresolvedReferenceError
from formwork.console.exchanges import RecordedExchange
from formwork.console.pages.type_frame import TypePage
from formwork.console.visits import NotShownError, PageVisit, ShownPage
from formwork.diagnostics import render_pointer
from formwork.diagnostics.secrets import MASK
from formwork.invoke import Exchange
from formwork.provisioning.handlers import HandlerProvisioner

_SHOWN = 200
_FOLLOW_MINUTES = 1.0  # how long the page waits for the callbacks of a replay
# What a replay takes from the service as it is now.
_RENEWED = (("requestData", "callerCredentials"), ("requestData", "typeConfiguration"), ("hookModel",))


class ReplayRefusedError(Exception):
    """A request cannot be sent; the text says why."""


def list_calls(visit: PageVisit) -> ShownPage:
    """Show the latest calls."""
    page = TypePage.of(visit)
    visit.expect_account(page.scope.account)
    found = visit.parts.exchanges.of_type(page.scope, page.name)
    lines = [("cfn", shlex.join(["cfn", "registry", "logs", page.name, "--local", "--region", page.scope.region]))]
    values = {**page.frame("calls"), "calls": found[:_SHOWN], "count": len(found), "lines": lines}
    return ShownPage("type_calls.html", values)


def show_call(visit: PageVisit) -> ShownPage:
    """Show a call, and the form to send its request again."""
    page, call = _find(visit)
    return _shown(page, call, text=_indented(call.request))


def replay(visit: PageVisit) -> ShownPage:
    """Send the request of the form to the handler, with its callbacks where the form says so, and show the answers."""
    page, call = _find(visit)
    text = visit.field("request").replace("\r\n", "\n")
    try:
        request = _request(page, text)
        if visit.field("token"):
            request |= {name: str(uuid.uuid4()) for name in ("bearerToken", "clientRequestToken") if name in request}
        answered = _send(page, request, _FOLLOW_MINUTES if visit.field("follow") else 0.0)
    except ReplayRefusedError as error:
        return _shown(page, call, text=text, problem=str(error))
    except UnresolvedReferenceError as error:
        return _shown(page, call, text=text, problem=f"the type's configuration: {error}")
    return _shown(page, call, text=text, answered=answered)


def _find(visit: PageVisit) -> tuple[TypePage, RecordedExchange]:
    page = TypePage.of(visit)
    visit.expect_account(page.scope.account)
    number = visit.path["number"]
    found = visit.parts.exchanges.find(page.scope, int(number)) if number.isdecimal() and len(number) < 12 else None
    if found is None or found.type_name != page.name:
        raise NotShownError("this call is not kept any more")
    return page, found


def _request(page: TypePage, text: str) -> dict[str, Any]:
    """Return the request that was entered, about the page's type in its account and Region.

    Raises:
        ReplayRefusedError: it is not one, or has values that were masked when it was recorded.
    """
    try:
        request = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReplayRefusedError(f"the request is not JSON: {error}") from error
    if not isinstance(request, dict):
        raise ReplayRefusedError("the request is not a JSON object")
    name = "hookTypeName" if page.kind == "HOOK" else "resourceType"
    point = "actionInvocationPoint" if page.kind == "HOOK" else "action"
    if request.get(name) != page.name:
        raise ReplayRefusedError(f'"{name}" is not "{page.name}"')
    if not isinstance(request.get(point), str):
        raise ReplayRefusedError(f'"{point}" is missing')
    if masked := masked_places(request):
        raise ReplayRefusedError(f"enter the values that were masked when the call was recorded: {', '.join(masked)}")
    return {
        **request,
        "awsAccountId": page.scope.account,
        **({"region": page.scope.region} if "region" in request else {}),
    }


def _send(page: TypePage, request: Mapping[str, Any], minutes: float) -> list[Exchange]:
    engine = page.visit.services.engine
    if page.kind == "HOOK":
        hooks = {each.type_name: each for each in engine.settings.hooks.active(page.scope)}
        if page.name not in hooks:
            raise ReplayRefusedError("the hook is not enabled: set its configuration first")
        target = engine.settings.types.find(page.scope, str((request.get("requestData") or {}).get("targetName")))
        try:
            write_only = () if target is None else target.schema.write_only
            return hooks[page.name].replay(request, write_only, follow_minutes=minutes)
        except LookupError as error:
            raise ReplayRefusedError(str(error)) from error
    version = str(request.get("resourceTypeVersion") or "") or None
    known = {str(each["VersionId"]) for each in page.versions if each["DeprecatedStatus"] == "LIVE"}
    found = engine.settings.types.find(page.scope, page.name, version if version in known else None)
    if not isinstance(found, HandlerProvisioner):
        raise ReplayRefusedError("the type has no handlers here")
    return found.replay(request, follow_minutes=minutes)


def masked_places(request: Mapping[str, Any]) -> list[str]:
    """Return the pointers of masked values, without those that a replay takes from the service as it is now."""
    found = [each for each in _masked(request, ()) if not any(each[: len(own)] == own for own in _RENEWED)]
    return [render_pointer(each) for each in found]


def _masked(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    match value:
        case dict():
            for name, each in value.items():
                yield from _masked(each, (*path, name))
        case list():
            for index, each in enumerate(value):
                yield from _masked(each, (*path, index))
        case str() if MASK in value:
            yield path
        case _:
            return


def _shown(
    page: TypePage,
    call: RecordedExchange,
    *,
    text: str,
    problem: str | None = None,
    answered: Sequence[Exchange] = (),
) -> ShownPage:
    action = "hook" if page.kind == "HOOK" else "resource"
    line = shlex.join(["cfn", "invoke", action, call.action, "request.json"])
    values = {
        **page.frame("calls"),
        "call": call,
        "text": text,
        "masked": masked_places(json.loads(call.request)),
        "problem": problem,
        "answered": answered,
        "unfinished": bool(answered) and answered[-1].unfinished,
        "followed": bool(page.visit.field("follow")),
        "lines": [("cfn, in the project's folder", line), *_lambda_lines()],
    }
    return ShownPage("type_call.html", values, 200 if problem is None else 400)


def _lambda_lines() -> list[tuple[str, str]]:
    """Return the lines for the handlers of a project that `cfn serve` serves in the project's folder."""
    address = "http://127.0.0.1:3001"
    aws = f"aws lambda invoke --endpoint-url {address} --function-name TypeFunction "
    aws += "--payload fileb://request.json answer.json"
    boto3 = (
        f'boto3.client("lambda", endpoint_url="{address}").invoke('
        'FunctionName="TypeFunction", Payload=open("request.json").read())'
    )
    return [("AWS CLI, where `cfn serve` serves the project", aws), ("boto3, the same", boto3)]


def _indented(text: str) -> str:
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
