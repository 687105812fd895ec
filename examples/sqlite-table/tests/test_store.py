"""The store without CloudFormation: real files, real failures."""

import sqlite3
from contextlib import closing

import pytest
from acme_sqlite_table import rebuild
from acme_sqlite_table.store import NoSuchTableError, TableExistsError, TableId, TableStore

BOOKS = TableId("shop", "books")
ISBN = {"Name": "isbn", "Type": "TEXT", "Nullable": False}
PRICE = {"Name": "price", "Type": "NUMERIC"}


@pytest.fixture
def store(tmp_path):
    return TableStore(tmp_path / "data")


def make(store, which=BOOKS, token="one", **more):
    wanted = {"Columns": [ISBN, PRICE], "PrimaryKey": ["isbn"], **more}
    store.create(which, wanted, arn=f"arn:x:table/{which.database}/{which.table}", token=token, system_tags={})
    return wanted


def sql(store, statement, *values):
    with closing(sqlite3.connect(store.path / "shop.db")) as connection, connection:
        return connection.execute(statement, values).fetchall()


def finish(store):
    after, calls = -1, 0
    while after is not None:
        after, calls = store.go_on(BOOKS, after), calls + 1
    return calls


def test_a_table_comes_back_as_it_was_asked_for(store):
    index = {"Name": "by_price", "Columns": ["price"], "Unique": False}
    wanted = make(store, Indexes=[index], Tags=[])
    table = store.get(BOOKS)
    assert {name: table[name] for name in wanted} == wanted
    assert table["RowCount"] == 0


def test_the_same_token_makes_one_table_and_another_token_is_refused(store):
    make(store)
    make(store)
    assert list(store.ids()) == [BOOKS]
    with pytest.raises(TableExistsError):
        make(store, token="two")
    with pytest.raises(TableExistsError):
        make(store, TableId("shop", "BOOKS"), token="two")


def test_columns_at_the_end_are_added_at_once(store):
    make(store)
    sql(store, "INSERT INTO books VALUES ('1', 9)")
    assert not store.update(BOOKS, {"Columns": [ISBN, PRICE, {"Name": "blurb", "Type": "TEXT"}]})
    assert sql(store, "SELECT * FROM books") == [("1", 9, None)]


def test_other_changes_copy_the_rows_in_batches_and_lock_writers_out(store, monkeypatch):
    monkeypatch.setattr(rebuild, "BATCH", 2)
    make(store)
    for number in range(5):
        sql(store, "INSERT INTO books VALUES (?, ?)", str(number), number)
    assert store.update(BOOKS, {"Columns": [{"Name": "price", "Type": "REAL"}, ISBN]})
    with pytest.raises(sqlite3.IntegrityError, match="being rebuilt"):
        sql(store, "INSERT INTO books VALUES ('9', 9)")
    assert [column["Name"] for column in store.get(BOOKS)["Columns"]] == ["isbn", "price"]
    assert finish(store) == 3
    assert sql(store, "SELECT * FROM books ORDER BY isbn") == [(float(number), str(number)) for number in range(5)]
    sql(store, "INSERT INTO books VALUES (9, '9')")


def test_a_row_that_does_not_fit_leaves_the_table_as_it_was(store):
    make(store)
    sql(store, "INSERT INTO books VALUES ('1', NULL)")
    before = store.get(BOOKS)
    assert store.update(BOOKS, {"Columns": [ISBN, {**PRICE, "Nullable": False}]})
    with pytest.raises(sqlite3.IntegrityError):
        store.go_on(BOOKS, -1)
    assert store.get(BOOKS) == before
    sql(store, "INSERT INTO books VALUES ('2', 2)")


def test_a_change_behind_our_back_shows(store):
    make(store)
    sql(store, "ALTER TABLE books ADD COLUMN stolen INTEGER")
    assert store.get(BOOKS)["Columns"][-1] == {"Name": "stolen", "Type": "INTEGER"}
    sql(store, "DROP TABLE books")
    with pytest.raises(NoSuchTableError):
        store.get(BOOKS)
