"""Resources outside any stack: Cloud Control's operations on whatever type can be provisioned here.

Source: the service's model and its user guide, "Using Cloud Control API": a request is durable work with a token of its
own; an update reads the resource, applies the patch and calls the update handler with both states.
"""

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import IntegrityError

from formwork.durable import Work
from formwork.engine.engine import Engine
from formwork.engine.errors import StackError
from formwork.engine.outcomes import Failed, Succeeded, Waiting, retry_delay
from formwork.engine.provisioning import HandlerCall, Provisioner
from formwork.engine.store.requests import (
    RequestRecord,
    find_by_client_token,
    get_request,
    insert_request,
    is_busy,
    list_requests,
    list_running,
    write_request,
)
from formwork.registry.scope import Scope
from formwork.schema import ResourceSchema

WORKFLOW = "resource-request"
# Handler error codes to the service's exceptions, for operations that answer at once.
_EXCEPTIONS = {
    "AlreadyExists": "AlreadyExistsException",
    "GeneralServiceException": "GeneralServiceException",
    "InternalFailure": "HandlerInternalFailureException",
    "InvalidCredentials": "InvalidCredentialsException",
    "InvalidRequest": "InvalidRequestException",
    "NetworkFailure": "NetworkFailureException",
    "NotFound": "ResourceNotFoundException",
    "NotStabilized": "NotStabilizedException",
    "NotUpdatable": "NotUpdatableException",
    "ResourceConflict": "ResourceConflictException",
    "ServiceInternalError": "ServiceInternalErrorException",
    "ServiceLimitExceeded": "ServiceLimitExceededException",
    "Throttling": "ThrottlingException",
}


class CloudControl:
    """Cloud Control over an engine's types; made before the work is launched.

    Every method raises StackError with the code of the service's exception for what the service refuses.
    """

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work
        work.register(WORKFLOW, self._run)

    def resume(self) -> None:
        """Start the requests that were asked for and never began."""
        with self._engine.database.read() as connection:
            running = list_running(connection)
        for token in running:
            self._work.start(WORKFLOW, token, token)

    # -- requests

    def create(self, scope: Scope, type_name: str, desired: str, client_token: str | None = None) -> RequestRecord:
        """Begin to make a resource; `desired` is its model as JSON."""
        provisioner = self._expect(scope, type_name, "create")
        model = _object(desired, "DesiredState")
        identifier = provisioner.schema.identifier_of(model)
        return self._begin(scope, type_name, "CREATE", {"desired": model}, identifier, client_token)

    def update(
        self, scope: Scope, type_name: str, identifier: str, patch: str, client_token: str | None = None
    ) -> RequestRecord:
        """Begin to change a resource by a JSON Patch (RFC 6902)."""
        provisioner = self._expect(scope, type_name, "update")
        joined = self._joined(provisioner.schema, identifier)
        previous = self._read(scope, provisioner, joined)
        desired = _patched(previous, patch)
        schema = provisioner.schema
        for path in schema.create_only:
            if "*" not in path and _at(previous, path) != _at(desired, path):
                name = "/" + "/".join(path)
                raise _refused(
                    "NotUpdatableException", f"Invalid patch update: createOnlyProperties [{name}] cannot be updated"
                )
        progress = {
            "desired": schema.without_read_only(desired) | _identifier_model(schema, joined),
            "previous": previous,
        }
        return self._begin(scope, type_name, "UPDATE", progress, joined, client_token)

    def delete(self, scope: Scope, type_name: str, identifier: str, client_token: str | None = None) -> RequestRecord:
        """Begin to delete a resource."""
        provisioner = self._expect(scope, type_name, "delete")
        joined = self._joined(provisioner.schema, identifier)
        progress = {"desired": _identifier_model(provisioner.schema, joined)}
        return self._begin(scope, type_name, "DELETE", progress, joined, client_token)

    def cancel(self, token: str) -> RequestRecord:
        """Give a request up: it ends before its handler is called again."""
        request = self.describe(token)
        if request.ended:
            raise _refused("ConcurrentModificationException", f"The request {token} is {request.status} already", 500)
        return self._write(replace(request, status="CANCEL_IN_PROGRESS"))

    def describe(self, token: str) -> RequestRecord:
        """How far a request is."""
        with self._engine.database.read() as connection:
            request = get_request(connection, token)
        if request is None:
            raise _refused("RequestTokenNotFoundException", f"There is no request {token}", 404)
        return request

    def list_requests(self, scope: Scope) -> list[RequestRecord]:
        """The requests of an account and Region, the newest first."""
        with self._engine.database.read() as connection:
            return list_requests(connection, scope)

    # -- looking

    def get(self, scope: Scope, type_name: str, identifier: str) -> tuple[str, Mapping[str, Any]]:
        """A resource: its identifier and its model."""
        provisioner = self._expect(scope, type_name, "read")
        joined = self._joined(provisioner.schema, identifier)
        return joined, self._read(scope, provisioner, joined)

    def list(
        self, scope: Scope, type_name: str, model: str | None, next_token: str | None
    ) -> tuple["list[tuple[str, Mapping[str, Any]]]", str | None]:
        """A page of the resources of a type, with their identifiers, and the token of the next one."""
        provisioner = self._expect(scope, type_name, "list")
        desired = {} if model is None else _object(model, "ResourceModel")
        outcome = provisioner.invoke(
            HandlerCall(action="LIST", desired=desired, token=str(uuid.uuid4()), next_token=next_token)
        )
        if isinstance(outcome, Failed):
            raise _failure(outcome)
        assert isinstance(outcome, Succeeded)
        found = [(provisioner.schema.identifier_of(each) or "", each) for each in outcome.models]
        return found, outcome.next_token

    # -- inside

    def _expect(self, scope: Scope, type_name: str, handler: str) -> Provisioner:
        provisioner = self._engine.settings.provisioners.find(scope, type_name)
        if provisioner is None:
            raise _refused("TypeNotFoundException", f"The type '{type_name}' cannot be found.", 404)
        if handler not in provisioner.schema.handlers:
            message = f"Resource type {type_name} does not support {handler.upper()} action"
            raise _refused("UnsupportedActionException", message, 405)
        return provisioner

    def _joined(self, schema: ResourceSchema, identifier: str) -> str:
        """The identifier in its usual form, whichever form it was given in."""
        model = schema.parse_identifier(identifier)
        joined = None if model is None else schema.identifier_of(model)
        if joined is None:
            names = ", ".join("/properties/" + "/".join(each) for each in schema.primary_identifier)
            raise _refused("InvalidRequestException", f"Identifier {identifier} is not valid for identifier [{names}]")
        return joined

    def _read(self, scope: Scope, provisioner: Provisioner, identifier: str) -> dict[str, Any]:
        del scope
        call = HandlerCall(
            action="READ", desired=_identifier_model(provisioner.schema, identifier), token=str(uuid.uuid4())
        )
        outcome = provisioner.invoke(call)
        if isinstance(outcome, Failed):
            raise _failure(outcome)
        assert isinstance(outcome, Succeeded)
        return dict(outcome.model or {})

    def _begin(  # noqa: PLR0913, PLR0917 - what a request is
        self,
        scope: Scope,
        type_name: str,
        operation: str,
        progress: Mapping[str, Any],
        identifier: str | None,
        client_token: str | None,
    ) -> RequestRecord:
        digest = hashlib.sha256(json.dumps([type_name, operation, progress], sort_keys=True).encode()).hexdigest()
        request = RequestRecord(
            token=str(uuid.uuid4()),
            scope=scope,
            type=type_name,
            operation=operation,
            status="IN_PROGRESS",
            request=digest,
            updated=self._engine.settings.now(),
            identifier=identifier,
            client_token=client_token,
            progress={**progress, "tries": 0, "due": 0.0},
        )
        try:
            with self._engine.database.begin() as connection:
                if client_token is not None and (known := find_by_client_token(connection, scope, client_token)):
                    return _same(known, digest)
                if identifier is not None and is_busy(connection, scope, type_name, identifier):
                    message = f"Another operation is in progress on {type_name} {identifier}"
                    raise _refused("ConcurrentOperationException", message, 409)
                insert_request(connection, request)
        except IntegrityError as error:
            raise _refused("ClientTokenConflictException", "The client token is in use", 409) from error
        self._work.start(WORKFLOW, request.token, request.token)
        return request

    def _run(self, token: str) -> None:
        while (wait := self._work.step("advance", self._advance, token)) is not None:
            self._work.sleep(min(wait, 5.0))

    def _advance(self, token: str) -> float | None:
        """Call the handler as often as can be without waiting; the seconds to wait, None when the request has ended."""
        while True:
            request = self.describe(token)
            if request.status == "CANCEL_IN_PROGRESS":
                self._write(replace(request, status="CANCEL_COMPLETE"))
                return None
            if request.ended:
                return None
            wait = float(request.progress["due"]) - self._engine.settings.now()
            if wait > 0:
                return wait
            self._call(request)

    def _call(self, request: RequestRecord) -> None:
        provisioner = self._engine.settings.provisioners.find(request.scope, request.type)
        if provisioner is None:
            self._write(replace(request, status="FAILED", error_code="NotFound", message="The type is no longer there"))
            return
        progress = request.progress
        outcome = provisioner.invoke(
            HandlerCall(
                action=request.operation,
                desired=progress.get("model") or progress["desired"],
                previous=progress.get("previous"),
                token=request.token,
                context=progress.get("context"),
            )
        )
        now = self._engine.settings.now()
        named = request.identifier
        if not isinstance(outcome, Failed) and outcome.model is not None:
            named = provisioner.schema.identifier_of(outcome.model) or named
        match outcome:
            case Waiting():
                more = {"context": outcome.context, "model": outcome.model, "due": now + outcome.seconds, "tries": 0}
                self._write(replace(request, identifier=named, progress={**progress, **more}), keep=True)
            case Succeeded():
                shown = None if outcome.model is None else provisioner.schema.without_write_only(dict(outcome.model))
                done = {"model": shown}
                self._write(replace(request, status="SUCCESS", identifier=named, progress=done), keep=True)
            case Failed() if outcome.retriable and (delay := retry_delay(int(progress["tries"]) + 1)) is not None:
                more = {"due": now + delay, "tries": int(progress["tries"]) + 1}
                self._write(replace(request, progress={**progress, **more}), keep=True)
            case Failed():
                self._write(
                    replace(request, status="FAILED", error_code=outcome.code, message=outcome.message, progress={}),
                    keep=True,
                )

    def _write(self, request: RequestRecord, *, keep: bool = False) -> RequestRecord:
        """Keep the request; with `keep` a cancellation that came meanwhile stays, unless the request has ended."""
        written = replace(request, updated=self._engine.settings.now())
        with self._engine.database.begin() as connection:
            current = get_request(connection, request.token)
            if keep and current is not None and current.status == "CANCEL_IN_PROGRESS" and not written.ended:
                written = replace(written, status="CANCEL_IN_PROGRESS")
            write_request(connection, written)
        self._engine.settings.changed()
        return written


def _refused(code: str, message: str, status: int = 400) -> StackError:
    return StackError(message, code=code, status=status)


def _failure(outcome: Failed) -> StackError:
    code = _EXCEPTIONS.get(outcome.code, "HandlerFailureException")
    return _refused(code, outcome.message, 404 if code == "ResourceNotFoundException" else 400)


def _same(known: RequestRecord, digest: str) -> RequestRecord:
    if known.request != digest:
        message = "The specified client token has already been used in another resource request."
        raise _refused("ClientTokenConflictException", message, 409)
    return known


def _object(text: str, member: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise _refused("InvalidRequestException", f"{member} is no valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise _refused("InvalidRequestException", f"{member} is no JSON object")
    return value


def _patched(model: Mapping[str, Any], patch: str) -> dict[str, Any]:
    import jsonpatch  # noqa: PLC0415 - updates only
    import jsonpointer  # noqa: PLC0415 - the same

    try:
        desired = jsonpatch.apply_patch(dict(model), patch)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, ValueError, TypeError) as error:
        raise _refused("InvalidRequestException", f"Invalid patch update: {error}") from error
    if not isinstance(desired, dict):
        raise _refused("InvalidRequestException", "Invalid patch update: a resource is a JSON object")
    return desired


def _identifier_model(schema: ResourceSchema, identifier: str) -> dict[str, Any]:
    return dict(schema.parse_identifier(identifier) or {})


def _at(model: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        model = model.get(step) if isinstance(model, Mapping) else None
    return model
