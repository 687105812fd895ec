"""The handlers of Acme::Config::Bundle.

Creating and updating write in the first invocation; later ones look whether S3 and Parameter Store show everything that
was written, and answer SUCCESS when they do.
"""

from collections.abc import MutableMapping
from typing import Any

from cloudformation_cli_python_lib import (
    Action,
    HandlerErrorCode,
    OperationStatus,
    ProgressEvent,
    Resource,
    SessionProxy,
    identifier_utils,
)

from .failures import WRITE_ONLY, RefusedError, answering_failures
from .models import ResourceHandlerRequest, ResourceModel
from .store import CONTENT_TYPES, DEFAULTS, NAME, SHORTEST_SECRET, BundleStore, NoSuchBundleError, Properties

TYPE_NAME = "Acme::Config::Bundle"
READ_ONLY = ("Arn", "Location")
CREATE_ONLY = ("BundleName", "StorageClass")
# Small on purpose: three bundles make two pages, so that the contract tests turn them.
PAGE = 2
# How often to look whether a change shows, and the seconds between two looks.
LOOKS, PAUSE = 60, 2

resource = Resource(TYPE_NAME, ResourceModel)
test_entrypoint = resource.test_entrypoint


@resource.handler(Action.CREATE)
@answering_failures
def create_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Take the name and write the document; then look."""
    store, wanted = _store(session, request), _properties(request)
    if callback_context:
        return _look(store, wanted, callback_context)
    if given := [name for name in READ_ONLY if name in wanted]:
        raise RefusedError(HandlerErrorCode.InvalidRequest, f"{' and '.join(given)} cannot be set")
    if wanted.get("ContentType", DEFAULTS["ContentType"]) not in CONTENT_TYPES:
        raise RefusedError(HandlerErrorCode.InvalidRequest, f"ContentType is one of {', '.join(CONTENT_TYPES)}")
    if "BundleName" not in wanted:
        wanted["BundleName"] = request.desiredResourceState.BundleName = _made_up_name(request)
    if len(wanted.get("Secret", "x" * SHORTEST_SECRET)) < SHORTEST_SECRET:
        raise RefusedError(HandlerErrorCode.InvalidRequest, f"a Secret has {SHORTEST_SECRET} characters at least")
    if not NAME.fullmatch(wanted["BundleName"]):
        raise RefusedError(HandlerErrorCode.InvalidRequest, f"no bundle is called {wanted['BundleName']!r}")
    store.create(wanted["BundleName"], wanted, token=request.clientRequestToken)
    return _progress(wanted, 0)


@resource.handler(Action.READ)
@answering_failures
def read_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Ask both services."""
    store = _store(session, request)
    return _success(store.get(_name(store, request)))


@resource.handler(Action.UPDATE)
@answering_failures
def update_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Write document, secret and tags; then look."""
    store, wanted = _store(session, request), _properties(request)
    if callback_context:
        return _look(store, wanted, callback_context)
    name = wanted["BundleName"] = request.desiredResourceState.BundleName = _name(store, request)
    current = store.get(name)
    for each in (*CREATE_ONLY, *READ_ONLY):
        if each in wanted and wanted[each] != current[each]:
            raise RefusedError(
                HandlerErrorCode.NotUpdatable, f"{each} is {current[each]} for good; it cannot become {wanted[each]}"
            )
    store.update(name, wanted)
    return _progress(wanted, 0)


@resource.handler(Action.DELETE)
@answering_failures
def delete_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """Remove the document and the parameter."""
    store = _store(session, request)
    store.delete(_name(store, request))
    return ProgressEvent(status=OperationStatus.SUCCESS)


@resource.handler(Action.LIST)
@answering_failures
def list_handler(
    session: SessionProxy | None, request: ResourceHandlerRequest, callback_context: MutableMapping[str, Any]
) -> ProgressEvent:
    """A page of names, with Parameter Store's own token for the next."""
    names, token = _store(session, request).names(page=PAGE, token=request.nextToken)
    return ProgressEvent(
        status=OperationStatus.SUCCESS,
        resourceModels=[ResourceModel._deserialize({"BundleName": name}) for name in names],
        nextToken=token,
    )


def _look(store: BundleStore, wanted: Properties, callback_context: MutableMapping[str, Any]) -> ProgressEvent:
    """SUCCESS if the bundle is as wanted; else look again later, a limited number of times."""
    looks = int(callback_context["looks"])
    try:
        shown = store.get(wanted["BundleName"])
    except NoSuchBundleError:
        shown = {}
    if all(_same(shown.get(name), value) for name, value in {**DEFAULTS, **wanted}.items()):
        return _success(shown)
    if looks >= LOOKS:
        raise RefusedError(HandlerErrorCode.NotStabilized, f"the bundle does not show its changes after {looks} looks")
    return _progress(wanted, looks + 1)


def _same(shown: Any, wanted: Any) -> bool:
    """Equal, whatever the order of tags."""
    if isinstance(wanted, list):
        return isinstance(shown, list) and sorted(map(str, shown)) == sorted(map(str, wanted))
    return bool(shown == wanted)


def _progress(wanted: Properties, looks: int) -> ProgressEvent:
    """IN_PROGRESS. What the next invocation gets is this model and this context; neither holds the secret."""
    shown = {name: value for name, value in wanted.items() if name not in WRITE_ONLY}
    return ProgressEvent(
        status=OperationStatus.IN_PROGRESS,
        resourceModel=ResourceModel._deserialize(shown),
        callbackContext={"looks": looks},
        callbackDelaySeconds=PAUSE if looks else 0,
    )


def _store(session: SessionProxy | None, request: ResourceHandlerRequest) -> BundleStore:
    if session is None:
        raise RefusedError(HandlerErrorCode.InvalidCredentials, "the type has no execution role to call AWS with")
    return BundleStore(
        session.client("s3"),
        session.client("ssm"),
        account=request.awsAccountId or "",
        region=request.region or "us-east-1",
        partition=request.awsPartition or "aws",
    )


def _properties(request: ResourceHandlerRequest) -> Properties:
    return dict(request.desiredResourceState._serialize())


def _name(store: BundleStore, request: ResourceHandlerRequest) -> str:
    """The name that the request identifies its bundle by: the name itself or the Arn."""
    wanted = _properties(request)
    if name := wanted.get("BundleName"):
        return str(name)
    if arn := wanted.get("Arn"):
        return store.name_of(arn)
    raise RefusedError(HandlerErrorCode.NotFound, "neither a BundleName nor an Arn says which bundle is meant")


def _made_up_name(request: ResourceHandlerRequest) -> str:
    made_up = identifier_utils.generate_resource_identifier(
        request.stackId or "local", request.logicalResourceIdentifier or "bundle", request.clientRequestToken, 55
    )
    return f"bundle-{made_up.lower().strip('-')}"


def _success(bundle: Properties) -> ProgressEvent:
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=ResourceModel._deserialize(bundle))
