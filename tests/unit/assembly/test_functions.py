"""Functions of the project as macros call them: through the Invoke API, in this process or in that of the server."""

import pytest

from formwork.assembly.functions import invoke_project
from formwork.assembly.remote_functions import RemoteFunctions
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.secrets import Secret
from formwork.lambda_host.invoke_api import InvokeApi
from formwork.lambda_host.outcome import Outcome, OutcomeKind
from support.api import serve_api


class Host:
    """Two functions: one that answers, one that can't be started."""

    function_names = ("Broken", "Good")

    def arn(self, name):
        return f"arn:aws:lambda:us-east-1:123456789012:function:{name}"

    def invoke(self, name, payload, **_more):
        if name == "Broken":
            raise EnvironmentProblemError("no such runtime here")
        failed = b"fail" in payload
        return Outcome(OutcomeKind.HANDLER_ERROR if failed else OutcomeKind.RETURNED, payload, "r-1")


@pytest.fixture(params=["here", "of the server", "of a server that verifies"])
def api(request, tmp_path):
    """The Invoke API: as the server itself has it, and as its workers do."""
    here = InvokeApi(Host()).respond
    if request.param == "here":
        yield here
        return
    keys = {"somebody": Secret("else")} if "verifies" in request.param else None
    with serve_api(tmp_path, invoke=here, keys=keys, seed=b"a seed") as server:
        yield RemoteFunctions(lambda: server.url, TemporaryKeys(b"a seed")).respond


@pytest.mark.parametrize("name", ["Good", "arn:aws:lambda:us-east-1:123456789012:function:Good"])
def test_a_function_of_the_project(api, name):
    assert invoke_project(api, name, b'{"a": 1}') == Outcome(OutcomeKind.RETURNED, b'{"a": 1}', "r-1")
    assert invoke_project(api, name, b'"fail"').function_error == "Unhandled"


def test_one_that_is_not_there_or_can_not_be_started(api):
    assert invoke_project(api, "Nobody", b"{}") is None
    with pytest.raises(EnvironmentProblemError, match="no such runtime here"):
        invoke_project(api, "Broken", b"{}")


def test_a_server_that_is_gone(tmp_path):
    with serve_api(tmp_path) as server:
        url = server.url
    with pytest.raises(EnvironmentProblemError, match="whose project may have the function, does not answer"):
        invoke_project(RemoteFunctions(lambda: url, TemporaryKeys()).respond, "Good", b"{}")
