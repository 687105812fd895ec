"""Secrets in the database: sealed with a key that is elsewhere."""

import base64
import stat
import threading

import pytest
from sqlalchemy import Column, MetaData, String, Table, select, text

from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.secrets import Secret
from formwork.durable import open_database
from formwork.durable.sealed_text import SealedText, with_seals
from formwork.durable.sealing import KEY_FILE, Sealer, folder_key, parse_key

KEY = base64.b64encode(bytes(32)).decode()
TEXT = '{"Password": "pāsswörd"}'
notes = Table("note", MetaData(), Column("id", String(8), primary_key=True), Column("content", SealedText))


def test_a_sealed_text_is_the_text_again():
    sealer = Sealer(parse_key(KEY))
    sealed = sealer.seal(TEXT)
    assert sealed.startswith("sealed:1:")
    assert "Password" not in sealed
    assert sealer.seal(TEXT) != sealed
    assert Sealer(parse_key(KEY)).open(sealed) == TEXT
    assert sealer.open(TEXT) == TEXT  # of an older version


@pytest.mark.parametrize("change", [lambda sealed: sealed[:-8] + "AAAAAAA=", lambda sealed: sealed[:40]])
def test_what_was_changed_is_not_opened(change):
    sealer = Sealer(parse_key(KEY))
    with pytest.raises(EnvironmentProblemError, match="another key"):
        sealer.open(change(sealer.seal(TEXT)))
    with pytest.raises(EnvironmentProblemError, match="another key"):
        Sealer(bytes(31) + b"1").open(sealer.seal(TEXT))


@pytest.mark.parametrize("given", ["", "x", base64.b64encode(bytes(31)).decode(), KEY[:-1], "ключ"])
def test_keys_that_are_none(given):
    with pytest.raises(EnvironmentProblemError, match="not 32 bytes in base64"):
        parse_key(given)


def test_processes_that_start_at_once_have_one_key(tmp_path):
    found = []
    threads = [threading.Thread(target=lambda: found.append(folder_key(tmp_path / "new"))) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [each.name for each in (tmp_path / "new").iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / "new" / KEY_FILE).stat().st_mode) == 0o600


def test_columns_are_sealed_where_they_are_stored(tmp_path):
    database = open_database(tmp_path)
    insert = with_seals(text("INSERT INTO note (id, content) VALUES (:id, :content)"), notes)
    with database.begin() as connection:
        notes.create(connection)
        connection.execute(notes.insert().values(id="one", content=TEXT))
        connection.execute(insert, {"id": "two", "content": TEXT})
        connection.exec_driver_sql("INSERT INTO note VALUES ('old', 'in clear')")
        connection.execute(notes.insert().values(id="none", content=None))
        stored = dict(connection.exec_driver_sql("SELECT id, content FROM note").all())
        found = dict(connection.execute(select(notes)).all())
    database.close()
    assert found == {"one": TEXT, "two": TEXT, "old": "in clear", "none": None}
    assert [stored[name][:9] for name in ("one", "two")] == ["sealed:1:"] * 2
    assert (stored["old"], stored["none"]) == ("in clear", None)


def test_another_key_is_told(tmp_path):
    for key in (None, None, Secret(KEY)):
        database = open_database(tmp_path, key=key)
        try:
            if key is None:
                database.migrate()
                continue
            with pytest.raises(EnvironmentProblemError, match="sealed with another key") as refused:
                database.migrate()
            assert KEY_FILE in str(refused.value.diagnostics)
        finally:
            database.close()
