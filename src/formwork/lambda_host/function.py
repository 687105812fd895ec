"""The description of a Lambda function for the local service."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct, field

# AWS Lambda's limit on requests and responses of a synchronous invocation, in bytes.
MAX_REQUEST_BYTES = 6 * 1024 * 1024
MAX_RESPONSE_BYTES = 6_291_556


class Launch(Struct, frozen=True):
    """How to start a handler process: command, working folder, and environment variables beside Lambda's."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    working_directory: Path


class LambdaFunction(Struct, frozen=True):
    """One function.

    `timeout` is in seconds, None for no limit (under a debugger); `memory_mb` in MiB, None for no limit. `prepare`
    gives the launch and may take long the first time (it installs requirements). `sources` are the files and folders
    whose change makes running processes stale.
    """

    name: str
    handler: str
    runtime: str
    task_root: Path
    prepare: Callable[[], Launch]
    timeout: float | None = 3.0
    memory_mb: int | None = 128
    environment: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[Path, ...] = ()
