"""State folders outlive installations: the wheel bounds what reads and writes them, and what it runs no row decides."""

import importlib.metadata
import subprocess
import sys

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from formwork.diagnostics import EnvironmentProblemError
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
        ("alembic", "serve", ("1.13", "1.99"), ("2.0", "2.0.1")),
        ("sqlalchemy", "serve", ("2.0", "2.1.9"), ("1.4", "3.0")),
        ("psycopg", "postgresql", ("3.2", "3.9"), ("2.9", "4.0")),
    ],
)
def test_the_wheel_accepts_known_major_versions_alone(metadata, name, extra, accepted, refused):
    specifier = bound(metadata, name, extra)
    assert [each for each in accepted if each not in specifier] == []
    assert [each for each in refused if each in specifier] == []
    assert Version(importlib.metadata.version(name)) in specifier


def cfn_without_psycopg(tmp_path, *words):
    program = (
        f"{NO_PSYCOPG}\nimport runpy\nsys.argv = {['cfn', *words]!r}\nrunpy.run_module('formwork', run_name='__main__')"
    )
    argv = [sys.executable, "-c", program]
    return subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)


def test_sqlite_needs_no_driver_of_postgresql(metadata):
    names = {each.name for each in map(Requirement, metadata.requires or []) if each.marker is not None}
    assert "psycopg" in names
    requirements = [each for each in map(Requirement, metadata.requires or []) if each.name == "psycopg"]
    assert [each.marker.evaluate({"extra": "serve"}) for each in requirements] == [False]


def test_a_database_on_postgresql_says_what_to_install_where_the_driver_is_missing(tmp_path):
    url = "postgresql://user@127.0.0.1:1/none"
    words = ("serve", "--port", "0", "--state", str(tmp_path / "state"), "--database", url)
    done = cfn_without_psycopg(tmp_path, *words)
    assert done.returncode == 3
    assert "the driver of PostgreSQL (psycopg) is missing" in done.stderr
    assert "pip install '.[postgresql]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_sqlite_is_served_without_the_driver(tmp_path):
    program = (
        f"{NO_PSYCOPG}from pathlib import Path\n"
        "from formwork.durable import open_database\n"
        "from formwork.durable.workflows import Workflows\n"
        f"database = open_database(Path({str(tmp_path / 'state')!r}))\n"
        "database.migrate()\n"
        "with Workflows(database) as workflows:\n"
        "    workflows.register('w', lambda: workflows.step('s', lambda: 1))\n"
        "    workflows.launch()\n"
        "    workflows.start('w', 'w')\n"
        "    print(workflows.result('w'))\n"
        "database.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("1\n", "")


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
