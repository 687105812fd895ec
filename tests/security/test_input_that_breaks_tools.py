"""Files, packages, disks and databases that would hang a command, or look like a bug in it."""

import io
import json
import os
import subprocess
import sys

import pytest
from sqlalchemy.exc import OperationalError

from formwork.api.responses import internal_failure
from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.durable import open_database
from formwork.durable.state_folder import FolderLock
from formwork.registry.packages import unpack_archive
from support.registry import zipped
from support.serving import serving

DIGITS = "1" * 5000
OPTIONAL = {"template.yml", "requirements.txt", "README.md"}


def cfn(*words, cwd, **more):
    command = [sys.executable, "-m", "formwork.cli.main", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False, **more)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    done = cfn("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python", "-d", "--sample", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of POSIX")
@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("acme-store-thing.json", ["validate"]),
        ("acme-store-thing.json", ["test"]),
        ("acme-store-thing.json", ["diff", "other.json"]),
        ("acme-store-thing.json", ["generate"]),
        (".rpdk-config", ["validate"]),
        ("inputs/inputs_1_create.json", ["test"]),
        ("template.yml", ["test"]),
        ("requirements.txt", ["package"]),
        ("README.md", ["generate"]),
        ("model.smithy", ["convert", "model.smithy"]),
        ("model.smithy", ["smithy", "validate", "model.smithy"]),
    ],
)
def test_a_named_pipe_in_the_place_of_a_file_is_refused(project, tmp_path, file, words):
    whole = tmp_path / "project"
    subprocess.run(["cp", "-r", str(project), str(whole)], check=True)
    (whole / "other.json").write_text("{}")
    (whole / file).unlink(missing_ok=True)
    os.mkfifo(whole / file)
    done = cfn(*words, cwd=whole)
    # A file that need not be there may be taken for one that is not.
    assert done.returncode == (0 if file in OPTIONAL else 1), done.stdout + done.stderr
    assert "bug" not in done.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("type.json", json.dumps({"smithy": "2.0", "shapes": {"a.b#C": {"type": {}}}})),
        (
            "digits.json",
            '{"smithy":"2.0","shapes":{"a.b#C":{"type":"string","traits":{"a.b#t":NUMBER}}}}'.replace("NUMBER", DIGITS),
        ),
        ("digits.smithy", f'$version: "2"\nnamespace a.b\n@unknown({DIGITS})\nstring C\n'),
    ],
)
def test_models_that_once_looked_like_bugs(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    done = cfn("smithy", "validate", name, cwd=tmp_path)
    assert done.returncode == 1
    assert "bug" not in done.stderr
    assert "error[smithy" in done.stdout + done.stderr


def test_a_range_of_many_digits_is_a_range(tmp_path):
    (tmp_path / "m.smithy").write_text(f'$version: "2"\nnamespace a.b\n@range(max: {DIGITS})\ninteger C\n')
    done = cfn("smithy", "validate", "m.smithy", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("namespace", [["com", "a\0b"], "com.acme\0", ["..", "..", "x"], ["com", {}], ["com", "a/b"]])
def test_a_java_namespace_that_is_none(tmp_path, namespace):
    assert cfn("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "java", "-d", cwd=tmp_path).returncode == 0
    config = json.loads((tmp_path / ".rpdk-config").read_text())
    config["settings"]["namespace"] = namespace
    (tmp_path / ".rpdk-config").write_text(json.dumps(config))
    done = cfn("generate", cwd=tmp_path)
    assert done.returncode == 1
    assert "generate.namespace" in done.stderr


def test_a_package_member_with_a_name_that_no_file_system_takes(tmp_path):
    with pytest.raises(BadInputError, match="member of the name"):
        unpack_archive(zipped({"a" * 256: "x"}), tmp_path, "the package")


def test_a_full_disk_is_no_bug(tmp_path, monkeypatch):
    error = OperationalError("INSERT …", {}, Exception("database or disk is full"))
    answer = internal_failure(error)
    assert (answer.code, answer.status) == ("ServiceUnavailable", 503)
    assert answer.message == "the database can't be used: database or disk is full"
    full = OSError(28, "No space left on device")
    assert internal_failure(full).message == "the state folder can't be used: No space left on device"

    def write(_text):
        raise full

    lock = FolderLock(tmp_path / "lock")
    lock.release()
    monkeypatch.setattr(lock, "_file", io.StringIO())
    monkeypatch.setattr(lock._file, "write", write)
    with pytest.raises(EnvironmentProblemError, match="No space left"):
        lock.note(address="x")


def test_a_damaged_database_is_no_bug(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "formwork.db").write_bytes(os.urandom(20_000))
    done = cfn("serve", "--port", "0", "--state", str(state), cwd=tmp_path)
    assert done.returncode == 3
    assert "error[environment]: the database" in done.stderr


def test_numbers_of_5000_digits_in_requests_are_refused(tmp_path):
    from botocore.exceptions import ClientError

    with serving(tmp_path, forked=True) as server:
        properties = '{"DisplayName": ' + DIGITS + "}"
        template = '{"Resources": {"T": {"Type": "AWS::SNS::Topic", "Properties": ' + properties + "}}}"
        with pytest.raises(ClientError, match="Template format error"):
            server.client("cloudformation").create_stack(StackName="digits", TemplateBody=template)
        with pytest.raises(ClientError) as refused:
            server.client("cloudcontrol").create_resource(TypeName="AWS::SNS::Topic", DesiredState=properties)
        assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_a_postgresql_database_of_another_encoding_is_refused(make_database):
    import psycopg

    server, _, _ = make_database().rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(EnvironmentProblemError, match="has the encoding SQL_ASCII, UTF8 is needed"):
        open_database(f"{server}/ascii")
