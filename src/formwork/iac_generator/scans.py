"""Resource scans: started, found again, and their resources listed.

Source: the service's model and its user guide, "Start a resource scan". Scans of one account and Region run one at a
time, and expire after 30 days. AWS also limits how many scans a day an account has; this service does so only with
strict quotas, as it does for other quotas.

The reasons are in docs/decisions/1310.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.diagnostics.internal_errors import internal_error
from formwork.durable import Work
from formwork.engine.engine import Engine
from formwork.iac_generator.discovery import MOST_RESOURCES, Scanner, TooManyResourcesError
from formwork.iac_generator.parents import parents_of
from formwork.iac_generator.records import Scan, ScannedResource, resource_key
from formwork.iac_generator.relations import Related, RelationIndex
from formwork.iac_generator.store import (
    EXPIRY_SECONDS,
    forget_scanned,
    get_scan,
    list_running_scans,
    list_scanned,
    list_scans,
    replace_scanned,
    write_scan,
)
from formwork.stacks.errors import StackError
from formwork.stacks.store.resources import find_owner

WORKFLOW = "resource-scan"
_DAY_SECONDS = 24 * 3600.0
_MOST_A_DAY = 3  # of accounts with less than 10,000 resources
_LONGEST_REASON = 1024

TypesOf = Callable[[Scope], Iterable[str]]


class ScannedQuery(Struct, frozen=True, kw_only=True):
    """Which resources of a scan are wanted: those that match all that is given."""

    identifier: str | None = None
    type_prefix: str | None = None
    tag_key: str | None = None
    tag_value: str | None = None

    def matches(self, resource: ScannedResource) -> bool:
        """Return whether a resource is wanted."""
        if self.type_prefix is not None and not resource.type.startswith(self.type_prefix):
            return False
        if self.identifier is not None and self.identifier not in resource.identifier.values():
            return False
        tags = resource.tags
        if self.tag_key is None:
            return self.tag_value is None or self.tag_value in tags.values()
        return self.tag_key in tags and self.tag_value in (None, tags[self.tag_key])


class ResourceScans:
    """Resource scans of an engine's types; made before the work is launched.

    `types_of` gives the names of the types of which an account and Region may have resources. Every method raises
    StackError with the code of the service's exception for what the service refuses.
    """

    def __init__(self, engine: Engine, work: Work, types_of: TypesOf, *, strict_quotas: bool = False) -> None:
        self._engine = engine
        self._work = work
        self._types_of = types_of
        self._strict = strict_quotas
        work.register(WORKFLOW, self._run)

    def resume(self) -> None:
        """Start the scans that have not begun, and delete the resources of those that have expired."""
        with self._engine.database.begin() as connection:
            forget_scanned(connection, self._engine.settings.now() - EXPIRY_SECONDS - _DAY_SECONDS)
            running = list_running_scans(connection)
        for each in running:
            self._work.start(WORKFLOW, each, each)

    # -- requests

    def start(self, scope: Scope, types: Sequence[str] | None = None, token: str | None = None) -> Scan:
        """Begin to scan; `types` limit it, by name or with an asterisk at the end."""
        for each in types or ():
            self._check_filter(scope, each)
        filters = None if types is None else tuple(types)
        now = self._engine.settings.now()
        scan = Scan(id=str(uuid.uuid4()), scope=scope, started=now, token=token, filters=filters)
        try:
            with self._engine.database.begin() as connection:
                earlier = list_scans(connection, scope, now)
                if token is not None and (known := next((each for each in earlier if each.token == token), None)):
                    return known
                self._check_limits(earlier, now, full=types is None)
                write_scan(connection, scan, new=True)
        except IntegrityError:  # another client was faster with the same token
            return self.start(scope, types, token)
        self._work.start(WORKFLOW, scan.id, scan.id)
        return scan

    def _check_filter(self, scope: Scope, name: str) -> None:
        if "*" in name[:-1]:
            raise StackError(f"Invalid resource type filter {name}: an asterisk is allowed only at the end")
        if not name.endswith("*") and self._engine.settings.types.find(scope, name) is None:
            raise StackError(f"Resource type {name} is not supported")

    def _check_limits(self, earlier: list[Scan], now: float, *, full: bool) -> None:
        if any(each.status == "IN_PROGRESS" for each in earlier):
            message = (
                "A resource scan is currently in progress. Only one can be run at a time for an account in a Region."
            )
            raise StackError(message, code="ResourceScanInProgress")
        recent = [each for each in earlier if each.started > now - _DAY_SECONDS and each.filters is None]
        if self._strict and full and len(recent) >= _MOST_A_DAY:
            raise StackError("Exceeded the daily quota for resource scans.", code="ResourceScanLimitExceeded")

    def describe(self, scope: Scope, arn: str) -> Scan:
        """Return a scan."""
        with self._engine.database.read() as connection:
            found = get_scan(connection, arn.rpartition("/")[2], self._engine.settings.now())
        if found is None or found.scope != scope or arn not in (found.arn, found.id):
            message = f"Resource scan {arn} was not found"
            raise StackError(message, code="ResourceScanNotFound")
        return found

    def list_scans(self, scope: Scope, *, partial: bool) -> list[Scan]:
        """Return the scans that were limited to some types, or those that were not, the newest first."""
        with self._engine.database.read() as connection:
            found = list_scans(connection, scope, self._engine.settings.now())
        return [each for each in found if (each.filters is not None) is partial]

    def list_resources(self, scope: Scope, arn: str, query: ScannedQuery) -> list[ScannedResource]:
        """Return the resources of a scan that are wanted."""
        return [each for each in self._resources(scope, arn) if query.matches(each)]

    def list_related(
        self, scope: Scope, arn: str, asked: Sequence[tuple[str, Mapping[str, str]]]
    ) -> list[ScannedResource]:
        """Return the resources of a scan that those asked for mention, and those that mention them."""
        resources = self._resources(scope, arn)
        schemas = {}
        for name in {each.type for each in resources}:
            if (provisioner := self._engine.settings.types.find(scope, name)) is not None:
                schemas[name] = provisioner.schema
        known = [each for each in resources if each.type in schemas]
        index = RelationIndex(Related(schemas[each.type], each.model) for each in known)
        wanted = {resource_key(*each) for each in asked}
        missing = wanted - {each.key for each in resources}
        if missing:
            name, identifier = min(missing)
            shown = ", ".join(f"{key}={value}" for key, value in identifier)
            raise StackError(f"Resource {name} [{shown}] is not in the resource scan")
        numbers = {number for number, each in enumerate(known) if each.key in wanted}
        return [known[number] for number in index.related(numbers)]

    def _resources(self, scope: Scope, arn: str) -> list[ScannedResource]:
        scan = self.describe(scope, arn)
        if scan.status == "IN_PROGRESS":
            raise StackError(f"The resource scan {arn} is in progress", code="ResourceScanInProgress")
        if scan.status == "EXPIRED":
            return []
        with self._engine.database.read() as connection:
            return list_scanned(connection, scan.id)

    # -- the work

    def _run(self, scan_id: str) -> None:
        self._work.step("scan", self._scan, scan_id)

    def _scan(self, scan_id: str) -> None:
        """Scan from the beginning: what a dead process has found is scanned again."""
        now = self._engine.settings.now
        with self._engine.database.read() as connection:
            scan = get_scan(connection, scan_id, now())
        if scan is None or scan.status != "IN_PROGRESS":
            return
        scanner = Scanner(scan.scope, self._engine.settings.types.find, self._is_managed)
        try:
            for percentage in scanner.scan(self._types(scan)):
                self._work.check()
                self._write(replace(scan, percentage=min(percentage, 99.0)))
        except TooManyResourcesError:
            reason = f"The resource scan exceeded {MOST_RESOURCES:,} resources"
            self._write(replace(scan, status="FAILED", reason=reason, ended=now()))
            return
        except Exception as error:  # noqa: BLE001 - the boundary of background work: the scan's status tells it
            self._write(replace(scan, status="FAILED", reason=internal_error(error), ended=now()))
            return
        found = scanner.found
        ended = replace(
            scan,
            status="COMPLETE",
            reason="; ".join(found.problems)[:_LONGEST_REASON] or None,
            ended=now(),
            percentage=100.0,
            types=tuple(found.types),
            listed=found.listed,
            read=len(found.resources),
        )
        with self._engine.database.begin() as connection:
            replace_scanned(connection, scan.id, found.resources)
        self._write(ended)

    def _types(self, scan: Scan) -> list[str]:
        """Return the types to scan: those of the filters, and those without which these cannot be listed."""
        known = list(self._types_of(scan.scope))
        if scan.filters is None:
            return known
        chosen = {each for each in scan.filters if not each.endswith("*")}
        chosen |= {name for name in known for pattern in scan.filters if fnmatchcase(name, pattern)}
        find = self._engine.settings.types.find
        schemas = {name: found.schema for name in {*known, *chosen} if (found := find(scan.scope, name)) is not None}
        needed = [parents_of(schemas[name], schemas.values()) for name in chosen if name in schemas]
        return sorted({*chosen, *(name for each in needed for name in each)})

    def _is_managed(self, scope: Scope, type_name: str, physical_id: str) -> bool:
        with self._engine.database.read() as connection:
            return find_owner(connection, scope, type_name, physical_id) is not None

    def _write(self, scan: Scan) -> None:
        with self._engine.database.begin() as connection:
            write_scan(connection, scan)
        self._engine.settings.observer.changed()
