"""Whoever can write the database executes nothing: rows are JSON, and those that can't be read end their own workflow."""

import ast
import base64
import json
import pickle
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

import formwork
from formwork.durable import open_database
from formwork.durable.workflows import Workflows

UNSAFE = {"pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "pickletools"}


class Payload:
    """Unpickling one executes `touch` on a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)

    @property
    def text(self):
        return base64.b64encode(pickle.dumps(self)).decode()


def test_no_module_reads_pickles():
    root = Path(formwork.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        if b"import" in (source := path.read_bytes()) and any(each.encode() in source for each in UNSAFE):
            for node in ast.walk(ast.parse(source)):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
                found |= {(path.name, name) for name in names if name.partition(".")[0] in UNSAFE}
    assert found == {("all_cores.py", "pickle")}  # of a fork's results, through a pipe that nobody else has


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    return tmp_path / "state" if request.param == "sqlite" else request.getfixturevalue("make_database")()


def workflows_of(place, folder, said):
    database = open_database(place, state=folder / "state")
    database.migrate()
    workflows = Workflows(database, beat_seconds=0.2, on_problem=said.append)
    workflows.register("count", lambda: [workflows.step(f"step {n}", lambda n=n: n) for n in range(3)])
    return database, workflows


def plant(database, rows):
    values = {"name": "count", "created": 0.0, "arguments_json": "[]"}
    with database.begin() as connection:
        for row in rows:
            columns = values | row
            marks = ", ".join(f":{each}" for each in columns)
            connection.execute(
                sa.text(f"INSERT INTO durable_workflow ({', '.join(columns)}) VALUES ({marks})"), columns
            )


def until(done):
    ends = time.monotonic() + 30
    while not done():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_rows_that_someone_planted_execute_nothing_and_stop_no_other(tmp_path, place):
    touched = tmp_path / "touched"
    said = []
    database, workflows = workflows_of(place, tmp_path, said)
    text = Payload(touched).text
    plant(
        database,
        [
            {"id": "arguments", "arguments_json": text},
            {"id": "object", "arguments_json": '{"a": 1}'},
            {"id": "unknown", "name": "os.system", "arguments_json": json.dumps([f"touch {touched}"])},
            {"id": "steps"},
        ],
    )
    with database.begin() as connection:
        statement = sa.text("INSERT INTO durable_step VALUES ('steps', 1, 'step 0', 0, :text, NULL)")
        connection.execute(statement, {"text": text})
    with workflows:
        workflows.launch()
        for planted in ("arguments", "object", "steps"):
            with pytest.raises(Exception, match=r"JSONDecodeError|TypeError"):
                workflows.result(planted)
        workflows.start("count", "other")
        assert workflows.result("other") == [0, 1, 2]
        assert workflows._rows.outcome("unknown") is None
    assert not touched.exists()
    database.close()


def test_a_text_that_was_sealed_with_another_key_ends_no_process(tmp_path, place):
    said = []
    database, workflows = workflows_of(place, tmp_path, said)
    sealed = "sealed:1:" + base64.b64encode(b"x" * 40).decode()
    plant(database, [{"id": "steps"}, {"id": "arguments", "arguments_json": sealed}])
    with database.begin() as connection:
        statement = sa.text("INSERT INTO durable_step VALUES ('steps', 1, 'step 0', 0, :text, NULL)")
        connection.execute(statement, {"text": sealed})
    with workflows:
        workflows.launch()
        until(lambda: len(said) == 2)
        workflows.start("count", "other")
        assert workflows.result("other") == [0, 1, 2]
    assert all("is interrupted until the next start: the database was sealed with another key" in each for each in said)
    database.close()


def test_the_payload_of_these_tests_works(tmp_path):
    pickle.loads(base64.b64decode(Payload(tmp_path / "touched").text))
    assert (tmp_path / "touched").exists()
