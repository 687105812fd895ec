"""Checks of the options of `cfn test` that argparse does not make."""

import argparse

from formwork.command_context.egress import refuse_egress_options
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import UsageError

EFFORTS = ("quick", "thorough")
# What only means something to the incumbent's way of fetching logs and images; taken so that scripts keep working.
WITHOUT_MEANING = ("--log-group-name", "--log-role-arn", "--source-account", "--source-arn", "--rqts-image")


def check_test_options(arguments: argparse.Namespace, output: CommandOutput) -> None:
    """Settle `--profile` and `--effort`, and refuse values that are not valid and options that contradict each other.

    Raises:
        UsageError: with the option.
    """
    _settle_effort(arguments)
    for name in ("enforce_timeout", "examples", "patience", "jobs"):
        value = getattr(arguments, name)
        if value is not None and not (value > 0 or (name == "patience" and value == 0)):
            raise UsageError(f"--{name.replace('_', '-')} is {value:g}", hint="more than 0")
    _check_debugging(arguments)
    _check_faults(arguments)
    _check_enforcement(arguments)
    _check_files(arguments)
    _check_unproved(arguments)
    if arguments.unsealed:
        refuse_egress_options(arguments, "--unsealed: other hosts are reached then")
    if arguments.simulated:
        refuse_egress_options(arguments, "--simulated: it calls no host")
    if arguments.v2:
        raise UsageError(
            "--v2 runs AWS's closed test image in Docker, which Formwork has no part in",
            hint="leave it out: `cfn test` proves the contract by itself, for every language",
        )
    for option in WITHOUT_MEANING:
        if getattr(arguments, option[2:].replace("-", "_")) is not None:
            output.say(f"{option} has no meaning here and is ignored: handler logs are shown with -v")


def _check_files(arguments: argparse.Namespace) -> None:
    """Refuse reports that cannot be written, rather now than after all tests."""
    for option, file in (("--report-file", arguments.report_file), ("--log-file", arguments.log_file)):
        if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
            raise UsageError(f'{option} is "{file}"', hint="a file in a folder that exists")
    folder = arguments.report_folder
    if folder is not None and (folder.is_file() or not folder.absolute().parent.is_dir()):
        raise UsageError(f'--report-folder is "{folder}"', hint="a folder, or the name of one in a folder that exists")


def _settle_effort(arguments: argparse.Namespace) -> None:
    if arguments.profile in EFFORTS:
        if arguments.effort not in (None, arguments.profile):
            raise UsageError(f"--profile {arguments.profile} and --effort {arguments.effort} contradict each other")
        arguments.effort, arguments.profile = arguments.profile, None
    arguments.effort = arguments.effort or "quick"


def _check_debugging(arguments: argparse.Namespace) -> None:
    if arguments.debug_port is None:
        return
    if not 0 < arguments.debug_port < 65536:
        raise UsageError(f"--debug-port is {arguments.debug_port}", hint="a port from 1 to 65535")
    if arguments.simulated or (arguments.jobs or 1) > 1:
        named = "--simulated" if arguments.simulated else f"--jobs {arguments.jobs}"
        raise UsageError(f"--debug-port does not go with {named}", hint="it debugs one handler process")


def _check_faults(arguments: argparse.Namespace) -> None:
    """Parse `--faults`, and refuse the options that cannot be combined with it."""
    if arguments.faults is None:
        return
    from formwork.faults.scenario import parse_faults

    arguments.wanted_faults = parse_faults(arguments.faults)
    without = "--faults: it runs scenarios of its own"
    for name in ("simulated", "unsealed", "last_failed", "watch", "debug_port", "endpoint", "record", "replay", "jobs"):
        if getattr(arguments, name) not in (None, False):
            raise UsageError(f"--{name.replace('_', '-')} cannot be used with {without}")
    if arguments.focus:
        raise UsageError(f"--focus cannot be used with {without}", hint="--faults SCENARIO runs one")
    if arguments.keyword is not None or arguments.pytest_arguments:
        raise UsageError(
            f"-k and pytest's arguments cannot be used with {without}",
            hint="--faults 'create/iam PutRolePolicy#1/kill-after' runs one, as a report names it",
        )
    if arguments.aws == "real" or arguments.profile or arguments.role_arn:
        raise UsageError(
            "--faults cannot be used with real AWS: its failures leave resources behind on purpose",
            hint="--aws moto, or --aws URL",
        )


def _check_enforcement(arguments: argparse.Namespace) -> None:
    if not arguments.enforce_iam:
        return
    for name in ("simulated", "endpoint"):
        if getattr(arguments, name):
            raise UsageError(f"--enforce-iam cannot be used with --{name}: it is for handlers that this command starts")
    if arguments.aws == "real" or arguments.profile or arguments.role_arn:
        raise UsageError(
            "--enforce-iam cannot be used with real AWS, which enforces the policies of your credentials",
            hint="--role-arn tests with a role that has the permissions in the schema: `cfn generate` writes it",
        )


def _check_unproved(arguments: argparse.Namespace) -> None:
    if not arguments.unproved:
        return
    from formwork.contract_results.clauses import CLAUSES

    if arguments.require_proof != "all":
        raise UsageError("--unproved only means something with --require-proof")
    for clause in arguments.unproved:
        if clause not in CLAUSES:
            raise UsageError(f'--unproved: "{clause}" is not a clause', hint="the report names them: list.token")
