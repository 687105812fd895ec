"""Which hosts are AWS's, by name."""

import re
from enum import Enum

# DNS suffixes of AWS's service endpoints in every partition, dual-stack ones included (botocore's partitions.json).
API_SUFFIXES = (
    "amazonaws.com",
    "amazonaws.com.cn",
    "amazonaws.eu",
    "api.aws",
    "api.amazonwebservices.com.cn",
    "api.amazonwebservices.eu",
    "c2s.ic.gov",
    "api.aws.ic.gov",
    "sc2s.sgov.gov",
    "api.aws.scloud",
    "cloud.adc-e.uk",
    "api.cloud-aws.adc-e.uk",
    "csp.hci.ic.gov",
    "api.aws.hci.ic.gov",
)
# AWS's own sites: the console, sign-in. `on.aws` is not among them: functions of any account have such addresses.
_SITE_SUFFIXES = ("aws.amazon.com", "amazonaws.cn", "amazonaws-us-gov.com")


def _below(suffixes: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:[a-z0-9_.-]+\.)?(?:{'|'.join(map(re.escape, suffixes))})\.?", re.IGNORECASE)


API_HOSTS = _below(API_SUFFIXES)
SITE_HOSTS = _below(_SITE_SUFFIXES)
_HTTP_PORTS = frozenset({80, 443})


class HostKind(Enum):
    """The kind of a host that a handler calls: AWS's service endpoint, another host of AWS, or any other."""

    AWS_API = "a service endpoint of AWS's"
    OTHER_AWS = "another host of AWS's"
    THIRD_PARTY = "not AWS's"


def kind_of_host(host: str, port: int) -> HostKind:
    """Return the kind of `host`; a service endpoint has one of HTTP's ports, since every AWS API speaks HTTP there."""
    if API_HOSTS.fullmatch(host):
        return HostKind.AWS_API if port in _HTTP_PORTS else HostKind.OTHER_AWS
    return HostKind.OTHER_AWS if SITE_HOSTS.fullmatch(host) else HostKind.THIRD_PARTY
