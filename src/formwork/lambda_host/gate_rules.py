"""How the gate treats calls to AWS, and the reasons that it reports for refused ones."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from formwork.lambda_host.run_authority import RunAuthority  # it needs `cryptography`, which may be absent

# With the region: a bucket may have the service's name.
_CLOUDFORMATION = re.compile(r"cloudformation(-fips)?\.[a-z]+(-[a-z]+)+-\d+\.", re.IGNORECASE)


class EscapeCause(Enum):
    """Why a call for a host of AWS was refused."""

    NO_AWS = "this run has no AWS"
    NO_CERTIFICATES = "no library here can make certificates"
    NOT_TRUSTED = "the client does not trust the certificate"
    NOT_AN_API = "not an endpoint of an API"


@dataclass(frozen=True, slots=True)
class EscapedCall:
    """A call for AWS itself that was refused."""

    host: str
    cause: EscapeCause


@dataclass(frozen=True, slots=True)
class Opening:
    """The endpoint to which calls for AWS's APIs are redirected, and the authority that signs for AWS's hosts.

    `cloudformation` is the endpoint of CloudFormation's API where that is another one.
    """

    endpoint: str
    authority: "RunAuthority"
    cloudformation: str | None = None

    def endpoint_of(self, host: str) -> str:
        """Return where calls for `host`, one of AWS's APIs, go."""
        if self.cloudformation is not None and _CLOUDFORMATION.match(host):
            return self.cloudformation
        return self.endpoint


@dataclass(frozen=True, slots=True)
class GateRules:
    """The rules for all connections of a gate.

    `opening` is None where calls for AWS are refused: `sealed` if that is meant. `authorization` is the header that
    a client of the proxy sends.
    """

    opening: Opening | None
    sealed: bool
    authorization: str
    on_escape: Callable[[EscapedCall], None]
