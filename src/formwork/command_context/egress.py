"""How a command treats the calls of its handlers, from its options and the project's `egress.yml`."""

import argparse
import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from formwork.command_context.output import CommandOutput
from formwork.diagnostics import UsageError

if TYPE_CHECKING:
    from formwork.egress.cassettes.recorder import Recorder
    from formwork.egress.cassettes.replay import Replay
    from formwork.egress.rules import EgressRules
    from formwork.egress.run_rules import RunRules
    from formwork.egress.settings import EgressSettings
    from formwork.faults.setup import FaultSetup

_MOST_STALE = 10
# Of a command that does not have the options of `add_egress_arguments`.
NO_EGRESS_OPTIONS: dict[str, Any] = {"allow": [], "stub": [], "record": None, "replay": None}


def add_egress_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who answers calls to services other than AWS; `egress.yml` can hold the same."""
    group = parser.add_argument_group("other calls of the handlers")
    group.add_argument(
        "--allow",
        metavar="HOST[:PORT]",
        action="append",
        default=[],
        help="let calls through to this host (repeatable)",
    )
    group.add_argument(
        "--stub",
        metavar="HOST=FILE",
        action="append",
        default=[],
        help="answer calls to this host as an OpenAPI document describes it (repeatable)",
    )
    group.add_argument("--record", metavar="DIR", type=Path, help="record the calls that are answered, without secrets")
    group.add_argument("--replay", metavar="DIR", type=Path, help="answer calls as they were recorded, AWS's too")


@contextlib.contextmanager
def open_egress(  # noqa: PLR0913 - what differs between the commands
    arguments: argparse.Namespace,
    output: CommandOutput,
    *,
    seal: bool,
    may_seal: bool = True,
    mask: Callable[[str], str] = lambda text: text,
    faults: "FaultSetup | None" = None,
) -> Iterator["EgressSettings"]:
    """Provide the settings for the calls of a project's handlers; at the end recordings are written.

    Handlers are sealed with `seal`, and where rules say who answers or calls are recorded; unless not `may_seal`: a
    debugger connects to the machine's network. Refused hosts are printed as warnings, and with -v every call; `mask`
    hides secrets in them, and in recordings. `faults` gets its injector between the rules and who answers.

    `arguments.egress_rules` are those of `read_egress_rules`.

    Raises:
        BadInputError: what a rule names can't be used.
    """
    rules: EgressRules = arguments.egress_rules
    seal = may_seal and (seal or bool(rules.hosts or arguments.replay or arguments.record))
    told = _told_settings(output, seal=seal, mask=mask)
    if faults is not None:
        told = replace(told, around=faults.injector.around)
    if not (rules.hosts or rules.services or arguments.record or arguments.replay):
        yield told
        return
    from formwork.egress.run_rules import RunRules

    run_rules = RunRules(rules, replay=arguments.replay)
    if faults is not None:
        _show_hosts(faults, rules, run_rules)
    recorder = None
    if arguments.record is not None:
        from formwork.egress.cassettes.recorder import Recorder

        recorder = Recorder(arguments.record, mask)
    try:
        yield replace(
            told,
            seal=seal,
            of_host=run_rules.of_host,
            of_service=rules.aws_for,
            aws_responder=run_rules.aws_responder if arguments.aws is None else None,
            domains=run_rules.domains,
            ports=run_rules.ports,
            around=told.around if recorder is None else recorder.around,
            begin=_begin_all([*run_rules.replays.values(), *([] if recorder is None else [recorder])]),
        )
    finally:  # a run that fails has recorded what it called
        if recorder is not None:
            files = recorder.close()
            output.say(
                f"recorded the calls of {len(files)} hosts in {arguments.record}" if files else "no call was recorded"
            )
    for folder, replay in run_rules.replays.items():
        _tell_stale(folder, [str(each) for each in replay.stale], output)


def _begin_all(parted: "Sequence[Recorder | Replay]") -> Callable[[str], None]:
    def begin(part: str) -> None:
        for each in parted:
            each.begin(part)

    return begin


def _show_hosts(faults: "FaultSetup", rules: "EgressRules", run_rules: "RunRules") -> None:
    """Give a run with injected failures the state of the stubs; the state of other hosts is not visible."""
    from formwork.egress.rules import Refuse, Stub

    faults.parts += run_rules.stubs.values()
    faults.unseen += [each.host for each in rules.hosts if not isinstance(each.treatment, Stub | Refuse)]


def read_egress_rules(arguments: argparse.Namespace, project: Path) -> "EgressRules":
    """Return the rules of the project's `egress.yml`, and after them those of the options.

    `--aws` is taken from the file where no option says it.

    Raises:
        BadInputError: the file is not valid.
        UsageError: an option names no host; the file names a stand-in for a service that `--aws` does not start.
    """
    from formwork.documents import load_document
    from formwork.egress.rules import EgressRules, parse_allow_option, parse_stub_option
    from formwork.egress.rules_file import EGRESS_FILES, read_egress

    file = next((project / name for name in EGRESS_FILES if (project / name).is_file()), None)
    rules = EgressRules() if file is None else read_egress(load_document(file))
    if arguments.aws is None and not (arguments.profile or arguments.role_arn):
        arguments.aws = rules.aws
    for rule in rules.services:
        if rule.aws in ("moto", "real") and rule.aws != arguments.aws:
            raise UsageError(
                f'egress.yml answers "{rule.service}" with {rule.aws}, and --aws is {arguments.aws or "none"}',
                hint=f"--aws {rule.aws}, and other services by rules of their own",
            )
    options = [parse_allow_option(each) for each in arguments.allow]
    options += [parse_stub_option(each) for each in arguments.stub]
    return rules.with_hosts(tuple(options))


def refuse_egress_options(arguments: argparse.Namespace, without: str) -> None:
    """Refuse the options of `add_egress_arguments`; `without` names what makes them ineffective, for the message.

    Raises:
        UsageError: with the option.
    """
    for name in ("allow", "stub", "record", "replay"):
        if getattr(arguments, name):
            raise UsageError(f"--{name} cannot be used with {without}")


def unruled_settings(output: CommandOutput) -> "EgressSettings":
    """Return the settings for handlers of no project: hosts other than AWS's are reached."""
    return _told_settings(output, seal=False, mask=lambda text: text)


def _told_settings(output: CommandOutput, *, seal: bool, mask: Callable[[str], str]) -> "EgressSettings":
    from formwork.egress.refusals import refusal_warning
    from formwork.egress.rendered_calls import render_call
    from formwork.egress.settings import EgressSettings
    from formwork.lambda_host.outgoing_calls import UNSEEN_CLIENTS

    return EgressSettings(
        seal=seal,
        refused=lambda call: output.say(f"warning: {mask(refusal_warning(call))}"),
        called=lambda call: output.detail(f"> {mask(render_call(call))}"),
        unsealed=lambda reason: output.say(
            f"warning: the handlers are not sealed ({reason}): what can call other hosts unseen: {UNSEEN_CLIENTS}"
        ),
    )


def _tell_stale(folder: Path, stale: list[str], output: CommandOutput) -> None:
    for each in stale[:_MOST_STALE]:
        output.say(f"warning: no call of this run is {each} in {folder}")
    if len(stale) > _MOST_STALE:
        output.say(f"warning: nor {len(stale) - _MOST_STALE:,} more recorded calls in {folder}: record them again")
