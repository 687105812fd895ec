"""Resources outside any stack: Cloud Control's operations on whatever type can be provisioned here.

Source: the service's model and its user guide, "Using Cloud Control API": a request is durable work with a token of its
own; an update reads the resource, applies the patch and calls the update handler with both states.
"""

import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.cloud_control.models import (
    apply_patch,
    check_list_model,
    expect_identifier,
    identifier_model,
    parse_object,
)
from formwork.cloud_control.places import read_place
from formwork.cloud_control.refusals import handler_exception, refused
from formwork.cloud_control.running import WORKFLOW, RequestRuns
from formwork.durable import Work
from formwork.engine.engine import Engine
from formwork.hooks.results import HookResult
from formwork.hooks.rows import list_hook_results
from formwork.hooks.target import TargetKind
from formwork.provisioning import HandlerCall, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.outcomes import Failed, Succeeded
from formwork.stacks.store.request_stages import RequestBegun
from formwork.stacks.store.requests import (
    RequestRecord,
    find_by_client_token,
    forget_requests,
    get_request,
    insert_request,
    is_busy,
    list_requests,
    list_running,
    release_client_token,
    write_request,
)

_TOKEN_SECONDS = 36 * 3600.0  # how long a client token identifies its request
_LISTED_SECONDS = 7 * 24 * 3600.0
_MOST_HOOKS = 1000


class TypeChoice(Struct, frozen=True, kw_only=True):
    """A type, in a version or in the default one, and the role that its handlers are to work with."""

    name: str
    version: str | None = None
    role_arn: str | None = None


class RequestQuery(Struct, frozen=True, kw_only=True):
    """Which requests are listed: of these operations and statuses, from a place on."""

    operations: Iterable[str] = ()
    statuses: Iterable[str] = ()
    start: int = 0
    size: int = 20


class CloudControl:
    """Cloud Control over an engine's types; made before the work is launched.

    Every method raises StackError with the code of the service's exception for what the service refuses.
    """

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work
        RequestRuns(engine, work).register()

    def resume(self) -> None:
        """Start the requests that have not begun, and delete those that are too old to be listed."""
        with self._engine.database.begin() as connection:
            forget_requests(connection, self._engine.settings.now() - _LISTED_SECONDS)
            running = list_running(connection)
        for token in running:
            self._work.start(WORKFLOW, token, token)

    # -- requests

    def create(self, scope: Scope, chosen: TypeChoice, desired: str, client_token: str | None = None) -> RequestRecord:
        """Begin to make a resource; `desired` is its model as JSON."""
        provisioner = self._expect(scope, chosen, "create")
        model = parse_object(desired, "DesiredState")
        identifier = provisioner.schema.identifier_of(model)
        return self._begin(scope, chosen, "CREATE", RequestBegun(desired=model), identifier, client_token)

    def update(
        self, scope: Scope, chosen: TypeChoice, identifier: str, patch: str, client_token: str | None = None
    ) -> RequestRecord:
        """Begin to change a resource by a JSON Patch (RFC 6902)."""
        provisioner = self._expect(scope, chosen, "update")
        schema = provisioner.schema
        joined = expect_identifier(schema, identifier)
        asked = {"patch": patch}
        if (known := self._known(scope, chosen, "UPDATE", asked, joined, client_token)) is not None:
            return known
        previous = self._read(provisioner, joined)
        desired = schema.without_read_only(apply_patch(schema, previous, patch))
        stage = RequestBegun(desired=desired | identifier_model(schema, joined), previous=previous)
        return self._begin(scope, chosen, "UPDATE", stage, joined, client_token, asked=asked)

    def delete(
        self, scope: Scope, chosen: TypeChoice, identifier: str, client_token: str | None = None
    ) -> RequestRecord:
        """Begin to delete a resource."""
        provisioner = self._expect(scope, chosen, "delete")
        joined = expect_identifier(provisioner.schema, identifier)
        stage = RequestBegun(desired=identifier_model(provisioner.schema, joined))
        return self._begin(scope, chosen, "DELETE", stage, joined, client_token)

    def cancel(self, scope: Scope, token: str) -> RequestRecord:
        """Cancel a request: it ends before its handler is called again."""
        request = self.describe(scope, token)
        if request.ended:
            message = f"The request {token} has ended already, with the status {request.status}"
            raise refused("ConcurrentModificationException", message, 500)
        cancelled = replace(request, status="CANCEL_IN_PROGRESS", updated=self._engine.settings.now())
        with self._engine.database.begin() as connection:
            current = get_request(connection, token)
            if current is None or not current.ended:
                write_request(connection, cancelled)
        self._engine.settings.observer.changed()
        return self.describe(scope, token)

    def describe(self, scope: Scope, token: str) -> RequestRecord:
        """Return a request."""
        with self._engine.database.read() as connection:
            request = get_request(connection, token)
        if request is None or request.scope != scope:
            raise refused("RequestTokenNotFoundException", f"Request with token {token} was not found", 404)
        return request

    def hook_answers(self, request: RequestRecord) -> list[HookResult]:
        """Return the hooks' answers about a request, in the order of the calls."""
        if request.hooks_token is None:
            return []
        target = TargetKind.CLOUD_CONTROL, request.hooks_token
        with self._engine.database.read() as connection:
            found = list_hook_results(connection, request.scope, target=target, limit=_MOST_HOOKS)
        return [each for _, each in reversed(found)]

    def list_requests(self, scope: Scope, query: RequestQuery) -> tuple[list[RequestRecord], int | None]:
        """Return a page of the requests of the last seven days, the newest first, and where the next one starts."""
        with self._engine.database.read() as connection:
            found = list_requests(
                connection,
                scope,
                since=self._engine.settings.now() - _LISTED_SECONDS,
                operations=list(query.operations),
                statuses=list(query.statuses),
                start=query.start,
                limit=query.size + 1,
            )
        return found[: query.size], query.start + query.size if len(found) > query.size else None

    # -- looking

    def get(self, scope: Scope, chosen: TypeChoice, identifier: str) -> tuple[str, Mapping[str, Any]]:
        """Return a resource's identifier and model."""
        provisioner = self._expect(scope, chosen, "read")
        joined = expect_identifier(provisioner.schema, identifier)
        return joined, provisioner.schema.without_write_only(self._read(provisioner, joined))

    def list(
        self, scope: Scope, chosen: TypeChoice, model: str | None, token: str | None, *, most: int | None = None
    ) -> "tuple[list[tuple[str, Mapping[str, Any]]], str | None]":
        """Return a page of the resources of a type with their identifiers, and the token of the next page.

        Pages are the list handler's; of a page with more than `most` the rest comes with the next token.
        """
        provisioner = self._expect(scope, chosen, "list")
        schema = provisioner.schema
        desired = {} if model is None else parse_object(model, "ResourceModel")
        check_list_model(schema, desired)
        place = read_place(token)
        outcome = call_provisioner(
            provisioner, HandlerCall(action="LIST", desired=desired, token=str(uuid.uuid4()), next_token=place.page)
        )
        if isinstance(outcome, Failed):
            raise handler_exception(outcome)
        assert isinstance(outcome, Succeeded)
        page, following = place.take(outcome.models, outcome.next_token, most)
        shown = [(schema.identifier_of(each) or "", schema.without_write_only(dict(each))) for each in page]
        return shown, following

    # -- inside

    def _expect(self, scope: Scope, chosen: TypeChoice, handler: str) -> Provisioner:
        provisioner = self._engine.settings.types.find(scope, chosen.name, chosen.version)
        if provisioner is None:
            which = "" if chosen.version is None else f" with version '{chosen.version}'"
            raise refused("TypeNotFoundException", f"The type '{chosen.name}'{which} cannot be found.", 404)
        if handler not in provisioner.schema.handlers:
            message = f"Resource type {chosen.name} does not support {handler.upper()} action"
            raise refused("UnsupportedActionException", message, 405)
        return provisioner

    def _read(self, provisioner: Provisioner, identifier: str) -> dict[str, Any]:
        desired = identifier_model(provisioner.schema, identifier)
        outcome = call_provisioner(provisioner, HandlerCall(action="READ", desired=desired, token=str(uuid.uuid4())))
        if isinstance(outcome, Failed):
            raise handler_exception(outcome)
        assert isinstance(outcome, Succeeded)
        return dict(outcome.model or {})

    def _known(  # noqa: PLR0913, PLR0917 - what a request is
        self,
        scope: Scope,
        chosen: TypeChoice,
        operation: str,
        asked: Mapping[str, Any],
        identifier: str | None,
        client_token: str | None,
    ) -> RequestRecord | None:
        """Return the request that the same client token began in the last 36 hours, None if there is none."""
        with self._engine.database.read() as connection:
            known = self._find_known(connection, scope, client_token)
        return None if known is None else _same(known, _digest(chosen, operation, asked, identifier))

    def _find_known(self, connection: Connection, scope: Scope, client_token: str | None) -> RequestRecord | None:
        if client_token is None:
            return None
        known = find_by_client_token(connection, scope, client_token)
        fresh = known is not None and known.began > self._engine.settings.now() - _TOKEN_SECONDS
        return known if fresh else None

    def _begin(  # noqa: PLR0913, PLR0917 - what a request is
        self,
        scope: Scope,
        chosen: TypeChoice,
        operation: str,
        stage: RequestBegun,
        identifier: str | None,
        client_token: str | None,
        *,
        asked: Mapping[str, Any] | None = None,
    ) -> RequestRecord:
        """Have a request run; `asked` is what it is known by where that is not the desired model."""
        digest = _digest(chosen, operation, {"desired": stage.desired} if asked is None else asked, identifier)
        now = self._engine.settings.now()
        request = RequestRecord(
            token=str(uuid.uuid4()),
            scope=scope,
            type=chosen.name,
            operation=operation,
            status="IN_PROGRESS",
            request=digest,
            updated=now,
            identifier=identifier,
            client_token=client_token,
            began=now,
            version=chosen.version,
            stage=replace(stage, role=chosen.role_arn),
        )
        try:
            with self._engine.database.begin() as connection:
                if (known := self._find_known(connection, scope, client_token)) is not None:
                    return _same(known, digest)
                if identifier is not None and is_busy(connection, scope, chosen.name, identifier):
                    message = f"Another operation on {chosen.name} {identifier} is in progress"
                    raise refused("ConcurrentOperationException", message, 409)
                if client_token is not None:
                    release_client_token(connection, scope, client_token)
                insert_request(connection, request)
        except IntegrityError as error:
            raise refused("ClientTokenConflictException", "The client token is in use", 409) from error
        self._work.start(WORKFLOW, request.token, request.token)
        return request


def _digest(chosen: TypeChoice, operation: str, asked: Mapping[str, Any], identifier: str | None) -> str:
    what = [chosen.name, chosen.version, operation, asked, identifier, *([chosen.role_arn] if chosen.role_arn else [])]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def _same(known: RequestRecord, digest: str) -> RequestRecord:
    if known.request != digest:
        message = "The specified client token has already been used in another resource request."
        raise refused("ClientTokenConflictException", message, 409)
    return known
