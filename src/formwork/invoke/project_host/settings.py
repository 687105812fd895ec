"""Settings for running a project's handlers."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct, field

from formwork.egress.settings import EgressSettings


def _ignore(*_what: object) -> None:
    pass


class CoverageSettings(Struct, frozen=True):
    """Python handlers write to `folder` which lines of their project ran, as `line_recorder` says.

    Those on a Python before 3.12 only if `traced`: they need a trace function, which costs the sample's run 15 %.
    """

    folder: Path
    traced: bool = False


class ProjectHostSettings(Struct, frozen=True):
    """How a project's handlers are run.

    `cache` keeps environments and compiled files; `user_environment` is the user's, for pip and for finding
    interpreters, never for handlers. `aws_environment` is what handler processes get to reach AWS with (credentials, or
    AWS_ENDPOINT_URL for a simulation); None refuses their AWS calls with an error that says so. `debug_port` makes each
    handler wait for a debugger there, without limits. `coverage` has Python handlers record which of their lines run.
    `note` is called with what the user should know, `log` with every line that a handler writes (function, request id,
    line), `hear` with every event before a handler gets it. `egress` says how calls to other services are treated.
    """

    cache: Path
    home: Path
    user_environment: Mapping[str, str] = field(default_factory=dict)
    aws_environment: Mapping[str, str] | None = None
    region: str = "us-east-1"
    account: str = "123456789012"
    concurrency: int = 10
    aws_runtime: bool = False
    debug_port: int | None = None
    coverage: CoverageSettings | None = None
    note: Callable[[str], None] = _ignore
    log: Callable[[str, str, str], None] = _ignore
    hear: Callable[[bytes], None] = _ignore
    egress: EgressSettings = field(default_factory=EgressSettings)
