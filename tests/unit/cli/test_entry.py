"""The script's start: Ctrl-C is answered with 130 and one line, also before the command line is read."""

import sys
import types

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
