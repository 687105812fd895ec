"""Functions of the project as macros call them: through the Invoke API, in this process."""

import pytest

from formwork.api.functions import invoke_project
from formwork.diagnostics import EnvironmentProblemError
from formwork.lambda_host import Outcome, OutcomeKind
from formwork.lambda_host.invoke_api import InvokeApi


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


@pytest.mark.parametrize("name", ["Good", "arn:aws:lambda:us-east-1:123456789012:function:Good"])
def test_a_function_of_the_project(name):
    api = InvokeApi(Host(), loopback=True).respond
    assert invoke_project(api, name, b'{"a": 1}') == Outcome(OutcomeKind.RETURNED, b'{"a": 1}', "r-1")
    assert invoke_project(api, name, b'"fail"').function_error == "Unhandled"


def test_one_that_is_not_there_or_can_not_be_started():
    api = InvokeApi(Host(), loopback=True).respond
    assert invoke_project(api, "Nobody", b"{}") is None
    with pytest.raises(EnvironmentProblemError, match="no such runtime here"):
        invoke_project(api, "Broken", b"{}")
