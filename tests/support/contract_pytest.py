"""The contract tests as pytest runs them, in this process, with the plugin of `formwork.contract`."""

import contextlib
import io
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import formwork.contract
from formwork.contract.plugin import ContractPlugin
from formwork.contract.run import ContractRun

SUITE = Path(formwork.contract.__file__).parent


@dataclass
class PytestRun:
    """What a run of pytest came to: its exit code, what it wrote, and the events of the contract tests."""

    code: int
    text: str
    run: ContractRun | None = None
    fatal: Exception | None = None
    events: list = field(default_factory=list)

    @property
    def names(self):
        """The tests with a result, in their order."""
        return [each.name for each in self.run.result.tests]

    def of(self, kind):
        """The events of one class."""
        return [each for each in self.events if isinstance(each, kind)]


def run_pytest(*words, plugins=(), folder=SUITE / "requirements"):
    """Run pytest with `words` on the contract tests, without plugins that are installed."""
    written = io.StringIO()
    command = ["-c", str(SUITE / "pytest.ini"), "-p", "no:cacheprovider", "--assert=plain", "--capture=no"]
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(written):
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patch.delenv("PYTEST_ADDOPTS", raising=False)
        code = pytest.main([*command, *words, str(folder)], plugins=list(plugins))
    return PytestRun(int(code), written.getvalue())


def run_contract(subjects, *words, **options):
    """Run the tests that `words` select over the subjects; `options` are those of ContractRun."""
    events = []
    run = ContractRun(subjects, publish=events.append, **options)
    plugin = ContractPlugin(run)
    done = run_pytest(*words, plugins=[plugin])
    done.run, done.fatal, done.events = run, plugin.fatal, events
    return done
