"""A PostgreSQL server for tests: Debian's package, as an unprivileged user, in a folder of its own on a free port.

Without one the tests that need it are skipped, and fail where CI is set. `FORMWORK_POSTGRESQL` may name the folder of
its programs.
"""

import contextlib
import functools
import itertools
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

WHY = "PostgreSQL is not installed: apt-get install postgresql"


@functools.cache
def programs():
    """The folder of initdb and pg_ctl, the newest version's; None where there is none."""
    named = os.environ.get("FORMWORK_POSTGRESQL")
    if named:
        return Path(named)
    found = [each for each in Path("/usr/lib/postgresql").glob("*/bin") if (each / "initdb").is_file()]
    found.sort(key=lambda each: [int(part) for part in re.findall(r"\d+", each.parent.name)])
    if found:
        return found[-1]
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def skip_without_postgres():
    """Skip the test where no server can be started; fail it on CI."""
    if programs() is None:
        if os.environ.get("CI"):
            pytest.fail(WHY)
        pytest.skip(WHY)
    if _is_root() and _as_user() is None:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")


def _is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _as_user():
    """The command that makes a program run as the user postgres; None where that can't be done."""
    with contextlib.suppress(KeyError):
        pwd.getpwnam("postgres")
        if shutil.which("setpriv"):
            return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        if shutil.which("runuser"):
            return ["runuser", "-u", "postgres", "--"]
    return None


def _free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def running_server():
    """A server, as a function that makes an empty database and returns its URL."""
    folder = Path(tempfile.mkdtemp(prefix="formwork-postgres-"))
    prefix = _as_user() if _is_root() else []
    if prefix:
        shutil.chown(folder, "postgres", "postgres")
    data, port = folder / "data", _free_port()

    def run(program, *arguments):
        command = [*prefix, programs() / program, *arguments]
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": str(folder)}
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"

    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    options += " -c max_connections=300 -c synchronous_commit=off -c full_page_writes=off"
    try:
        run("initdb", "-D", data, "-U", "formwork", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions")
        run("pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start")
        try:
            yield functools.partial(_make_database, f"postgresql://formwork@127.0.0.1:{port}", itertools.count(1))
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_database(server, numbers):
    import psycopg

    name = f"test{next(numbers)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{server}/{name}"
