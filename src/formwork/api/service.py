"""The local service as one thing: state, registry, application and socket, begun and ended in the right order."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.api.app import ApiApp, ApiParts
from formwork.api.authentication import Authenticator
from formwork.api.dispatch import LateTable, OperationTable
from formwork.api.holding import Bell
from formwork.api.iam import iam_operations
from formwork.api.logs import logs_operations
from formwork.api.packages import deliver_object, fetch_object
from formwork.api.payloads import ObjectPayloads
from formwork.api.s3.store import ObjectStore
from formwork.api.server import ApiServer
from formwork.api.sts import sts_operations
from formwork.api.temporary_keys import TemporaryKeys
from formwork.api.wire import load_service
from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.secrets import Secret
from formwork.lambda_host import http11

if TYPE_CHECKING:
    from formwork.aws.access import AwsAccess
    from formwork.documents.remote import RemoteDocuments
    from formwork.durable import Database
    from formwork.registry import HandlerSettings, Scope
    from formwork.registry.proving import Proof, ProofRequest


def _ignore(_event: Mapping[str, Any]) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """What is served besides the socket, and how.

    `keys` are the access keys that may call, None for every one. `aws` is the AWS that handlers have, in which dynamic
    references are looked up too; None for none. `invoke` is Lambda's Invoke API. `handlers` says how
    registered handlers run, `prove` runs contract tests; both are asked for when the registry starts. `remote` says how
    documents are had that schemas refer to elsewhere. `strict_quotas` refuses what exceeds AWS's quotas. `eager` starts
    the registry at once, instead of at the first call that needs it. `announce` hears of what hooks answer, `on_error`
    of bugs.
    """

    loopback: bool
    invoke: Callable[[http11.Request], http11.Response]
    handlers: "Callable[[], HandlerSettings]"
    prove: "Callable[[ProofRequest], Proof] | None" = None
    aws: "AwsAccess | None" = None
    remote: "RemoteDocuments | None" = None
    keys: Mapping[str, Secret] | None = None
    strict_quotas: bool = False
    eager: bool = True
    announce: Callable[[Mapping[str, Any]], None] = _ignore
    on_error: Callable[[Exception], None]


class LocalService:
    """A service that answers, at `url`."""

    def __init__(self, url: str, late: LateTable) -> None:
        self.url = url
        self._late = late

    @property
    def error(self) -> Exception | None:
        """Why the registry can't be had; None while it can or may."""
        return self._late.error


@contextlib.contextmanager
def run_service(
    server: ApiServer, state: Path, database: "Callable[[], Database]", settings: ServiceSettings
) -> Iterator[LocalService]:
    """Answer on `server` until the end of the block, from the state folder and the database.

    `database` opens it when the registry starts; whoever gives it closes it.
    """
    temporary = TemporaryKeys()
    objects = ObjectStore(state / "objects")
    bell = Bell()
    with contextlib.ExitStack() as registry:
        payloads = ObjectPayloads(objects, temporary, server.url)
        late = LateTable(lambda: _open_registry(database(), objects, payloads, bell, settings, registry))
        parts = ApiParts(
            early={**sts_operations(temporary), **logs_operations(state / "logs"), **iam_operations(state / "iam")},
            late=late,
            objects=objects,
            invoke=settings.invoke,
            authenticator=Authenticator(temporary, settings.keys),
            bell=bell,
            loopback=settings.loopback,
            on_error=settings.on_error,
        )
        server.start(ApiApp(parts))
        if settings.eager:
            late.begin()
        try:
            yield LocalService(server.url, late)
        finally:
            bell.close()
            server.close()
            late.close()


def _open_registry(  # noqa: PLR0913, PLR0917 - what it is made of
    database: "Database",
    objects: ObjectStore,
    payloads: ObjectPayloads,
    bell: Bell,
    settings: ServiceSettings,
    stack: contextlib.ExitStack,
) -> OperationTable:
    """The registry and the stack engine, launched; `stack` ends it. Slow to import, hence here."""
    for name in ("cloudformation", "cloudcontrol", "sts"):
        load_service(name)  # 0.2 s that the first call need not wait for
    from formwork.api.cloudcontrol.resources import cloud_control_operations  # noqa: PLC0415
    from formwork.api.cloudformation.drift import drift_operations  # noqa: PLC0415
    from formwork.api.cloudformation.registry import registry_operations  # noqa: PLC0415
    from formwork.api.cloudformation.tables import stack_table  # noqa: PLC0415
    from formwork.api.cloudformation.transforms import open_transforms  # noqa: PLC0415
    from formwork.api.own_types import add_own_types  # noqa: PLC0415
    from formwork.api.template_urls import TemplateUrls  # noqa: PLC0415
    from formwork.aws.stored_values import StoredValues  # noqa: PLC0415
    from formwork.durable.workflows import Workflows  # noqa: PLC0415
    from formwork.engine.cloud_control import CloudControl  # noqa: PLC0415
    from formwork.engine.drift_detection import DriftDetection  # noqa: PLC0415
    from formwork.engine.engine import Engine  # noqa: PLC0415
    from formwork.engine.provisioning.catalogue import Catalogue, RegisteredHooks  # noqa: PLC0415
    from formwork.engine.provisioning.installed_schemas import installed_schemas  # noqa: PLC0415
    from formwork.engine.provisioning.own import OwnTypes  # noqa: PLC0415
    from formwork.engine.references import References  # noqa: PLC0415
    from formwork.engine.settings import EngineSettings  # noqa: PLC0415
    from formwork.registry import Registry, RegistrySettings  # noqa: PLC0415

    def fetch(scope: "Scope", url: str) -> bytes:
        return fetch_object(objects, account=scope.account, url=url)

    def deliver(scope: "Scope", bucket: str, key: str, content: bytes) -> None:
        deliver_object(objects, account=scope.account, bucket=bucket, key=key, content=content)

    more: dict[str, Any] = {"remote": settings.remote, "strict_quotas": settings.strict_quotas}
    if settings.prove is not None:
        more["prove"] = settings.prove
    _migrate(database)
    workflows = Workflows(database)
    registry = stack.enter_context(
        Registry(
            database,
            workflows,
            RegistrySettings(fetch=fetch, deliver=deliver, handlers=settings.handlers(), changed=bell.ring, **more),
        )
    )
    own = OwnTypes()
    templates = TemplateUrls(objects)
    catalogue = Catalogue(registry, database, installed_schemas(), own, settings.aws)
    references = References(StoredValues(settings.aws))
    engine = Engine(
        database,
        workflows,
        EngineSettings(
            provisioners=catalogue,
            find_module=catalogue.find_module,
            transform=stack.enter_context(open_transforms(database, objects, settings.handlers(), settings.invoke)),
            fetch_template=templates.fetch_nested,
            fetch_parameter=references.parameter,
            # Without an AWS nobody can tell, and the name alone needs none.
            parameter_exists=lambda scope, name: settings.aws is None or references.parameter(scope, name) is not None,
            resolve=references.resolve,
            pin=references.pin,
            hooks=RegisteredHooks(catalogue),
            announce=settings.announce,
            payloads=payloads,
            changed=bell.ring,
        ),
    )
    add_own_types(own, engine, registry)
    drift = DriftDetection(engine, workflows)
    control = CloudControl(engine, workflows)
    stack.enter_context(workflows)
    workflows.launch()
    registry.resume()
    engine.resume()
    control.resume()
    return {
        **registry_operations(registry),
        **stack_table(engine, templates.fetch),
        **drift_operations(drift),
        **cloud_control_operations(control),
    }


def _migrate(database: "Database") -> None:
    import sqlalchemy.exc  # noqa: PLC0415 - slow, like all that a database needs

    try:
        database.migrate()
    except sqlalchemy.exc.DBAPIError as error:
        raise EnvironmentProblemError(
            f"the database {database.engine.url!r} can't be used: {error.orig}",
            hint="name another folder with --state DIR, or mend the database",
        ) from error
