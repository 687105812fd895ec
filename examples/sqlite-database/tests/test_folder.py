"""The data folder without CloudFormation: real files, real failures."""

import sqlite3
from contextlib import closing

import pytest
from acme_sqlite_database.folder import DatabaseExistsError, DatabaseInUseError, DataFolder, NoSuchDatabaseError


@pytest.fixture
def folder(tmp_path):
    return DataFolder(tmp_path / "data")


def make(folder, name="library", token="one", **wanted):
    return folder.create(name, wanted, arn=f"arn:x:database/{name}", token=token, system_tags={})


def test_a_database_comes_back_with_its_defaults(folder):
    database = make(folder, UserVersion=3, Tags=[])
    assert database["UserVersion"] == 3
    assert database["Tags"] == []
    assert (database["PageSize"], database["JournalMode"], database["AutoVacuum"]) == (4096, "DELETE", "NONE")
    assert folder.name_of("arn:x:database/library") == "library"


def test_the_same_token_makes_one_database_and_another_token_is_refused(folder):
    assert make(folder) == make(folder)
    assert folder.names() == ["library"]
    with pytest.raises(DatabaseExistsError):
        make(folder, token="two")
    assert [path.name for path in folder.path.iterdir()] == ["library.db"]


def test_settings_that_need_a_rewrite_wait_for_it(folder):
    make(folder)
    folder.update("library", {"AutoVacuum": "FULL"})
    assert folder.get("library")["AutoVacuum"] == "NONE"
    assert folder.settle("library", "WAL")["AutoVacuum"] == "FULL"
    folder.update("library", {"AutoVacuum": "FULL", "JournalMode": "WAL", "UserVersion": 9})
    assert folder.get("library")["UserVersion"] == 9
    folder.update("library", {})
    settled = folder.settle("library", "DELETE")
    assert (settled["AutoVacuum"], settled["JournalMode"], settled["UserVersion"]) == ("NONE", "DELETE", 0)


def test_the_key_is_kept_as_a_hash_only(folder):
    make(folder, AccessKey="correct horse battery")
    assert b"correct horse" not in (folder.path / "library.db").read_bytes()
    assert "AccessKey" not in folder.get("library")


def test_a_database_that_holds_tables_stays(folder):
    make(folder)
    with closing(sqlite3.connect(folder.path / "library.db")) as connection, connection:
        connection.execute("CREATE TABLE books (title TEXT)")
    with pytest.raises(DatabaseInUseError, match="books"):
        folder.delete("library")
    assert folder.names() == ["library"]


def test_what_is_gone_or_not_ours_is_not_found(folder):
    make(folder)
    folder.delete("library")
    with pytest.raises(NoSuchDatabaseError):
        folder.get("library")
    with closing(sqlite3.connect(folder.path / "alien.db")) as connection, connection:
        connection.execute("CREATE TABLE books (title TEXT)")
    (folder.path / "broken.db").write_bytes(b"no database at all, just bytes" * 40)
    assert folder.names() == []
    with pytest.raises(NoSuchDatabaseError):
        folder.get("alien")
    with pytest.raises(DatabaseExistsError):
        make(folder, "broken")
