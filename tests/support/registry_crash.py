"""A registry's day as a list of steps, the moments at which its process may die, and what must hold afterwards."""

import json
import os
import random
import shutil
import signal
import threading
import time
import uuid
from pathlib import Path

from sqlalchemy import create_engine, func, make_url, select, text

from formwork.durable import open_database
from formwork.durable.workflows import Workflows
from formwork.extensions import ExtensionKind
from formwork.registry.errors import RegistryError
from formwork.registry.proofs import Proof
from formwork.registry.requests import (
    ActivateTypeRequest,
    DescribeTypeRequest,
    ListTypeVersionsRequest,
    PublishTypeRequest,
    RegisterPublisherRequest,
    RegisterTypeRequest,
    SetTypeConfigurationRequest,
    TestTypeRequest,
    TypeReference,
)
from formwork.registry.tables import public_versions, registrations, tests, types, versions
from support.engines import Checkpoints
from support.registry import (
    GUARD,
    HERE,
    SHELF,
    STRANGER,
    THING,
    Desk,
    by_name,
    kind_of,
    resource_package,
    resource_schema,
)

TESTED = "AWS::Store::Thing"
ALIAS = "Theirs::Store::Thing"
CHECKPOINTS = (
    *("register-noting", "register-noted", "register-open", "register-fetched", "unpack-making", "unpack-unpacked"),
    *("unpack-moving", "register-opened", "register-check", "register-checked", "register-prove", "register-finish"),
    *("register-completing", "register-finished", "register-failing", "register-failed", "default-set"),
    *("configuration-set", "test-noting", "test-noted", "test-running", "test-delivered", "test-finishing"),
    *("publishing", "auto-updated", "published", "activated", "deactivated", "deregister-one", "deregister-done"),
)
CONFIGURATION = {"CloudFormationConfiguration": {"HookConfiguration": {"HookInvocationStatus": "ENABLED"}}}
_DESK_MUST_END_SECONDS = 60


class Day:
    """The steps; each can be asked whether it holds, and is done where it does not."""

    def __init__(self, desk, packages):
        self.desk = desk
        self.registry = desk.registry
        for name, content in packages.items():
            desk.storage.objects[f"s3://packages/{name}"] = content

    def steps(self):
        yield "first", self.registers("one.zip"), self.registered("one.zip")
        yield "second", self.registers("two.zip"), self.registered("two.zip")
        yield "broken", self.registers("broken.zip"), self.registered("broken.zip", "FAILED")
        yield "tested namespace", self.registers("tested.zip", TESTED), self.registered("tested.zip")
        yield "guard", self.registers("guard.zip", GUARD), self.registered("guard.zip")
        yield "shelf", self.registers("shelf.zip", SHELF), self.registered("shelf.zip")
        yield "default", self.makes_default("two.zip"), self.is_default("two.zip")
        yield "configured", self.configure, self.is_configured
        yield "publisher", self.become_publisher, self.is_publisher
        yield "proved", self.prove("two.zip"), self.is_proved("two.zip")
        yield "published", self.publish, self.is_published("1.0.0")
        yield "activated", self.activate(), self.uses(THING, "1.0.0")
        yield "activated too", self.activate(ALIAS), self.uses(ALIAS, "1.0.0")
        yield "third", self.registers("three.zip"), self.registered("three.zip")
        yield "default again", self.makes_default("three.zip"), self.is_default("three.zip")
        yield "proved again", self.prove("three.zip"), self.is_proved("three.zip")
        yield "published again", self.publish, self.is_published("1.1.0")
        yield "updated by itself", lambda: None, self.uses(THING, "1.1.0")
        yield "deactivated", self.deactivate, self.is_deactivated
        yield "version gone", self.deregister("one.zip"), self.is_deregistered("one.zip")
        yield "module gone", self.deregister_module, self.has_no_module

    # -- what is done, and how to see that it was

    def token(self, url):
        with self.desk.database.read() as connection:
            return connection.execute(
                select(registrations).where(registrations.c.client_token == url.partition(".")[0])
            ).first()

    def registers(self, url, name=THING):
        def register():
            request = RegisterTypeRequest(
                type_name=name,
                kind=kind_of(name)[0],
                package_url=f"s3://packages/{url}",
                client_token=url.partition(".")[0],
            )
            token = self.registry.register_type(HERE, request)
            _until(lambda: self.registry.describe_type_registration(HERE, token).status != "IN_PROGRESS")

        return register

    def registered(self, url, status="COMPLETE"):
        def holds():
            row = self.token(url)
            return row is not None and row.status == status

        return holds

    def arn(self, url):
        return self.registry.describe_type_registration(HERE, self.token(url).token).version_arn

    def makes_default(self, url):
        return lambda: self.registry.set_type_default_version(HERE, TypeReference(arn=self.arn(url)))

    def is_default(self, url):
        def holds():
            found = self.registry.describe_type(HERE, DescribeTypeRequest(type=by_name()))
            return found.arn >= self.arn(url)  # a later default version is this one's successor

        return holds

    def configure(self):
        request = SetTypeConfigurationRequest(type=by_name(GUARD), configuration=json.dumps(CONFIGURATION))
        self.registry.set_type_configuration(HERE, request)

    def is_configured(self):
        return [each.configuration for each in self.registry.list_hooks(HERE)] == [CONFIGURATION]

    def become_publisher(self):
        self.registry.register_publisher(HERE, RegisterPublisherRequest(accepts_terms=True))

    def is_publisher(self):
        try:
            return bool(self.registry.describe_publisher(HERE))
        except RegistryError:
            return False

    def prove(self, url):
        def prove():
            request = TestTypeRequest(type=TypeReference(arn=self.arn(url)), log_bucket="results")
            self.registry.test_type(HERE, request)
            _until(self.is_proved(url))

        return prove

    def is_proved(self, url):
        def holds():
            reference = TypeReference(arn=self.arn(url))
            found = self.registry.describe_type(HERE, DescribeTypeRequest(type=reference))
            return found.tests_status == "PASSED"

        return holds

    def publish(self):
        self.registry.publish_type(HERE, PublishTypeRequest(type=by_name()))

    def is_published(self, version):
        def holds():
            with self.desk.database.read() as connection:
                found = connection.execute(select(public_versions.c.version)).scalars()
                return version in set(found)

        return holds

    def activate(self, alias=None):
        def activate():
            publisher = self.registry.describe_publisher(HERE).id
            request = ActivateTypeRequest(type=by_name(), publisher_id=publisher, alias=alias)
            self.registry.activate_type(STRANGER, request)

        return activate

    def uses(self, name, version):
        def holds():
            with self.desk.database.read() as connection:
                row = connection.execute(
                    select(types.c.status, versions.c.public_version)
                    .join(
                        versions,
                        (versions.c.type_id == types.c.id) & (versions.c.number == types.c.default_number),
                    )
                    .where(types.c.account == STRANGER.account, types.c.name == name)
                ).first()
            return row is not None and row.public_version >= version

        return holds

    def deactivate(self):
        self.registry.deactivate_type(STRANGER, by_name(ALIAS))

    def is_deactivated(self):
        try:
            self.registry.expect_type(STRANGER, ALIAS, ExtensionKind.RESOURCE)
        except RegistryError:
            return self.uses(ALIAS, "1.0.0")()
        return False

    def deregister(self, url):
        return lambda: self.registry.deregister_type(HERE, TypeReference(arn=self.arn(url)))

    def is_deregistered(self, url):
        def holds():
            row = self.token(url)
            request = ListTypeVersionsRequest(type=by_name(), status="DEPRECATED")
            gone = self.registry.list_type_versions(HERE, request).items
            return row is not None and any(each.arn == self.arn(url) for each in gone)

        return holds

    def deregister_module(self):
        self.registry.deregister_type(HERE, by_name(SHELF))

    def has_no_module(self):
        row = self.token("shelf.zip")
        if row is None or row.status != "COMPLETE":
            return False
        try:
            self.registry.expect_type(HERE, SHELF, ExtensionKind.MODULE)
        except RegistryError:
            return True
        return False


def packages():
    """What the day's registrations fetch."""
    return {
        "one.zip": resource_package(handlers="one = 1\n"),
        "two.zip": resource_package(handlers="two = 2\n"),
        "three.zip": resource_package(handlers="three = 3\n"),
        "broken.zip": resource_package(schema=resource_schema() | {"primaryIdentifier": ["/properties/No"]}),
        "tested.zip": resource_package(TESTED),
        "guard.zip": kind_of(GUARD)[1](GUARD),
        "shelf.zip": kind_of(SHELF)[1](SHELF),
    }


def prove_well(_request):
    return Proof(passed=True, summary="all is well", logs={"test.log": b"all is well\n"})


def make_template(state, url=None):
    """A state folder whose database has every table; that of the `url` if given, which its file `url` names."""
    database = open_database(url or state, state=state)
    database.migrate()
    with Workflows(database) as workflows:
        workflows.launch()
    database.close()
    if url is not None:
        (state / "url").write_text(url)


def copy_template(template, folder):
    """A state folder like the template; PostgreSQL copies a database of its own for it."""
    shutil.copytree(template, folder)
    if not (folder / "url").exists():
        return
    name = f"day_{uuid.uuid4().hex}"
    url = make_url((template / "url").read_text()).set(drivername="postgresql+psycopg")
    engine = create_engine(url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {url.database}"))
    engine.dispose()
    (folder / "url").write_text(url.set(database=name).render_as_string(hide_password=False))


def open_copy(folder):
    """The database of a copied template."""
    url = folder / "url"
    return open_database(url.read_text() if url.exists() else folder, state=folder)


def live(folder, checkpoint=None, turn=1, after=None):
    """Live the day in the state folder; die at the `turn`-th time of `checkpoint`, or `after` so many seconds."""
    acknowledged = os.open(folder / "acknowledged", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    left = [turn]

    def reached(name):
        if name == checkpoint:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    if after is not None:
        threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
    with _open(folder, reached) as desk:
        for name, do, holds in Day(desk, packages()).steps():
            if not holds():
                do()
            assert holds(), name
            os.write(acknowledged, f"{name}\n".encode())
    os.close(acknowledged)


class _open:
    def __init__(self, folder, reached):
        self.database = open_copy(folder)
        self.database.migrate()
        self.workflows = Workflows(self.database, beat_seconds=0.2, dead_seconds=2.0)
        self.desk = Desk(self.database, work=self.workflows, prove=prove_well, observer=Checkpoints(reached))

    def __enter__(self):
        for name, content in packages().items():
            self.desk.storage.objects[f"s3://packages/{name}"] = content
        self.workflows.launch()
        self.desk.registry.resume()
        return self.desk

    def __exit__(self, *_error):
        self.workflows.close()
        self.desk.close()


def judge(folder):
    """Go on after a crash; every complaint about what is found, the list of an honest registry is empty."""
    path = folder / "acknowledged"
    done = path.read_text().splitlines() if path.exists() else []
    found = []
    with _open(folder, lambda _name: None) as desk:
        day = Day(desk, packages())
        _until(lambda: not _unfinished(desk))
        steps = {name: (do, holds) for name, do, holds in day.steps()}
        found += [f'"{name}" was acknowledged and is lost' for name in done if not steps[name][1]()]
        found += invariants(desk)
        for name, (do, holds) in steps.items():
            if not holds():
                do()
            if not holds():
                found.append(f'"{name}" can\'t be done any more')
        found += invariants(desk)
    with _open(folder, lambda _name: None) as desk:  # a restart sweeps what nobody needs
        if not desk.database.shared:  # else other workers might, for a day
            found += orphans(desk)
    return found


def invariants(desk):
    """What holds at every moment, whatever was done."""
    with desk.database.read() as connection:
        rows = connection.execute(select(types)).all()
        every = connection.execute(select(versions)).all()
        tokens = connection.execute(select(registrations)).all()
        published = connection.execute(select(public_versions.c.version, func.count()).group_by(*_public_key())).all()
        running = connection.execute(select(func.count()).select_from(tests).where(tests.c.status == "IN_PROGRESS"))
        unproved = running.scalar_one()
    found = []
    of = {row.id: [each for each in every if each.type_id == row.id] for row in rows}
    for row in rows:
        live_ones = [each.number for each in of[row.id] if each.status == "LIVE"]
        if (row.status == "LIVE") != bool(live_ones):
            found.append(f"{row.name} is {row.status} with live versions {live_ones}")
        if row.status == "LIVE" and row.default_number not in live_ones:
            found.append(f"{row.name}: the default version {row.default_number} is not among {live_ones}")
        numbers = sorted(each.number for each in of[row.id])
        if numbers != list(range(1, row.last_number + 1)):
            found.append(f"{row.name} has the numbers {numbers} and counted to {row.last_number}")
        tested = {each.test_status for each in of[row.id]}
        if "IN_PROGRESS" in tested and not unproved:
            found.append(f"{row.name} is being tested by nobody")
    for token in tokens:
        (version,) = [each for each in every if (each.type_id, each.number) == (token.type_id, token.number)]
        allowed = {"COMPLETE": {"LIVE", "DEPRECATED"}, "FAILED": {"FAILED"}, "IN_PROGRESS": {"PENDING"}}
        if version.status not in allowed[token.status]:
            found.append(f"registration {token.token} is {token.status}, its version {version.status}")
    found += [
        f"the package of version {version.number} is missing"
        for version in every
        if version.status == "LIVE" and not (desk.state.packages / version.package / "package").is_dir()
    ]
    found += [f"{version} was published {count} times" for version, count in published if count > 1]
    return found


def _public_key():
    columns = public_versions.c
    return columns.publisher_id, columns.region, columns.kind, columns.name, columns.version


def orphans(desk):
    """Files that belong to nobody."""
    with desk.database.read() as connection:
        needed = set(
            connection.execute(select(versions.c.package).where(versions.c.status.in_(["LIVE", "PENDING"]))).scalars()
        ) | set(connection.execute(select(public_versions.c.package)).scalars())
    there = {each.name for each in desk.state.packages.iterdir()}
    found = [f"nobody needs the package {name}" for name in there - needed]
    found += [f"{each} is half made" for each in desk.state.root.rglob(".making-*")]
    return found


def _unfinished(desk):
    with desk.database.read() as connection:
        registering = connection.execute(
            select(func.count()).select_from(registrations).where(registrations.c.status == "IN_PROGRESS")
        ).scalar_one()
        testing = connection.execute(
            select(func.count()).select_from(tests).where(tests.c.status == "IN_PROGRESS")
        ).scalar_one()
    return registering + testing


def _until(done):
    ends = time.monotonic() + _DESK_MUST_END_SECONDS
    while not done():
        assert time.monotonic() < ends, "it never ends"
        time.sleep(0.005)


def child(template, folder, report, moment):
    """One process of a trial: with a moment to die at it lives the day, without one it judges what was left."""
    checkpoint, turn, after = moment
    folder, report = Path(folder), Path(report)
    if checkpoint is not None or after is not None:
        copy_template(template, folder)
        live(folder, checkpoint, turn, after)
        report.write_text(json.dumps(["it did not die"]))
    else:
        report.write_text(json.dumps(judge(folder)))


def random_moments(count, seconds, seed):
    """`count` moments within `seconds`, the same ones for the same seed."""
    generator = random.Random(seed)
    return [generator.uniform(0.0, seconds) for _ in range(count)]
