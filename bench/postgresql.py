"""A PostgreSQL server of the bench's own: in a temporary folder, on a free port, with the settings of a real one."""

import contextlib
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.served import cpu_seconds


@dataclass(frozen=True, slots=True)
class PostgresqlServer:
    """A running server, and one empty database in it."""

    url: str
    data: Path

    def transactions(self) -> int:
        """Return how many transactions were committed in the database so far."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            query = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
            row: Any = connection.execute(query).fetchone()
        return int(row[0])

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server: of its first process, of those that live, and of those that ended."""
        pid = int((self.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        return cpu_seconds(pid, ended=True) + sum(cpu_seconds(int(each)) for each in children)


def find_programs() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`, the newest version's; None where PostgreSQL is not installed."""
    found = [each for each in Path("/usr/lib/postgresql").glob("*/bin") if (each / "initdb").is_file()]
    found.sort(key=lambda each: [int(part) for part in re.findall(r"\d+", each.parent.name)])
    if found:
        return found[-1]
    on_path = shutil.which("initdb")
    return None if on_path is None else Path(on_path).parent


@contextlib.contextmanager
def postgresql_server(programs: Path) -> Iterator[PostgresqlServer]:
    """Run a server; commits wait for the disk, as they do by default."""
    folder = Path(tempfile.mkdtemp(prefix="formwork-bench-postgresql-"))
    prefix = _as_user() if os.geteuid() == 0 else []
    if prefix:
        shutil.chown(folder, "postgres", "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(program: str, *arguments: str | Path) -> None:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": str(folder)}
        command = [*prefix, programs / program, *arguments]
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")

    data = folder / "data"
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c max_connections=400"
    try:
        run("initdb", "-D", data, "-U", "formwork", "-A", "trust", "-E", "UTF8", "--no-instructions")
        run("pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start")
        try:
            yield PostgresqlServer(f"postgresql://formwork@127.0.0.1:{port}/postgres", data)
        finally:
            run("pg_ctl", "-D", data, "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_user() -> list[str]:
    """Return the command that makes a program run as the user postgres, since PostgreSQL refuses to run as root."""
    with contextlib.suppress(KeyError):
        pwd.getpwnam("postgres")
        if shutil.which("setpriv"):
            return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    raise RuntimeError("PostgreSQL does not run as root, and there is no user postgres")
