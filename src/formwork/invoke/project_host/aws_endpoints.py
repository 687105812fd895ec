"""Where the AWS calls of handler processes go: to AWS, a stand-in, or a server that refuses them."""

from collections.abc import Callable, Mapping

from formwork.aws import local_credentials
from formwork.lambda_host import EscapedCall
from formwork.lambda_host.aws_gate import AwsGate
from formwork.lambda_host.aws_refusal import AwsRefusal


def local_aws_environment(endpoint_url: str) -> dict[str, str]:
    """Return the variables that lead a process's AWS calls to `endpoint_url`, with credentials of no account."""
    return {"AWS_ENDPOINT_URL": endpoint_url, **local_credentials().to_environment()}


class AwsEndpoints:
    """The servers that the variables of `environment` lead to, each started when it is first needed."""

    def __init__(
        self, given: Mapping[str, str] | None, *, refused: Callable[[str], None], escaped: Callable[[EscapedCall], None]
    ) -> None:
        """`given` are the variables for AWS or its stand-in; None refuses every call, and calls `refused` with it.

        `escaped` is called, once per host and cause, with calls for AWS itself that can't be redirected to the
        stand-in, and are refused.
        """
        self._given = given
        self._refused = refused
        self._escaped = escaped
        self._told: set[EscapedCall] = set()
        self._refusal: AwsRefusal | None = None
        self._gate: AwsGate | None = None

    def environment(self, runtime: str) -> dict[str, str]:
        """Return the variables for processes of a Lambda runtime."""
        found = dict(self._given) if self._given is not None else local_aws_environment(self._expect_refusal().url)
        if "AWS_ENDPOINT_URL" in found:
            if self._gate is None:
                given = self._given or {}
                self._gate = AwsGate(
                    given.get("AWS_ENDPOINT_URL"),
                    self._tell,
                    cloudformation=given.get("AWS_ENDPOINT_URL_CLOUDFORMATION"),
                )
            found |= self._gate.environment(runtime)
        return found

    def close(self) -> None:
        """Stop the servers."""
        for server in (self._refusal, self._gate):
            if server is not None:
                server.close()

    def _expect_refusal(self) -> AwsRefusal:
        if self._refusal is None:
            self._refusal = AwsRefusal(self._refused)
        return self._refusal

    def _tell(self, call: EscapedCall) -> None:
        if call not in self._told:
            self._told.add(call)
            self._escaped(call)
