"""The local service as one thing: state, registry, application and socket, begun and ended in the right order."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.api.app import ApiApp, ApiParts
from formwork.api.assembly import WorkSettings, assemble
from formwork.api.authentication import Authenticator
from formwork.api.dispatch import LateTable, OperationTable
from formwork.api.heads import AnsweredRequest
from formwork.api.holding import Bell
from formwork.api.iam import iam_operations
from formwork.api.logs import logs_operations
from formwork.api.payloads import ObjectPayloads
from formwork.api.s3.store import ObjectStore
from formwork.api.server import ApiServer
from formwork.api.sts import sts_operations
from formwork.api.temporary_keys import TemporaryKeys
from formwork.api.wire import load_service
from formwork.diagnostics.secrets import Secret
from formwork.request_guard import RequestGuard

if TYPE_CHECKING:
    from formwork.durable import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """What is served besides the socket, and how.

    `guard` refuses web pages, and has the names by which the service is reached. `keys` are the access keys that may
    call, None for every one; temporary ones are known by `seed`. `work` says how work is done. `eager` starts the
    registry at once, instead of at the first call that needs it. `on_error` hears of bugs, `on_request` of every
    request that was answered.
    """

    guard: RequestGuard = field(default_factory=RequestGuard)
    work: WorkSettings
    keys: Mapping[str, Secret] | None = None
    seed: bytes | None = None
    eager: bool = True
    on_error: Callable[[Exception], None]
    on_request: Callable[[AnsweredRequest], None] = lambda _answered: None


class LocalService:
    """A service that answers, at `url`."""

    def __init__(self, url: str, late: LateTable) -> None:
        self.url = url
        self._late = late

    def settled(self, seconds: float) -> bool:
        """Wait so long at most; whether the registry answers or has failed, or is to start with its first call."""
        return self._late.settled(seconds)

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
    temporary = TemporaryKeys(settings.seed)
    objects = ObjectStore(state / "objects")
    bell = Bell()
    with contextlib.ExitStack() as registry:
        payloads = ObjectPayloads(objects, temporary, lambda: server.url)
        work = replace(settings.work, payloads=payloads)
        late = LateTable(lambda: _open_registry(database(), objects, bell, work, registry, server.url))
        parts = ApiParts(
            early={**sts_operations(temporary), **logs_operations(state / "logs"), **iam_operations(state / "iam")},
            late=late,
            objects=objects,
            invoke=settings.work.invoke,
            authenticator=Authenticator(temporary, settings.keys),
            bell=bell,
            guard=settings.guard,
            on_error=settings.on_error,
            on_request=settings.on_request,
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
    bell: Bell,
    settings: WorkSettings,
    stack: contextlib.ExitStack,
    url: str,
) -> OperationTable:
    """The registry and the stack engine, at work; `stack` ends it. Slow to import, hence here."""
    for name in ("cloudformation", "cloudcontrol", "sts"):
        load_service(name)  # 0.2 s that the first call need not wait for
    from formwork.api.cloudcontrol.resources import cloud_control_operations  # noqa: PLC0415
    from formwork.api.cloudformation.drift import drift_operations  # noqa: PLC0415
    from formwork.api.cloudformation.registry import registry_operations  # noqa: PLC0415
    from formwork.api.cloudformation.stack_sets import stack_set_operations  # noqa: PLC0415
    from formwork.api.cloudformation.tables import stack_table  # noqa: PLC0415

    assert database.state is not None
    database.state.write_address(url)
    work = assemble(database, objects, replace(settings, changed=bell.ring), stack)
    return {
        **registry_operations(work.registry),
        **stack_table(work.engine, work.templates.fetch),
        **drift_operations(work.drift),
        **stack_set_operations(work.stack_sets, work.drift, work.templates.fetch),
        **cloud_control_operations(work.control),
    }
