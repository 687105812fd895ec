"""What becomes of a custom resource's request that could not be sent."""

from formwork.aws.scope import Scope
from formwork.service_types.custom.invoking import Invocations

HERE = Scope("111122223333", "eu-west-1")
SECRET = "CanaryThatNobodyMaySee"


def send(target, functions=None):
    return Invocations(functions).send(HERE, target, {"RequestId": "1"}).result(timeout=10)


def test_an_error_that_nobody_foresaw_is_told_without_its_message():
    class Broken:
        def invoke(self, *_arguments):
            raise RuntimeError(SECRET)

    told = send("arn:aws:lambda:eu-west-1:111122223333:function:maker", Broken())
    assert told.startswith("The request could not be sent: internal error: RuntimeError (service_types/test_custom")
    assert SECRET not in told


def test_a_url_that_is_none_is_named():
    told = send("http://127.0.0.1:1/a path")
    assert told.startswith("The ServiceToken http://127.0.0.1:1/a path does not take the request: URL can't contain")
    assert send("http://127.0.0.1:1/path").startswith("The ServiceToken http://127.0.0.1:1/path does not take")
