"""What handler processes find where AWS would be: AWS, a stand-in at an endpoint, or a refusal; and no way past it."""

from collections.abc import Callable, Mapping

from formwork.aws import local_credentials
from formwork.lambda_host import EscapedCall
from formwork.lambda_host.aws_gate import AwsGate
from formwork.lambda_host.aws_refusal import AwsRefusal


def local_aws_environment(endpoint_url: str) -> dict[str, str]:
    """What a handler process needs so that its AWS calls go to `endpoint_url`, with credentials of no account."""
    return {"AWS_ENDPOINT_URL": endpoint_url, **local_credentials().to_environment()}


class AwsSurroundings:
    """The servers behind `environment`, each started when it is first needed; `close` ends them."""

    def __init__(
        self, given: Mapping[str, str] | None, *, refused: Callable[[str], None], escaped: Callable[[EscapedCall], None]
    ) -> None:
        """`given` is what reaches AWS or a stand-in for it; None refuses every call, of which `refused` hears.

        `escaped` hears, once a host and cause, of calls for AWS itself that can't be led to a stand-in: they are
        refused.
        """
        self._given = given
        self._refused = refused
        self._escaped = escaped
        self._told: set[EscapedCall] = set()
        self._refusal: AwsRefusal | None = None
        self._gate: AwsGate | None = None

    def environment(self, runtime: str) -> dict[str, str]:
        """For processes of a Lambda runtime."""
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
        """Stop answering."""
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
