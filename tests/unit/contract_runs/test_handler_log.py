"""Handlers' logs with `cfn test -v`: what is secret in a request is masked in what handlers write of it."""

import io

from formwork.command_context.output import CommandOutput
from formwork.contract_runs.settings import HandlerLogPrinter
from formwork.invoke.masking import Masker

REQUEST = {
    "requestData": {
        "resourceProperties": {"Name": "n", "Password": "hunter2-hunter2"},
        "typeConfiguration": {"ApiKey": "a-long-api-key-99"},
    }
}


def logged(verbosity, *, shown=False):
    output = CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=False)
    output.verbosity = verbosity
    log = HandlerLogPrinter(Masker([("Password",)]), output, shown=shown)
    log.learn(REQUEST)
    log.show("TypeFunction", "id", "made n with hunter2-hunter2 and a-long-api-key-99")
    return output.out.getvalue() + output.err.getvalue()


def test_secrets_of_requests_are_masked():
    assert logged(1).strip() == "| made n with ******** and ********"


def test_nothing_is_shown_unasked():
    assert logged(0) == ""


def test_under_a_debugger_lines_are_shown_without_v():
    assert logged(0, shown=True).strip() == "| made n with ******** and ********"
