"""The description of a Lambda function for the local service."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

# AWS Lambda's limit on requests and responses of a synchronous invocation, in bytes.
MAX_REQUEST_BYTES = 6 * 1024 * 1024
MAX_RESPONSE_BYTES = 6_291_556


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a handler process: command, working folder, and environment variables beside Lambda's."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    working_directory: Path


@dataclass(frozen=True, slots=True)
class LambdaFunction:
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
