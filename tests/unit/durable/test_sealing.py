"""Secrets in the database: sealed with a key that is elsewhere."""

import base64
import stat
import threading
from types import SimpleNamespace

import pytest
from sqlalchemy import Column, MetaData, String, Table, select, text

from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.secrets import Secret
from formwork.durable import open_database
from formwork.durable.sealed_text import SealedText, with_seals
from formwork.durable.sealing import KEY_FILE, Sealer, folder_key, parse_key
from formwork.durable.sealing_columns import seal_columns

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


def test_what_earlier_releases_sealed_and_derived_stays_readable():
    sealer = Sealer(bytes(range(32)))
    sealed = "sealed:1:AAECAwQFBgcICQoL"
    cipher = sealer._cipher.encrypt(bytes(range(12)), b"text", None)
    assert sealer.open(f"{sealed}{base64.b64encode(cipher).decode()}") == "text"
    assert base64.b64encode(cipher).decode() == "M2eub1GpDN423mqrKm5IZUSTIoQ="
    assert sealer.derive("sessions").hex() == "24d95f5eee35093c5bf29397e5c3892e86be690a1cc44d5f0bcfb2072c3d015c"
    assert sealer.id == "0ef0b71715466c63"


def told(refused):
    (found,) = refused.value.diagnostics
    return found.message, found.hint


@pytest.mark.parametrize("given", [KEY[:-2] + "!A=", f"{KEY[:10]}!{KEY[10:]}", base64.b64encode(bytes(33)).decode()])
def test_keys_with_other_characters(given):
    with pytest.raises(EnvironmentProblemError) as refused:
        parse_key(given)
    assert told(refused) == (
        "the key of the state is not 32 bytes in base64",
        "generate one: openssl rand -base64 32",
    )


def test_keys_may_have_space_around_them(tmp_path):
    assert parse_key(f" {KEY}\n") == bytes(32)
    made = folder_key(tmp_path / "deep" / "folder")
    path = tmp_path / "deep" / "folder" / KEY_FILE
    assert path.read_text() == base64.b64encode(made).decode() + "\n"
    assert (folder_key(path.parent), len(made)) == (made, 32)


@pytest.mark.parametrize("content", [b"\xff\xfe", "ключ".encode()])
def test_a_key_file_that_is_not_text(tmp_path, content):
    (tmp_path / KEY_FILE).write_bytes(content)
    with pytest.raises(EnvironmentProblemError) as refused:
        folder_key(tmp_path)
    assert told(refused)[0].startswith(f'"{tmp_path / KEY_FILE}" can\'t be used: ')


def test_a_key_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblemError) as refused:
        folder_key(tmp_path / "file")
    assert told(refused)[0].startswith(f'"{tmp_path / "file" / KEY_FILE}" can\'t be used: ')


def test_a_file_system_without_links_has_a_key_too(tmp_path, monkeypatch):
    def fail(*_arguments):
        raise OSError

    monkeypatch.setattr("os.link", fail)
    key = folder_key(tmp_path)
    assert folder_key(tmp_path) == key
    assert [each.name for each in tmp_path.iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_the_key_of_another_process_that_was_first_stays(tmp_path, monkeypatch):
    def other_first(_from, to):
        to.write_text(KEY)
        raise FileExistsError

    monkeypatch.setattr("os.link", other_first)
    assert folder_key(tmp_path) == bytes(32)


@pytest.mark.parametrize("key", [KEY, base64.b64encode(bytes([5] * 32)).decode()])
def test_the_hint_of_another_key_names_its_file(key):
    sealed = Sealer(bytes([7] * 32)).seal(TEXT)
    with pytest.raises(EnvironmentProblemError) as refused:
        Sealer(parse_key(key)).open(sealed)
    assert told(refused) == (
        "the database was sealed with another key",
        "put state.key back into the state folder, or give the key with FORMWORK_STATE_KEY",
    )


def test_without_a_sealer_texts_are_as_they_are():
    class Dialect:
        pass

    column = SealedText()
    assert column.process_bind_param(TEXT, Dialect()) == TEXT
    assert column.process_result_value(TEXT, Dialect()) == TEXT
    dialect = Dialect()
    dialect.formwork_sealer = Sealer(bytes(32))
    sealed = column.process_bind_param(TEXT, dialect)
    assert Sealer.is_sealed(sealed)
    assert column.process_result_value(sealed, dialect) == TEXT
    assert column.process_bind_param(None, dialect) is column.process_result_value(None, dialect) is None


def test_only_parameters_of_sealed_columns_are_sealed():
    statement = with_seals(text("UPDATE note SET content = :content WHERE id = :id"), notes)
    assert [(name, type(each.type)) for name, each in statement._bindparams.items() if name == "content"] == [
        ("content", SealedText)
    ]
    assert not isinstance(statement._bindparams["id"].type, SealedText)
    unsealed = with_seals(text("DELETE FROM note WHERE id = :id"), notes)
    assert list(unsealed._bindparams) == ["id"]


def test_without_a_key_nothing_is_sealed_later():
    seal_columns(SimpleNamespace(dialect=object()), {"note": (["id"], ["content"])})
