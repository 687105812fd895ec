"""The entry point: commands found, errors to exit codes, streams that misbehave."""

import errno
import io
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import formwork.cli.main as cli
from formwork.cli.parsing import Parser
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import BadInputError, EnvironmentProblemError, UsageError
from formwork.diagnostics.render import render_text


class Ending(io.StringIO):
    """A stream that fails at flush, as a full disk or a closed pipe does."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def flush(self):
        raise self.error


@pytest.fixture
def run(monkeypatch):
    """`run(argv, behaviour)`: `cfn` with one command "work" that does what `behaviour(arguments, output)` does."""

    def start(argv, behaviour=lambda _arguments, _output: 0, out=None):
        module = types.ModuleType("formwork.cli.commands.work", "Work hard.")
        module.add_arguments = lambda parser: parser.add_argument("--twice", action="store_true")
        module.run = behaviour
        monkeypatch.setitem(sys.modules, "formwork.cli.commands.work", module)
        monkeypatch.setattr(cli, "COMMANDS", {"work": "work hard", "walk-far": "walk"})
        output = CommandOutput(out or io.StringIO(), io.StringIO(), colour=False, interactive=False)
        code = cli.main(argv, output)
        return code, "" if out else output.out.getvalue(), output.err.getvalue()

    return start


def raising(error):
    def behave(_arguments, _output):
        raise error

    return behave


def test_no_command_is_help(run):
    code, out, err = run([])
    assert (code, err) == (0, "")
    assert "walk-far" in out


def test_unknown_commands_suggest_the_nearest(run):
    assert run(["wrok"]) == (2, "", 'error[usage]: unknown command "wrok"\n  = help: did you mean `cfn work`?\n')
    assert "the commands are work, walk-far" in run(["zzz"])[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["work", "--thrice"], 'cfn work has no option "--thrice"\n  = help: did you mean --twice?\n'),
        (["work", "--nonsense=1"], 'cfn work has no option "--nonsense"\n  = help: cfn work [-h] [-v] [--twice]\n'),
        (["work", "more"], 'cfn work: "more" is one word too many\n'),
        (["--nonsense"], 'cfn has no option "--nonsense"\n  = help: `cfn --help` shows the usage\n'),
        (["work", "--twice=2"], "cfn work: --twice: ignored explicit argument '2'\n"),
    ],
)
def test_usage_errors_of_options(run, words, said):
    code, out, err = run(words)
    assert (code, out) == (2, "")
    assert said in err
    assert "= help: " in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "cfn work: VERB is missing\n  = help: one of dig, plant\n"),
        (["plnt", "4"], 'cfn work: VERB is "plnt"\n  = help: did you mean plant?\n'),
        (["fly", "4"], 'cfn work: VERB is "fly"\n  = help: one of dig, plant\n'),
        (["dig", "deep"], 'cfn work dig: DEPTH is "deep"\n  = help: a whole number\n'),
        (["dig"], "cfn work dig: DEPTH is missing\n"),
        (["dig", "4", "--speeed", "1"], 'cfn work dig has no option "--speeed"\n  = help: did you mean --speed?\n'),
        (["dig", "4", "--speed", "fast"], 'cfn work dig: --speed is "fast"\n  = help: a number\n'),
        (["dig", "4", "--speed"], "cfn work dig: --speed: expected one argument\n"),
    ],
)
def test_usage_errors_of_verbs(words, said):
    parser = Parser(prog="cfn work")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    dig = verbs.add_parser("dig")
    dig.add_argument("depth", metavar="DEPTH", type=int)
    dig.add_argument("--speed", type=float)
    verbs.add_parser("plant")
    with pytest.raises(UsageError) as caught:
        parser.parse_args(words)
    assert said in render_text(caught.value.diagnostics)


def test_verbosity_before_and_after_the_command(run):
    seen = []
    run(["-v", "work", "-vv"], lambda _arguments, output: seen.append(output.verbosity) or 0)
    assert seen == [3]


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (BadInputError.of("a.b", "bad words"), 1, "error[a.b]: bad words"),
        (UsageError("no such thing", hint="try"), 2, "= help: try"),
        (EnvironmentProblemError("no network"), 3, "error[environment]: no network"),
        (OSError(errno.ENOSPC, "No space left on device", "x.json"), 3, '"x.json": No space left on device'),
        (PermissionError(errno.EACCES, "Permission denied", "d"), 3, '"d": Permission denied'),
        (KeyboardInterrupt(), 130, "interrupted"),
        (KeyError("oops"), 70, "a bug in Formwork: KeyError (cli/test_main.py:"),
        (RecursionError("deep"), 70, "a bug in Formwork"),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_errors_become_exit_codes(run, error, code, said):
    got, out, err = run(["work"], raising(error))
    assert (got, out) == (code, "")
    assert said in err
    assert "Traceback" not in err


def test_traceback_on_request(run, monkeypatch):
    monkeypatch.setenv("FORMWORK_TRACEBACK", "1")
    assert "Traceback" in run(["work"], raising(KeyError("oops")))[2]


def test_a_full_disk_behind_stdout(run):
    code, _, err = run(["work"], out=Ending(OSError(errno.ENOSPC, "No space left on device")))
    assert (code, err) == (3, "error[environment]: the output cannot be written: No space left on device\n")


def test_the_code_of_the_command(run):
    assert run(["work", "--twice"], lambda arguments, _output: 1 if arguments.twice else 0)[0] == 1


def cfn(*argv, **more):
    command = [sys.executable, "-m", "formwork.cli.main", *argv]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **more)


def test_version_and_help_as_processes():
    shown = cfn("--version")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("cfn ")
    assert cfn("--help").stdout == cfn().stdout


def test_streams_that_misbehave(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    shown = subprocess.run(
        [sys.executable, "-m", "formwork.cli.main"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (shown.returncode, shown.stderr) == (0, b"")
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            shown = subprocess.run(
                [sys.executable, "-m", "formwork.cli.main"], stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert shown.returncode == 3
        assert shown.stderr == b"error[environment]: the output cannot be written: No space left on device\n"
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    assert cfn("ünïcode", env=environment).returncode == 2


def test_help_imports_nothing_heavy():
    code = "import sys, formwork.cli.main as m; m.main(['--help']); print(*sorted(sys.modules), sep='\\n')"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = {line for line in modules.splitlines() if "." in line or line.isidentifier()}
    ours = {each for each in loaded if each.split(".")[0] in {"formwork", "cloudformation_cli_python_lib"}}
    parts = {"cli", "cli.interrupts", "cli.main", "cli.parsing", "command_context", "command_context.output"}
    assert ours == {"formwork", *(f"formwork.{each}" for each in parts)}
    assert not loaded & {
        "dataclasses",
        "inspect",
        "pathlib",
        "json",
        "yaml",
        "typing_extensions",
        "logging",
        "subprocess",
    }


def test_what_has_no_counterpart_is_explained(capsys):
    assert cli.main(["build-image"]) == 2
    said = capsys.readouterr().err
    assert 'cfn has no command "build-image"' in said
    assert "need no image" in said


@pytest.mark.parametrize(
    ("environment", "colour"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "dumb", "FORCE_COLOR": "1"}, True)],
)
def test_a_dumb_terminal_is_sent_no_escapes(monkeypatch, environment, colour):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    output = CommandOutput.of_process()
    assert (output.colour, output.colour_out) == (colour, colour)
    assert output.terminal is (environment["TERM"] != "dumb")
