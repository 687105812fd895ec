"""The script's start: Ctrl-C is answered with 130 and one line, also before the command line is read."""

import subprocess
import sys
import types

import pytest

from formwork.cli.entry import run


def test_the_exit_code_is_mains(monkeypatch):
    monkeypatch.setitem(sys.modules, "formwork.cli.main", types.SimpleNamespace(main=lambda: 7))
    assert run() == 7


def test_ctrl_c_while_main_is_imported(monkeypatch, capsys):
    class Interrupted(types.ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "formwork.cli.main", Interrupted("main"))
    assert run() == 130
    assert capsys.readouterr().err == "interrupted\n"


def _after_version(before):
    """What a process prints that runs `cfn --version` after some other code."""
    code = (
        f"import sys; sys.argv = ['cfn', '--version']; {before}\n"
        "from formwork.cli.entry import run\ncode = run()\nprint('returned', code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, *printed = done.stdout.splitlines()
    assert version.startswith("cfn ")
    return printed


def test_a_process_that_nobody_watches_ends_at_once():
    assert _after_version("pass") == []


@pytest.mark.parametrize(
    ("before", "printed"),
    [
        ("import threading", ["returned 0"]),
        ("import atexit; atexit.register(print, 'told')", ["returned 0", "told"]),
        ("sys.setprofile(lambda *_: None)", ["returned 0"]),
        ("sys.settrace(lambda *_: None)", ["returned 0"]),
        ("import cProfile; cProfile.Profile().enable()", ["returned 0"]),
    ],
    ids=["a caller", "at exit", "a profiler", "a debugger", "cProfile"],
)
def test_the_interpreter_ends_where_somebody_waits_for_it(before, printed):
    assert _after_version(before) == printed
