"""Settings of a run of the contract suite, from the options of `cfn test`.

`--profile quick` and `--profile thorough` set the effort of a run; any other name is an AWS profile, as in the
incumbent. `--effort` is unambiguous; both together must agree.
"""

import argparse
import math
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.command_context.output import CommandOutput
from formwork.command_context.reach import Reached
from formwork.contract.memory import Effort, Limits
from formwork.contract.patience import Patience
from formwork.contract.scheduling import OverlappingTransport, TurnScheduler, YieldingTransport
from formwork.contract_runs.stack_exports import read_exports
from formwork.diagnostics import UsageError
from formwork.invoke import HandlerSession
from formwork.invoke.masking import Masker

PATIENCE = 20.0
_PATIENCE_WITH_FAULTS = 0.2  # of hundreds of operations
PATIENCE_WITH_MOTO = 1.0  # tests with it run one after another, and nothing in it takes its time
# Tests in progress where nothing is said: what waits for a callback costs nothing. An account has its limits.
_AT_A_TIME = 16
_AT_A_TIME_IN_AWS = 4
# As CloudFormation waits: a throttled service has to recover.
_RETRY_DELAYS_IN_AWS = (1.0, 2.0, 4.0, 8.0)


class HandlerLogPrinter:
    """Prints the handlers' logs, with -v or if `shown`; secrets of the requests that it receives are masked in them.

    Under a debugger they are shown: the first line says where the handler waits for it.
    """

    def __init__(self, masker: Masker, output: CommandOutput, *, shown: bool = False) -> None:
        self._masker = masker
        self._output = output
        self._shown = shown or bool(output.verbosity)

    def learn(self, request: Mapping[str, Any]) -> None:
        """Note the secrets of a request before a handler gets it: printed calls and recordings may hold them."""
        self._masker.learn(request)

    def show(self, _function: str, _request_id: str, line: str) -> None:
        """Show a line that a handler wrote."""
        if self._shown:
            self._output.say(f"| {self._masker.text(line)}")


class ContractSettings(Struct, frozen=True):
    """How a run goes: `at_a_time` tests are in progress, and their invocations `overlap` or take turns."""

    limits: Limits
    effort: Effort
    seed: int
    examples: int | None
    exports: Mapping[str, str]
    patience: Patience
    scheduler: TurnScheduler
    at_a_time: int
    overlap: bool
    new_token: Callable[[], str]

    def session(  # noqa: PLR0913 - where handlers are, and what they receive
        self,
        reached: Reached,
        type_name: str,
        *,
        configuration: Mapping[str, Any] | None,
        seconds: float,
        resolve: Callable[[Mapping[str, Any]], Mapping[str, Any]],
        log: HandlerLogPrinter,
    ) -> HandlerSession:
        """Return a session with the type's handlers; `seconds` is the most that a call may take by the limits.

        `resolve` fills in the dynamic references of the type configuration; `log` receives the requests.
        """
        transport = reached.transport
        if self.overlap:
            transport = OverlappingTransport(transport, self.scheduler, limit=self.at_a_time)
        elif self.at_a_time > 1:
            transport = YieldingTransport(transport, self.scheduler)
        return HandlerSession(
            transport,
            type_name,
            account=reached.account,
            region=reached.region,
            credentials=reached.credentials,
            type_configuration=configuration,
            resolve=resolve,
            invocation_timeout=None if math.isinf(seconds) else seconds + 2.0,
            on_request=log.learn,
            sleep=self.patience.sleep,
            clock=self.patience.clock,
            new_token=self.new_token,
        )


def read_settings(
    arguments: argparse.Namespace, seed: int, *, new_token: Callable[[], str] | None = None
) -> ContractSettings:
    """Return the settings of a run; `new_token` makes client request tokens.

    Raises:
        UsageError: options that do not go together.
        BadInputError: the exports file is not a JSON object.
    """
    enforced = arguments.enforce_timeout
    scheduler = TurnScheduler()
    real = _is_real(arguments)
    at_a_time = _at_a_time(arguments, real=real)
    limits = Limits() if enforced is None else Limits.enforced(enforced)
    if arguments.debug_port is not None:
        limits = Limits.enforced(math.inf)
    return ContractSettings(
        limits=replace(limits, retry_delays=_RETRY_DELAYS_IN_AWS) if real else limits,
        effort=Effort(arguments.effort),
        seed=seed,
        examples=arguments.examples,
        exports=read_exports(arguments),
        patience=Patience(_patience_seconds(arguments, real=real), sleep=scheduler.sleep),
        scheduler=scheduler,
        at_a_time=at_a_time,
        overlap=at_a_time > 1 and (real if arguments.jobs is None else arguments.jobs > 1),
        new_token=new_token or (lambda: str(uuid.uuid4())),
    )


def _is_real(arguments: argparse.Namespace) -> bool:
    """Return whether the handlers or their calls reach AWS itself."""
    remote = arguments.endpoint is not None and arguments.endpoint.startswith("https://")
    return bool(arguments.aws == "real" or arguments.profile or arguments.role_arn or remote)


def _patience_seconds(arguments: argparse.Namespace, *, real: bool) -> float | None:
    if arguments.patience is not None:
        return float(arguments.patience)
    if arguments.faults is not None:
        return _PATIENCE_WITH_FAULTS
    if real:
        return None
    return PATIENCE_WITH_MOTO if arguments.aws == "moto" or arguments.replay is not None else PATIENCE


def _is_recorded(arguments: argparse.Namespace) -> bool:
    return arguments.record is not None or arguments.replay is not None


def _one_at_a_time(arguments: argparse.Namespace) -> int:
    """Return 1: only then are the calls of a replay in the order of its recording."""
    if (arguments.jobs or 1) > 1:
        option = "--record" if arguments.record is not None else "--replay"
        raise UsageError(f"{option} cannot be used with --jobs {arguments.jobs}: calls are recorded in one sequence")
    return 1


def _at_a_time(arguments: argparse.Namespace, *, real: bool) -> int:
    if arguments.faults is not None:
        return 1
    if _is_recorded(arguments):
        return _one_at_a_time(arguments)
    if arguments.aws == "moto":
        if (arguments.jobs or 1) > 1:
            raise UsageError(
                f"--aws moto is emptied before each test, so it cannot be used with --jobs {arguments.jobs}",
                hint="start moto yourself and give its address: --aws URL",
            )
        return 1
    if arguments.simulated or arguments.debug_port is not None:
        return 1
    if arguments.jobs is not None:
        return int(arguments.jobs)
    return _AT_A_TIME_IN_AWS if real else _AT_A_TIME
