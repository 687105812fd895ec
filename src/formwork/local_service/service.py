"""The local service: state, registry, application and socket, started and ended in the right order."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.api.app import ApiApp, ApiParts
from formwork.api.authentication import Authenticator
from formwork.api.dispatch import LazyOperationTable, OperationTable
from formwork.api.long_polling import ChangeNotifier
from formwork.api.requests import AnsweredRequest
from formwork.api.server import ApiServer
from formwork.api.wire import load_service
from formwork.assembly.assemble import assemble
from formwork.assembly.hook_payloads import HookPayloads
from formwork.assembly.settings import WorkSettings
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.diagnostics.secrets import Secret
from formwork.local_service.console import ConsoleObserver, ServedConsole
from formwork.object_store.store import ObjectStore
from formwork.request_guard import RequestGuard
from formwork.stand_ins.iam import iam_operations
from formwork.stand_ins.lambda_functions import LambdaApi
from formwork.stand_ins.logs import logs_operations
from formwork.stand_ins.sts import sts_operations

if TYPE_CHECKING:
    from formwork.durable import Database


class ServiceSettings(Struct, frozen=True, kw_only=True):
    """Settings of the service apart from its socket.

    `guard` refuses requests of web pages, and has the names by which the service is reached. `keys` are the access keys
    that may call, None for all; `seed` signs temporary ones. `work` are the settings of the registry and the engine.
    `console` shows them to browsers, None for none. `eager` starts these at once, instead of at the first call that
    needs them. `on_error` is called with exceptions that are bugs, `on_request` after every response.
    """

    guard: RequestGuard = field(default_factory=RequestGuard)
    work: WorkSettings
    keys: Mapping[str, Secret] | None = None
    seed: bytes | None = None
    console: ServedConsole | None = None
    eager: bool = True
    on_error: Callable[[Exception], None]
    on_request: Callable[[AnsweredRequest], None] = lambda _answered: None


class LocalService:
    """The running service; `url` is its address."""

    def __init__(self, url: str, late: LazyOperationTable) -> None:
        self.url = url
        self._late = late

    def settled(self, seconds: float) -> bool:
        """Wait at most so long; return whether the registry has started or failed, or starts with its first call."""
        return self._late.settled(seconds)

    def operations(self) -> OperationTable:
        """Return the operations of the registry and the engine, for calls without HTTP.

        Raises:
            Exception: why the registry has failed to start.
        """
        return self._late.expect()

    @property
    def error(self) -> Exception | None:
        """Why the registry has failed to start, None if it has not."""
        return self._late.error


@contextlib.contextmanager
def run_service(
    server: ApiServer, state: Path, database: "Callable[[], Database]", settings: ServiceSettings
) -> Iterator[LocalService]:
    """Serve on `server` until the end of the block, from the state folder and the database.

    `database` opens the database when the registry starts; the caller closes it.
    """
    temporary = TemporaryKeys(settings.seed)
    objects = ObjectStore(state / "objects")
    changes = ChangeNotifier()
    with contextlib.ExitStack() as registry:
        payloads = HookPayloads(objects, temporary, lambda: server.url)
        work = replace(settings.work, payloads=payloads)
        functions = LambdaApi(settings.work.invoke)
        late = LazyOperationTable(
            lambda: _open_registry(
                database(), objects, changes, work, registry, server.url, functions, settings.console
            )
        )
        functions.wait_with(late.expect)
        parts = ApiParts(
            early={**sts_operations(temporary), **logs_operations(state / "logs"), **iam_operations(state / "iam")},
            late=late,
            objects=objects,
            invoke=functions.respond,
            authenticator=Authenticator(temporary, settings.keys),
            changes=changes,
            guard=settings.guard,
            console=None if settings.console is None else settings.console.server.url,
            on_error=settings.on_error,
            on_request=settings.on_request,
        )
        server.start(ApiApp(parts))
        if settings.eager:
            late.begin()
        try:
            with contextlib.ExitStack() as beside:
                if settings.console is not None:
                    answering = settings.console.answering(
                        late, server.url, settings.keys, temporary, settings.on_error
                    )
                    beside.enter_context(answering)
                yield LocalService(server.url, late)
        finally:
            changes.close()
            server.close()
            late.close()


def _open_registry(  # noqa: PLR0913, PLR0917 - its dependencies
    database: "Database",
    objects: ObjectStore,
    changes: ChangeNotifier,
    settings: WorkSettings,
    stack: contextlib.ExitStack,
    url: str,
    functions: LambdaApi,
    console: ServedConsole | None,
) -> OperationTable:
    """Start the registry and the engine, and return their operations; `stack` ends them. Slow to import, hence here."""
    for name in ("cloudformation", "cloudcontrol", "sts"):
        load_service(name)  # read here, so that the first call need not wait for it
    from formwork.api.cloudcontrol.resources import cloud_control_operations  # noqa: PLC0415
    from formwork.api.cloudformation.drift import drift_operations  # noqa: PLC0415
    from formwork.api.cloudformation.iac_generator import iac_generator_operations  # noqa: PLC0415
    from formwork.api.cloudformation.registry import registry_operations  # noqa: PLC0415
    from formwork.api.cloudformation.stack_refactors import stack_refactor_operations  # noqa: PLC0415
    from formwork.api.cloudformation.stack_sets import stack_set_operations  # noqa: PLC0415
    from formwork.api.cloudformation.tables import stack_table  # noqa: PLC0415
    from formwork.aws.stored_values import StoredValues  # noqa: PLC0415
    from formwork.stand_ins.ssm import ssm_operations  # noqa: PLC0415

    assert database.state is not None
    database.state.write_address(url)
    observer = changes if console is None else ConsoleObserver(changes, console.feed)
    work = assemble(database, objects, replace(settings, observer=observer), stack)
    if console is not None:
        console.take(work, database)
    functions.start(work.functions.of)
    return {
        **registry_operations(work.registry),
        **stack_table(work.engine, work.stack_sets.sets, work.templates.fetch),
        **drift_operations(work.drift),
        **stack_set_operations(work.stack_sets, work.drift, work.templates.fetch),
        **stack_refactor_operations(work.refactors, work.templates.fetch),
        **cloud_control_operations(work.control),
        **iac_generator_operations(work.scans, work.generated),
        **ssm_operations(work.parameters, StoredValues(settings.aws)),
    }
