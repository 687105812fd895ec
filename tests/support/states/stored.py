"""State folders as text: SQL for SQLite's database and PostgreSQL's, compressed, and the key that sealed them."""

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

from support.postgres import programs

FOLDER = Path(__file__).parents[2] / "data" / "state_folders"
_KEY = "state.key"
KINDS = ("sqlite", "postgresql")


def path_of(kind, name):
    return FOLDER / kind / f"{name}.sql.gz"


def _files_of(kind, name):
    """The packages of the types of a state, where it has any."""
    return FOLDER / kind / f"{name}.tar.gz"


def picture_of(name):
    """What must be there once everything that was stopped has ended."""
    return json.loads((FOLDER / "ends" / f"{name}.json").read_text(encoding="utf-8"))


def write_picture(name, picture):
    text = json.dumps(picture, indent=1, ensure_ascii=False, sort_keys=True)
    path = FOLDER / "ends" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n", encoding="utf-8")


def put_key(folder):
    """The key that every stored state is sealed with."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(FOLDER / _KEY, folder / _KEY)
    (folder / _KEY).chmod(0o600)


def load(name, folder, url=None):
    """A copy of a stored state: in `folder`, or in the empty PostgreSQL database at `url` beside it."""
    put_key(folder)
    kind = "sqlite" if url is None else "postgresql"
    if (files := _files_of(kind, name)).exists():
        shutil.unpack_archive(files, folder, filter="data")
    text = "".join(gzip.decompress(path_of(kind, each).read_bytes()).decode() for each in ("tables", name))
    if url is None:
        connection = sqlite3.connect(folder / "formwork.db")
        connection.executescript(text)
        connection.close()
        return
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(text.encode())


def store(name, folder, url=None):
    """Keep the state of a process that was stopped; the tables, which all states share, under a name of their own."""
    if url is None:
        tables, rows = _dump_sqlite(folder / "formwork.db")
    else:
        tables, rows = (_dump_postgresql(url, each) for each in ("--schema-only", "--data-only"))
    kind = "sqlite" if url is None else "postgresql"
    if any((folder / "packages").glob("*")):
        archive = _files_of(kind, name)
        shutil.make_archive(str(archive).removesuffix(".tar.gz"), "gztar", folder, "packages")
    for each, text in (("tables", tables), (name, rows)):
        path = path_of(kind, each)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _dump_sqlite(path):
    connection = sqlite3.connect(path)
    lines = list(connection.iterdump())
    connection.close()
    rows = [each for each in lines if each.startswith(("INSERT INTO", "DELETE FROM"))]
    tables = [each for each in lines if each not in set(rows)]
    return "\n".join(tables) + "\n", "\n".join(["BEGIN;", *rows, "COMMIT;", ""])


def _dump_postgresql(url, what):
    command = [programs() / "pg_dump", what, "--inserts", "--no-owner", "--no-privileges", "--dbname", url]
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    lines = [each for each in found.stdout.splitlines() if not each.startswith(("--", "\\"))]
    return "\n".join(each for each in lines if each) + "\n"
