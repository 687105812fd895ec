"""One database API over SQLite and PostgreSQL."""

import subprocess
import sys
import threading
import time

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import Durability, open_database
from formwork.durable import migrating as migrating_module
from formwork.durable.database import check_sqlite
from formwork.durable.migrating import HEAD, current_revision
from formwork.durable.state_folder import StateFolder, read_note
from formwork.durable.workflow_tables import metadata as workflow_metadata
from formwork.registry.tables import metadata


@pytest.fixture
def database(tmp_path):
    opened = open_database(tmp_path / "state")
    yield opened
    opened.close()


def test_migrating_makes_the_tables_that_the_code_has(database):
    database.migrate()
    with database.read() as connection:
        context = MigrationContext.configure(connection)
        differences = compare_metadata(context, metadata)
        durable = compare_metadata(context, workflow_metadata)
        assert current_revision(connection) == HEAD
    others = [each for each in differences if each[0] == "remove_table" and not each[1].name.startswith("registry_")]
    assert [
        each
        for each in differences
        if each not in others and "engine_" not in str(each) and "durable_" not in str(each)
    ] == []
    ours = [each for each in durable if "durable_workflow" in str(each) or "durable_step" in str(each)]
    assert [(change, index.name) for change, index in ours] == [("remove_index", "durable_workflow_unfinished")]
    database.migrate()


def test_the_newest_script_is_the_one_that_the_code_names():
    config = Config()
    config.set_main_option(
        "script_location", str(migrating_module.Path(migrating_module.__file__).parent / "migrations")
    )
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_a_database_of_a_newer_version_is_left_alone(database):
    database.migrate()
    with database.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(EnvironmentProblemError, match="newer Formwork"):
        database.migrate()


def test_opening_a_new_or_current_database_needs_no_alembic(tmp_path):
    program = (
        "import sys\n"
        "from formwork.durable import open_database\n"
        f"database = open_database({str(tmp_path / 'state')!r})\n"
        "database.migrate()\n"
        "database.close()\n"
        "print('alembic' in sys.modules)\n"
    )
    said = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said == ["False\n", "False\n"]


def test_a_library_that_is_too_old_is_refused():
    with pytest.raises(EnvironmentProblemError, match=r"SQLite 3\.34\.1 is too old: 3\.35 or newer"):
        check_sqlite((3, 34, 1))
    check_sqlite((3, 40, 0))


@pytest.mark.parametrize(("durability", "synchronous"), [(Durability.NORMAL, 1), ("full", 2)])
def test_how_commits_are_kept(tmp_path, durability, synchronous):
    opened = open_database(tmp_path / "state", durability=durability)
    with opened.read() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == synchronous
        assert connection.execute(text("PRAGMA busy_timeout")).scalar() == 30_000
    opened.close()


def test_a_transaction_is_whole_or_not_there(database):
    with database.begin() as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER)"))

    def half():
        with database.begin() as connection:
            connection.execute(text("INSERT INTO t VALUES (1)"))
            raise KeyError

    with pytest.raises(KeyError):
        half()
    with database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM t")).scalar() == 0


def test_writers_queue_and_readers_see_the_last_commit(database):
    with database.begin() as connection:
        connection.execute(text("CREATE TABLE t (n INTEGER)"))
        connection.execute(text("INSERT INTO t VALUES (0)"))

    def add():
        for _ in range(20):
            with database.begin() as connection:
                n = connection.execute(text("SELECT n FROM t")).scalar()
                connection.execute(text("UPDATE t SET n = :n"), {"n": n + 1})

    writers = [threading.Thread(target=add) for _ in range(8)]
    for each in writers:
        each.start()
    with database.begin() as connection:
        before = connection.execute(text("SELECT n FROM t")).scalar()
        time.sleep(0.01)
        with database.read() as reader:
            assert reader.execute(text("SELECT n FROM t")).scalar() == before
    for each in writers:
        each.join()
    with database.read() as connection:
        assert connection.execute(text("SELECT n FROM t")).scalar() == 160


def test_a_state_folder_has_one_holder_who_can_be_found(tmp_path):
    folder = tmp_path / "state"
    first = open_database(folder)
    first.lock.note(address="http://127.0.0.1:3001")
    assert read_note(folder)["address"] == "http://127.0.0.1:3001"
    with pytest.raises(EnvironmentProblemError, match=r"in use by another Formwork \(process \d+\) at http://127"):
        open_database(folder)
    first.close()
    assert read_note(folder) == {}
    open_database(folder).close()


def test_a_killed_holder_holds_nothing(tmp_path):
    folder = tmp_path / "state"
    program = (
        "import os, signal\n"
        "from formwork.durable import open_database\n"
        f"open_database({str(folder)!r})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    open_database(folder).close()


def test_what_cannot_be_opened_says_why(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(EnvironmentProblemError, match="can't be created"):
            open_database(place)
    with pytest.raises(EnvironmentProblemError, match='"mysql" is not a known kind of database'):
        open_database("mysql://localhost/x")
    with pytest.raises(EnvironmentProblemError, match="can't be reached"):
        open_database("postgresql://nobody@127.0.0.1:1/none")


def test_files_are_whole_or_not_there(tmp_path):
    state = StateFolder(tmp_path)

    def half():
        with state.making(state.packages / "a") as folder:
            (folder / "x").write_text("half")
            raise KeyError

    with pytest.raises(KeyError):
        half()
    assert list(state.packages.iterdir()) == []
    with state.making(state.packages / "a") as folder:
        (folder / "x").write_text("whole")
    with state.making(state.packages / "a") as folder:
        (folder / "x").write_text("too late")
    assert (state.packages / "a" / "x").read_text() == "whole"
    state.write_file(state.objects / "deep" / "o", b"1")
    state.write_file(state.objects / "deep" / "o", b"2")
    assert (state.objects / "deep" / "o").read_bytes() == b"2"
    (state.packages / ".making-1").mkdir()
    (state.objects / "deep" / ".making-2").write_text("")
    assert state.remove_half_made() == 2
    assert state.remove_half_made() == 0
