"""Another user of the machine finds nothing in the state folder, whatever the umask, and old folders are closed."""

import io
import json
import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from formwork.cli.main import main
from formwork.command_context import registry_target
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import EnvironmentProblemError
from formwork.durable import open_database
from formwork.durable.state_folder import PARTS
from support.registry import THING, resource_package
from support.serving import register, serving

NOBODY = 65534
TEMPLATE = json.dumps({"Resources": {"Thing": {"Type": THING, "Properties": {"Name": "one"}}}})
# What they print is kept in a log.
HANDLERS = """
def resource(event, context):
    print("called")
    return {"status": "SUCCESS", "resourceModel": {"Name": "one"}}
"""
pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")


@pytest.fixture
def open_folder():
    """A folder that others may enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="open-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def entries(place):
    return [place, *place.rglob("*")]


def open_entries(place):
    return {str(each): oct(each.lstat().st_mode) for each in entries(place) if each.lstat().st_mode & 0o077}


def found_by_another_user(places):
    """What the user `nobody` can list or read of the paths."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        with os.fdopen(writing, "w") as answer:
            answer.write("\n".join(str(each) for each in places if _opens(each)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        found = answer.read().splitlines()
    os.waitpid(child, 0)
    return found


def _opens(path):
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def use(server):
    """Have the server write all kinds of files: packages, objects, logs, roles, the database."""
    register(server, content=resource_package(handlers=HANDLERS))
    cloudformation = server.client("cloudformation")
    cloudformation.create_stack(StackName="one", TemplateBody=TEMPLATE)
    cloudformation.get_waiter("stack_create_complete").wait(StackName="one")
    document = json.dumps({"Version": "2012-10-17", "Statement": []})
    server.client("iam").create_role(RoleName="role", AssumeRolePolicyDocument=document)


def test_what_a_server_writes_is_for_its_user_alone_with_umask_0(open_folder):
    control = open_folder / "control"
    control.write_text("open")
    state = open_folder / "state"
    with serving(open_folder, "--require-auth", umask=0) as server:
        keys = dict(line.split(" = ") for line in (state / "credentials").read_text().splitlines()[1:])
        client = server.client("s3", **{f"aws_{name.removeprefix('aws_')}": value for name, value in keys.items()})
        client.create_bucket(Bucket="bucket")
        paths = entries(state)
        assert {"formwork.db", "formwork.db-wal", "formwork.db-shm", "state.key", "lock"} <= {p.name for p in paths}
        assert open_entries(state) == {}
        server.stop()
    assert open_entries(state) == {}
    assert found_by_another_user([control, *paths]) == [str(control)]


def test_an_open_folder_of_an_older_version_is_closed_at_the_start(open_folder):
    state = open_folder / "state"
    (state / "results" / "old").mkdir(parents=True)
    (state / "results" / "old" / "program").write_text("")
    (state / "own-notes").write_text("of the user: not ours to change")
    outside = open_folder / "outside"
    outside.write_text("")
    (state / "logs").mkdir()
    (state / "logs" / "link").symlink_to(outside)
    for each in entries(state):
        if not each.is_symlink():
            each.chmod(0o777 if each.is_dir() or each.name == "program" else 0o644)
    outside.chmod(0o644)
    with serving(open_folder, forked=True) as server:
        use(server)
        assert {each.name for each in state.iterdir()} <= {*PARTS, "own-notes"}
        assert set(open_entries(state)) == {str(state / "own-notes"), str(state / "logs" / "link")}
        _, said = server.stop()
    assert (
        f'other users could read 4 files and folders in the state folder "{state}"; their rights were removed' in said
    )
    assert stat.S_IMODE((state / "results" / "old" / "program").stat().st_mode) == 0o700
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644
    assert found_by_another_user(entries(state)) == []
    with serving(open_folder, forked=True) as server:
        _, said = server.stop()
    assert "other users" not in said


def test_the_folder_of_an_ephemeral_server_is_closed(open_folder, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(open_folder))
    with serving(open_folder, "--ephemeral", forked=True) as server:
        use(server)
        paths = [path for folder in open_folder.glob("formwork-*") for path in entries(folder)]
        assert {"formwork.db"} <= {path.name for path in paths}
        assert [path for path in paths if open_entries(path)] == []
        assert found_by_another_user(paths) == []
        server.stop()
    assert not list(open_folder.glob("formwork-*"))


def test_the_server_of_a_single_command_writes_a_closed_folder_too(open_folder, monkeypatch):
    monkeypatch.setenv("FORMWORK_STATE", str(open_folder / "state"))
    monkeypatch.setenv("FORMWORK_CACHE", str(open_folder / "cache"))
    monkeypatch.setattr(registry_target, "_running_server", lambda _output: None)
    out, err = io.StringIO(), io.StringIO()
    before = os.umask(0)
    try:
        assert main(["registry", "list", "--local"], CommandOutput(out, err, colour=False, interactive=False)) == 0
        (open_folder / "after").touch()
    finally:
        os.umask(before)
    assert open_entries(open_folder / "state") == {}
    assert (open_folder / "state" / "formwork.db").stat().st_size > 0
    assert stat.S_IMODE((open_folder / "after").stat().st_mode) == 0o666  # the umask is the user's again


def test_a_library_s_user_gets_a_closed_folder_too(open_folder):
    before = os.umask(0)
    try:
        with_database = open_folder / "state"
        database = open_database(with_database)
        database.migrate()
        database.close()
    finally:
        os.umask(before)
    assert open_entries(with_database) == {}


def test_a_folder_for_the_files_of_all_users_is_refused(open_folder):
    open_folder.chmod(0o1777)
    with pytest.raises(EnvironmentProblemError, match="can't be closed to other users: it is a folder for the files"):
        open_database(open_folder)
    assert stat.S_IMODE(open_folder.stat().st_mode) == 0o1777
