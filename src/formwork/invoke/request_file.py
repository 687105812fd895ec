"""The request files of `cfn invoke`: a resource's, a hook's, and the guide's whole test events."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import Document

# Names in the file → arguments of HandlerSession.request and .hook_request; (argument, JSON types).
_TEXT, _OBJECT = "text", "an object"
_RESOURCE_MEMBERS = {
    "desiredResourceState": ("desired", _OBJECT),
    "previousResourceState": ("previous", _OBJECT),
    "typeConfiguration": ("type_configuration", _OBJECT),
    "callbackContext": ("callback_context", _OBJECT),
    "clientRequestToken": ("token", _TEXT),
    "logicalResourceIdentifier": ("logical_id", _TEXT),
    "nextToken": ("next_token", _TEXT),
    "desiredResourceTags": ("tags", _OBJECT),
    "previousResourceTags": ("previous_tags", _OBJECT),
    "systemTags": ("system_tags", _OBJECT),
    "previousSystemTags": ("previous_system_tags", _OBJECT),
    "stackId": ("stack_id", _TEXT),
}
_HOOK_MEMBERS = {
    "targetName": ("target_name", _TEXT),
    "targetModel": ("target_model", _OBJECT),
    "targetType": ("target_type", _TEXT),
    "targetLogicalId": ("target_logical_id", _TEXT),
    "typeConfiguration": ("type_configuration", _OBJECT),
    "callbackContext": ("callback_context", _OBJECT),
    "clientRequestToken": ("token", _TEXT),
    "changeSetId": ("change_set_id", _TEXT),
    "stackId": ("stack_id", _TEXT),
}


class RequestFile(Struct, frozen=True):
    """The content of a request file.

    Of a whole test event `event` is the event; otherwise `members` are arguments of the session's request, by name, and
    `type_configuration` is the file's own, None where it has none.
    """

    members: Mapping[str, Any] = field(default_factory=dict)
    type_configuration: Mapping[str, Any] | None = None
    event: Mapping[str, Any] | None = None

    @property
    def action(self) -> str | None:
        """The action or invocation point of a whole event."""
        event = self.event or {}
        action = event.get("action", event.get("actionInvocationPoint"))
        return action if isinstance(action, str) else None


def read_request_file(document: Document, *, hook: bool) -> RequestFile:
    """Return what the document asks for, in one of three forms.

    Raises:
        BadInputError: it is not an object, lacks a required member, or has unknown members or wrong types.
    """
    value = document.value
    if not isinstance(value, dict):
        raise BadInputError.of(
            "request.object", "the request is not a JSON object", location=document.locate(), expected=_form(hook=hook)
        )
    if isinstance(value.get("request"), dict) and ("action" in value or "actionInvocationPoint" in value):
        return RequestFile(event=value)
    known = _HOOK_MEMBERS if hook else _RESOURCE_MEMBERS
    problems = list(_problems(document, value, known, hook=hook))
    if problems:
        raise BadInputError(problems)
    members = {known[name][0]: each for name, each in value.items() if each is not None}
    configuration = members.pop("type_configuration", None)
    return RequestFile(members, configuration)


def _problems(
    document: Document, value: Mapping[str, Any], known: Mapping[str, tuple[str, str]], *, hook: bool
) -> Iterator[Diagnostic]:
    required = ("targetName", "targetModel") if hook else ("desiredResourceState",)
    missing = [name for name in required if not isinstance(value.get(name), str | dict)]
    if missing and not any(name in known for name in value):
        # Most likely a bare model: one message, not one for each of its properties.
        message = f'the request has no "{missing[0]}"'
        yield _error(document, (), "request.member-missing", message, _form(hook=hook))
        return
    for name in missing:
        yield _error(document, (), "request.member-missing", f'the request has no "{name}"', _form(hook=hook))
    for name, each in value.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"the members are {', '.join(known)}"
            message = f'"{name}" is not a member of a request'
            yield _error(document, (name,), "request.member-unknown", message, hint=hint)
        elif each is not None and not isinstance(each, str if known[name][1] == _TEXT else dict):
            message = f'"{name}" is {_kind(each)}'
            yield _error(document, (name,), "request.member-type", message, known[name][1])


def _error(  # noqa: PLR0913 - the parts of a diagnostic
    document: Document,
    tokens: tuple[str, ...],
    code: str,
    message: str,
    expected: str | None = None,
    *,
    hint: str | None = None,
) -> Diagnostic:
    location = document.locate(tokens, key=bool(tokens) and expected is None)
    return Diagnostic(code, Severity.ERROR, message, location, expected, hint)


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "an array"
        case _:
            return "an object"


def _form(*, hook: bool) -> str:
    if hook:
        return '{"targetName": "AWS::S3::Bucket", "targetModel": {"resourceProperties": {…}}}'
    return '{"desiredResourceState": {…}, "previousResourceState": {…} or null}'
