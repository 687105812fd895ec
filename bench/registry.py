"""The registry: 10,000 types of 10 versions in pages, registration from request to COMPLETE, memory."""

import io
import json
import os
import resource
import sqlite3
import statistics
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlalchemy import insert

from bench.measure import EMPTY, measure
from bench.table import Row
from formwork.aws.scope import Scope
from formwork.durable import Database, open_database
from formwork.durable.workflows import Workflows
from formwork.extensions import ExtensionKind
from formwork.registry.registry import Registry
from formwork.registry.requests import (
    DescribeTypeRequest,
    ListTypesRequest,
    ListTypeVersionsRequest,
    Page,
    RegisterTypeRequest,
    TypeReference,
)
from formwork.registry.settings import HandlerSettings, RegistrySettings
from formwork.registry.tables import types, versions

HERE = Scope("111111111111", "us-east-1")
THING = "Acme::Store::Thing"
TYPES = int(os.environ.get("FORMWORK_BENCH_TYPES", "10000"))
VERSIONS = 10
REGISTRATIONS = 15
_PACKAGES: dict[str, bytes] = {}  # by URL
SCHEMA = '{"typeName": "Acme::Store::Thing", "handlers": {}}' + " " * 4000  # a schema's usual size


def main() -> Iterator[Row]:
    """Pages of a full registry, then registrations into it."""
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        database = open_database(Path(folder) / "state")
        database.migrate()
        fill(database)
        workflows = Workflows(database)
        handlers = HandlerSettings(cache=Path(folder) / "cache", home=Path.home())
        settings = RegistrySettings(fetch=lambda _scope, url: _PACKAGES[url], handlers=handlers)
        registry = Registry(database, workflows, settings)
        with workflows:
            workflows.launch()
            registry.resume()
            yield from pages(registry, database)
            yield from registrations(registry)
        registry.close()
        database.close()


def fill(database: Database) -> None:
    """Rows as registrations would leave them; registering 100,000 versions would take hours."""
    with database.begin() as connection:
        for start in range(0, TYPES, 500):
            numbers = range(start, min(start + 500, TYPES))
            connection.execute(insert(types), [_type(number) for number in numbers])
            connection.execute(
                insert(versions), [_version(number, each) for number in numbers for each in range(1, VERSIONS + 1)]
            )


def _type(number: int) -> dict[str, object]:
    return {
        "id": number + 1,
        "account": HERE.account,
        "region": HERE.region,
        "kind": "RESOURCE",
        "name": f"Acme::Store::Kind{number:05d}",
        "status": "LIVE",
        "last_number": VERSIONS,
        "default_number": 1 + number % VERSIONS,
        "created": 0.0,
        "updated": 0.0,
    }


def _version(type_number: int, number: int) -> dict[str, object]:
    return {
        "type_id": type_number + 1,
        "number": number,
        "status": "LIVE",
        "created": 0.0,
        "description": "A thing of a store.",
        "provisioning": "FULLY_MUTABLE",
        "test_status": "NOT_TESTED",
        "package": "0" * 64,
        "schema": SCHEMA,
    }


def pages(registry: Registry, database: Database) -> Iterator[Row]:
    """Every page of ListTypes, and the memory that it takes."""
    for _ in range(3):  # SQLAlchemy compiles each kind of query once
        registry.list_types(HERE, ListTypesRequest(page=Page(token=None)))
    before = _resident()
    took, seen, token = [], 0, None
    while True:
        started = time.perf_counter()
        page = registry.list_types(HERE, ListTypesRequest(page=Page(token=token)))
        took.append(1000 * (time.perf_counter() - started))
        seen += len(page.items)
        if (token := page.next_token) is None:
            break
    assert seen == TYPES, seen
    took.sort()
    yield Row(f"a page of ListTypes among {TYPES:,} types, median", "ms", statistics.median(took), limit=50)
    yield Row("the same, 95th percentile", "ms", took[int(len(took) * 0.95)], limit=50)
    yield Row("memory that all pages take more than the first", "MB", (_resident() - before) / 1024, limit=16)
    name = f"Acme::Store::Kind{TYPES // 2:05d}"
    prefix = ListTypesRequest(prefix="Acme::Store::Kind09")
    yield Row("ListTypes by prefix", "ms", _median(lambda: registry.list_types(HERE, prefix)), limit=50)
    yield Row("ListTypeVersions", "ms", _median(lambda: _versions(registry, name)))
    yield Row("DescribeType", "ms", _median(lambda: _describe(registry, name)), floor=_read_floor(database))


def registrations(registry: Registry) -> Iterator[Row]:
    """From RegisterType to COMPLETE: fetched, unpacked, checked, handlers loaded in a process of their own."""
    took = []
    for number in range(REGISTRATIONS):
        url = f"s3://packages/{number}.zip"
        _PACKAGES[url] = _package(f"def resource(event, context):\n    return {number}\n")
        request = RegisterTypeRequest(type_name=THING, kind=ExtensionKind.RESOURCE, package_url=url)
        started = time.perf_counter()
        token = registry.register_type(HERE, request)
        while (status := registry.describe_type_registration(HERE, token)).status == "IN_PROGRESS":
            time.sleep(0.002)
        took.append(1000 * (time.perf_counter() - started))
        assert status.status == "COMPLETE", status
    name, floor = "a registration, from request to COMPLETE, median", measure(EMPTY).wall  # of the handlers' process
    yield Row(name, "ms", statistics.median(took), limit=1000, floor=floor)
    yield Row("the slowest of them", "ms", max(took))


def _package(handlers: str) -> bytes:
    """Return the package of a resource type whose handlers are this text."""
    entry = "acme_store_thing.handlers.resource"
    config = {
        "artifact_type": "RESOURCE",
        "typeName": THING,
        "language": "python311",
        "runtime": "python3.11",
        "entrypoint": entry,
        "testEntrypoint": entry,
        "settings": {"protocolVersion": "2.0.0"},
    }
    schema = {
        "typeName": THING,
        "description": "A thing in a store.",
        "properties": {"Name": {"type": "string"}},
        "required": ["Name"],
        "primaryIdentifier": ["/properties/Name"],
        "additionalProperties": False,
        "tagging": {"taggable": False},
        "handlers": {each: {"permissions": []} for each in ("create", "read", "update", "delete", "list")},
    }
    provider = _zipped({"acme_store_thing/__init__.py": "", "acme_store_thing/handlers.py": handlers})
    return _zipped(
        {
            ".rpdk-config": json.dumps(config),
            "schema.json": json.dumps(schema),
            "ResourceProvider.zip": provider,
            "src/acme_store_thing/handlers.py": handlers,
        }
    )


def _zipped(members: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _versions(registry: Registry, name: str) -> object:
    return registry.list_type_versions(HERE, ListTypeVersionsRequest(type=_named(name)))


def _describe(registry: Registry, name: str) -> object:
    return registry.describe_type(HERE, DescribeTypeRequest(type=_named(name)))


def _named(name: str) -> TypeReference:
    return TypeReference(kind=ExtensionKind.RESOURCE, name=name)


def _read_floor(database: Database) -> float:
    """Return the ms in which SQLite reads the row of a version without a library in between."""
    connection = sqlite3.connect(f"file:{database.engine.url.database}?mode=ro", uri=True)
    found = _median(
        lambda: connection.execute("SELECT * FROM registry_version WHERE type_id = 5 AND number = 5").fetchone()
    )
    connection.close()
    return found


def _median(do: Callable[[], object]) -> float:
    took = []
    for _ in range(50):
        started = time.perf_counter()
        do()
        took.append(1000 * (time.perf_counter() - started))
    return statistics.median(took)


def _resident() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
