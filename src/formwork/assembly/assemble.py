"""The composition root: the registry and the engine with what they depend on, the same for a server and for workers.

Everything that work needs is in the database or in the state folder, which processes that share a database share too:
packages, objects (among them templates) and logs.
"""

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.assembly.hook_payloads import HookPayloads
from formwork.assembly.notices import WakingObserver
from formwork.assembly.settings import WorkSettings
from formwork.aws.temporary_keys import SESSIONS, TemporaryKeys
from formwork.diagnostics import EnvironmentProblemError
from formwork.object_store.store import DeclaredBucket, ObjectStore
from formwork.object_store.urls import deliver_object, fetch_object

if TYPE_CHECKING:
    from formwork.assembly.functions import Functions
    from formwork.assembly.templates import TemplateReader
    from formwork.aws.scope import Scope
    from formwork.cloud_control import CloudControl
    from formwork.durable import Database
    from formwork.engine.drift.detection import DriftDetection
    from formwork.engine.engine import Engine
    from formwork.iac_generator import GeneratedTemplates, ResourceScans
    from formwork.provisioning.stack_parameters import StackParameters
    from formwork.provisioning.stand_ins import StandIns
    from formwork.registry.registry import Registry
    from formwork.stack_refactors import StackRefactors
    from formwork.stack_sets.service import StackSetService


class Assembly(Struct, frozen=True):
    """The services of a process, started."""

    registry: "Registry"
    engine: "Engine"
    drift: "DriftDetection"
    control: "CloudControl"
    stack_sets: "StackSetService"
    scans: "ResourceScans"
    generated: "GeneratedTemplates"
    refactors: "StackRefactors"
    parameters: "StackParameters"
    functions: "Functions"
    templates: "TemplateReader"
    worker: str  # the name of this process among those that share the work


def assemble(
    database: "Database", objects: ObjectStore, settings: WorkSettings, stack: contextlib.ExitStack
) -> Assembly:
    """Create the services and start their work, which closing `stack` ends. Slow modules are imported here.

    Raises:
        EnvironmentProblemError: the database can't be used.
    """
    from formwork.assembly.functions import open_functions  # noqa: PLC0415
    from formwork.assembly.own_types import add_own_types  # noqa: PLC0415
    from formwork.assembly.templates import TemplateReader  # noqa: PLC0415
    from formwork.aws.stored_values import StoredValues  # noqa: PLC0415
    from formwork.cloud_control import CloudControl  # noqa: PLC0415
    from formwork.durable.workflows import Workflows  # noqa: PLC0415
    from formwork.engine.drift.detection import DriftDetection  # noqa: PLC0415
    from formwork.engine.engine import Engine  # noqa: PLC0415
    from formwork.engine.settings import EngineSettings  # noqa: PLC0415
    from formwork.iac_generator import GeneratedTemplates, ResourceScans  # noqa: PLC0415
    from formwork.preparation.transforms.macros import Macros  # noqa: PLC0415
    from formwork.preparation.transforms.named import NamedTransforms  # noqa: PLC0415
    from formwork.provisioning.catalogue import Catalogue, RegisteredHooks  # noqa: PLC0415
    from formwork.provisioning.own import OwnTypes  # noqa: PLC0415
    from formwork.provisioning.references import References  # noqa: PLC0415
    from formwork.provisioning.stack_parameters import StackParameters  # noqa: PLC0415
    from formwork.stack_refactors import StackRefactors  # noqa: PLC0415
    from formwork.stack_sets.resource_type import StackSetType  # noqa: PLC0415
    from formwork.stack_sets.service import StackSetService  # noqa: PLC0415
    from formwork.stacks.store.notices import announce_events  # noqa: PLC0415

    _migrate(database)
    clock = _clock(database)
    if settings.notices is not None:
        announce_events(database)
        stack.enter_context(settings.notices.deliver_from(database))
        settings = replace(settings, observer=WakingObserver(settings.observer, settings.notices))
    workflows = Workflows(
        database, works=settings.works, dead_seconds=settings.dead_seconds, on_problem=settings.on_problem
    )
    registry = stack.enter_context(_registry(database, workflows, objects, settings, clock))
    functions = stack.enter_context(
        open_functions(database, objects, settings.handlers(), settings.invoke, settings.lambda_endpoint)
    )
    objects.find_declared = _buckets_of_stacks(database)
    own = OwnTypes()
    templates = TemplateReader(objects)
    stand_ins = _stand_ins(database, objects, settings)
    catalogue = Catalogue(
        registry,
        database,
        stand_ins,
        own,
        objects,
        functions,
        settings.aws,
        limits=settings.limits,
        rule_folders=settings.rule_folders,
        credentials_in=settings.credentials_in,
    )
    parameters = StackParameters(database, catalogue.find)
    assert database.state is not None
    engine = Engine(
        database,
        workflows,
        EngineSettings(
            types=catalogue,
            references=References(StoredValues(settings.aws), parameters),
            transforms=NamedTransforms(Macros(database, functions), objects),
            templates=templates,
            hooks=RegisteredHooks(catalogue),
            payloads=settings.payloads or _payloads(database, objects),
            notices=settings.notices,
            now=clock,
            observer=settings.observer,
        ),
    )
    add_own_types(own, engine, registry, database.state, functions)
    drift = DriftDetection(engine, workflows)
    control = CloudControl(engine, workflows)
    stack_sets = StackSetService(engine, drift, workflows)
    StackSetType(engine, stack_sets).add_to(own)
    scans = ResourceScans(engine, workflows, catalogue.list_types, strict_quotas=settings.strict_quotas)
    generated = GeneratedTemplates(engine, workflows)
    refactors = StackRefactors(engine, workflows)

    resume = _resuming(registry, engine, control, stack_sets, scans, generated, refactors)
    stack.enter_context(workflows)
    workflows.launch(resume)
    resume()
    return Assembly(
        registry=registry,
        engine=engine,
        drift=drift,
        control=control,
        stack_sets=stack_sets,
        scans=scans,
        generated=generated,
        refactors=refactors,
        parameters=parameters,
        functions=functions,
        templates=templates,
        worker=workflows.executor,
    )


def _payloads(database: "Database", objects: ObjectStore) -> HookPayloads:
    assert database.state is not None
    return HookPayloads(objects, TemporaryKeys(database.derive_key(SESSIONS)), database.state.read_address)


def _resuming(*services: Any) -> Callable[[], None]:
    """Return a function that calls `resume` of each service, in the given order."""

    def resume() -> None:
        for each in services:
            each.resume()

    return resume


def _clock(database: "Database") -> Callable[[], float]:
    """Return the clock of the work, which continues that of the work before."""
    from formwork.durable.clock import open_clock  # noqa: PLC0415
    from formwork.durable.heartbeat import others_work  # noqa: PLC0415
    from formwork.stacks.store.events import latest_event_time  # noqa: PLC0415
    from formwork.stacks.store.unfinished import has_unfinished_work  # noqa: PLC0415

    with database.read() as connection:
        latest, unfinished = latest_event_time(connection), has_unfinished_work(connection)
    return open_clock(database.state, latest=latest, continues=unfinished or others_work(database))


def _buckets_of_stacks(database: "Database") -> Callable[[str, str], DeclaredBucket | None]:
    """Return a lookup of buckets that are declared in stacks, by name and account."""
    from formwork.stacks.store.resources import find_declared  # noqa: PLC0415

    def find_bucket(name: str, account: str) -> DeclaredBucket | None:
        with database.read() as connection:
            found = find_declared(connection, account, "AWS::S3::Bucket", name)
        if found is None:
            return None
        region, model = found
        return DeclaredBucket(region, str(model.get("VersioningConfiguration", {}).get("Status", "")))

    return find_bucket


def _registry(
    database: "Database", workflows: Any, objects: ObjectStore, settings: WorkSettings, now: Callable[[], float]
) -> "Registry":
    from formwork.registry.registry import Registry  # noqa: PLC0415
    from formwork.registry.settings import RegistrySettings  # noqa: PLC0415
    from formwork.schema.at_hand import find_schemas  # noqa: PLC0415

    def fetch(scope: "Scope", url: str) -> bytes:
        return fetch_object(objects, account=scope.account, url=url)

    def deliver(scope: "Scope", bucket: str, key: str, content: bytes) -> None:
        deliver_object(objects, account=scope.account, bucket=bucket, key=key, content=content)

    more: dict[str, Any] = {} if settings.prove is None else {"prove": settings.prove}
    return Registry(
        database,
        workflows,
        RegistrySettings(
            fetch=fetch,
            deliver=deliver,
            handlers=settings.handlers(),
            observer=settings.observer,
            now=now,
            remote=settings.remote,
            strict_quotas=settings.strict_quotas,
            schemas_at_hand=find_schemas(settings.schema_folders),
            **more,
        ),
    )


def _stand_ins(database: "Database", objects: ObjectStore, settings: WorkSettings) -> "StandIns | None":
    from formwork.provisioning.moto_stacks import Moto  # noqa: PLC0415
    from formwork.provisioning.stand_ins import StandIns  # noqa: PLC0415
    from formwork.schema.at_hand import find_schemas  # noqa: PLC0415

    if settings.strict_types:
        return None
    moto = None
    if settings.aws is not None and settings.moto is not None:
        moto = Moto(settings.aws, settings.moto, objects)
    return StandIns(database, find_schemas(settings.schema_folders).find, moto)


def _migrate(database: "Database") -> None:
    import sqlalchemy.exc  # noqa: PLC0415 - slow, like all that a database needs

    try:
        database.migrate()
    except sqlalchemy.exc.DBAPIError as error:
        raise EnvironmentProblemError(
            f"the database {database.engine.url!r} can't be used: {error.orig}",
            hint="name another folder with --state DIR, or repair the database",
        ) from error
