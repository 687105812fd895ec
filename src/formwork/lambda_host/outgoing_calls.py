"""Records of the requests that a handler process sends to other services, as the gate sees them."""

from enum import StrEnum

from msgspec import Struct

# What can reach other hosts unseen where handlers have the machine's network.
UNSEEN_CLIENTS = (
    "Python's clients that take no proxy from the environment (sockets, aiohttp), Go's Transport without Proxy, "
    "Java's clients but AWS's SDKs, and Node's connections to hosts other than AWS's"
)


class AnsweredBy(StrEnum):
    """Who answered a call."""

    AWS = "aws"  # AWS itself
    STAND_IN = "stand-in"  # what stands in for AWS: moto, or a simulation at a URL
    REAL = "real"  # the host itself, which a rule allows
    STUB = "stub"
    CASSETTE = "cassette"
    FAULT = "fault"  # an injected failure
    REFUSED = "refused"  # the gate


class AwsCall(Struct, frozen=True):
    """What a request to AWS asks for.

    `service` is the name that signatures contain (`iam`, `s3`), `operation` the API's name of the operation, None where
    it is not known. `actions` are the IAM actions that a policy must allow for it (`s3:PutObject`); empty where they
    are not known. `access_key` is the id that the request is signed with.
    """

    service: str
    region: str
    operation: str | None
    actions: tuple[str, ...] = ()
    access_key: str | None = None


class OutgoingCall(Struct, frozen=True):
    """One request of a handler process, or one connection where no request could be read.

    `method` and `path` (without the query) are None where TLS was not opened or the connection is not HTTP. `status` is
    the answer's HTTP status, None where there was none. `reason` says why it was refused, or how it failed.
    """

    host: str
    port: int
    method: str | None
    path: str | None
    aws: AwsCall | None
    status: int | None
    milliseconds: float
    answered_by: AnsweredBy
    reason: str = ""

    @property
    def name(self) -> str:
        """What was called, in one word or two: `iam CreateRole`, `POST api.example.com/v1/things`, `db.local:5432`."""
        if self.aws is not None:
            return f"{self.aws.service} {self.aws.operation or f'{self.method} {self.path}'}"
        if self.method is None:
            return f"{self.host}:{self.port}"
        return f"{self.method} {self.host}{self.path}"
