"""`cfn serve` and `cfn worker` as processes of their own, and boto3's clients for them."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

ACCOUNT, REGION = "111122223333", "us-east-1"  # the key is the account
_ENVIRONMENT = {"AWS_ACCESS_KEY_ID": ACCOUNT, "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": REGION}


@dataclass(frozen=True, slots=True)
class Served:
    """A server at `url`, whose process is `pid`."""

    url: str
    pid: int

    def client(self, service: str) -> Any:
        """Return a client of boto3 that does not retry."""
        import boto3
        from botocore.config import Config

        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id=ACCOUNT,
            aws_secret_access_key="x",
            config=Config(retries={"max_attempts": 0}, read_timeout=90, max_pool_connections=40),
        )

    def run(self, *words: str, cwd: Path) -> None:
        """Run a command of `cfn` that reaches this server.

        Raises:
            RuntimeError: it failed.
        """
        run_cfn(*words, cwd=cwd, environment={"AWS_ENDPOINT_URL": self.url})


def run_cfn(*words: str, cwd: Path, environment: Mapping[str, str] = MappingProxyType({})) -> None:
    """Run a command of `cfn`.

    Raises:
        RuntimeError: it failed.
    """
    variables = {**os.environ, **_ENVIRONMENT, **environment}
    done = subprocess.run([*_cfn(), *words], cwd=cwd, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"cfn {' '.join(words)}: {done.stdout}{done.stderr}")


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Iterator[Served]:
    """Run `cfn serve` with its state and cache in `folder`, and with more options."""
    with _running(folder, "serve", "--port", "0", *options) as (process, line):
        yield Served(line.split()[1], process.pid)


@contextlib.contextmanager
def working(folder: Path, url: str, number: int) -> Iterator[list[int]]:
    """Run so many `cfn worker` on a database, with the state in `folder`; the pids of those that are ready."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(_running(folder, "worker", "--database", url)) for _ in range(number)]
        yield [process.pid for process, _ in found]


@contextlib.contextmanager
def _running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    folders = {"FORMWORK_CACHE": str(folder / "cache"), "FORMWORK_STATE": str(folder / "state")}
    with subprocess.Popen(
        [*_cfn(), *words],
        cwd=folder,
        env={**os.environ, **_ENVIRONMENT, **folders},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout is not None else ""
            if not line.startswith("ready "):
                raise RuntimeError(f"cfn {words[0]} did not start")
            yield process, line
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def _cfn() -> list[str]:
    return [sys.executable, "-m", "formwork.cli.main"]


def cpu_seconds(pid: int, *, ended: bool = False) -> float:
    """Return the CPU time of a process so far, with `ended` also that of its children that have ended; 0 without it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    fields = [int(each) for each in stat.rpartition(")")[2].split()[11:15]]
    return sum(fields if ended else fields[:2]) / os.sysconf("SC_CLK_TCK")
