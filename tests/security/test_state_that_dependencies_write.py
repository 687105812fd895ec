"""State folders and databases hold DBOS's tables: a release that makes others is not installed, and not used."""

import contextlib
import importlib.metadata
import subprocess
import sys

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import dbos_tables
from support.corpus import REPOSITORY

NO_PSYCOPG = "import sys; sys.modules['psycopg'] = None\n"  # as if it were not installed


@pytest.fixture(scope="module")
def metadata(tmp_path_factory):
    """The metadata of the wheel, as the build backend writes it."""
    folder = tmp_path_factory.mktemp("metadata")
    program = "import sys; from hatchling.build import prepare_metadata_for_build_wheel as p; print(p(sys.argv[1]))"
    argv = [sys.executable, "-c", program, str(folder)]
    done = subprocess.run(argv, cwd=REPOSITORY, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return importlib.metadata.PathDistribution(folder / done.stdout.split()[-1])


def bound(metadata, name, extra):
    [found] = [
        each
        for each in map(Requirement, metadata.requires or [])
        if each.name == name and each.marker is not None and each.marker.evaluate({"extra": extra})
    ]
    return found.specifier


@pytest.mark.parametrize(
    ("name", "extra", "accepted", "refused"),
    [
        ("dbos", "serve", ("3.4.0", "3.4.1"), ("3.3.0", "3.5.0", "3.10", "4.0")),
        ("alembic", "serve", ("1.13", "1.99"), ("2.0", "2.0.1")),
        ("sqlalchemy", "serve", ("2.0", "2.1.9"), ("1.4", "3.0")),
        ("psycopg", "postgresql", ("3.2", "3.9"), ("2.9", "4.0")),
    ],
)
def test_the_wheel_accepts_versions_with_known_tables_alone(metadata, name, extra, accepted, refused):
    specifier = bound(metadata, name, extra)
    assert [each for each in accepted if each not in specifier] == []
    assert [each for each in refused if each in specifier] == []
    assert Version(importlib.metadata.version(name)) in specifier


def test_the_installed_dbos_makes_the_tables_that_are_known():
    from dbos import _migration

    dbos_tables.expect_known_tables()
    for listens in (True, False):
        assert len(_migration.get_dbos_migrations("dbos", listens, False)) == dbos_tables.TABLES_VERSION


def test_another_version_of_tables_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    from dbos import _migration

    from formwork.durable.database import open_database
    from formwork.durable.workflows import Workflows

    monkeypatch.setattr(_migration, "sqlite_migrations", [*_migration.sqlite_migrations, "SELECT 1"])
    with contextlib.closing(open_database(tmp_path / "state")) as database:
        with pytest.raises(EnvironmentProblemError, match="tables of version 126"):
            Workflows(database).launch()
        with database.read() as connection:
            names = connection.exec_driver_sql("SELECT name FROM sqlite_master").scalars().all()
    assert "workflow_status" not in names


def test_dbos_cannot_be_had_without_psycopg():
    """What decision 1001 says of it; when this fails, `serve` can do without the driver."""
    needs = [Requirement(each) for each in importlib.metadata.requires("dbos") or []]
    assert [each.marker for each in needs if each.name == "psycopg"] == [None]
    done = subprocess.run(
        [sys.executable, "-c", NO_PSYCOPG + "import dbos"], capture_output=True, text=True, timeout=60, check=False
    )
    assert "import of psycopg halted" in done.stderr


def cfn_without_psycopg(tmp_path, *words):
    program = (
        f"{NO_PSYCOPG}\nimport runpy\nsys.argv = {['cfn', *words]!r}\nrunpy.run_module('formwork', run_name='__main__')"
    )
    argv = [sys.executable, "-c", program]
    return subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)


def test_serve_says_what_to_install_where_the_driver_is_missing(tmp_path):
    done = cfn_without_psycopg(tmp_path, "serve", "--port", "0", "--state", str(tmp_path / "state"))
    assert done.returncode == 3
    assert "pip install '.[serve]'" in done.stderr
    assert "psycopg" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_url_of_postgresql_names_the_extra_that_has_its_driver(monkeypatch):
    """A driver without its library (psycopg without psycopg-binary and libpq) is an ImportError, too."""
    import sqlalchemy

    from formwork.durable import database

    def no_driver(*_arguments, **_options):
        raise ImportError("no pq wrapper available")

    monkeypatch.setattr(sqlalchemy, "create_engine", no_driver)
    with pytest.raises(EnvironmentProblemError, match="driver of PostgreSQL") as refused:
        database._postgresql_engine("postgresql://user@127.0.0.1:1/none")
    assert "extra postgresql" in refused.value.diagnostics[0].hint
