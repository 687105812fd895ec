"""The rules of a run for what leaves its handlers: for each host, and for each service of AWS, who answers.

    aws: moto                     # none, moto, real or a URL: what `--aws` takes
    services:                     # the same for SERVICE, SERVICE/REGION or SERVICE/REGION/ACCOUNT, each of them or "*"
      sts: none
    hosts:                        # what no rule is for is refused
      api.example.com: {stub: openapi/things.yaml}
      "*.example.org:8443": {cassette: cassettes}
      docs.example.com: allow

Read by `egress.rules_file`; the command line's options are rules as well.
"""

import ipaddress
import re
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from formwork.diagnostics import Location, UsageError

ANY = "*"
_LABEL = "[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_PORT = "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
HOST_PATTERN = rf"^(?:(?:\*\.)?{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\])(?::{_PORT})?$"
HOST_EXPECTED = "api.example.com, *.example.com or an address, in lower case, with or without :PORT"
SERVICE_PATTERN = r"^(?:\*|[a-z0-9.-]+)(?:/(?:\*|[a-z0-9-]+)(?:/(?:\*|[0-9]{12}))?)?$"
SERVICE_EXPECTED = 'SERVICE, SERVICE/REGION or SERVICE/REGION/ACCOUNT as signatures name them, or "*" for each of them'
AWS_PATTERN = r"^(?:none|moto|real|https?://[A-Za-z0-9_.:\[\]-]+(?:/[!-~]*)?)$"
AWS_EXPECTED = '"none", "moto", "real" or a URL, as for `--aws`'


class Allow(Struct, frozen=True):
    """The host itself answers."""


class Refuse(Struct, frozen=True):
    """The gate refuses every request."""


class Stub(Struct, frozen=True):
    """A service made of the OpenAPI document at `document` answers; `exists` are the paths of what it has already."""

    document: Path
    exists: tuple[str, ...] = ()


class Cassette(Struct, frozen=True):
    """The requests recorded in `folder` are answered as recorded."""

    folder: Path


Treatment: TypeAlias = Allow | Stub | Cassette | Refuse


class HostRule(Struct, frozen=True):
    """Who answers for `host`: a name, an address, or `*.` and a name for all names below it. `port` None is any.

    `location` is where the rule is written, without a file for an option of the command line.
    """

    host: str
    port: int | None
    treatment: Treatment
    location: Location = Location()

    def covers(self, host: str, port: int) -> bool:
        """Whether the rule is for requests to `host` and `port`."""
        if self.port not in (None, port):
            return False
        return host.endswith(self.host[1:]) if self.host.startswith("*.") else host == self.host

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """How specific the rule is: a name beats a pattern, a longer pattern a shorter, a port none."""
        return not self.host.startswith("*."), len(self.host), self.port is not None


class ServiceRule(Struct, frozen=True):
    """Says who answers for a service in a Region and an account ("*": any); `aws` is a value of `--aws`."""

    service: str
    region: str
    account: str
    aws: str
    location: Location = Location()

    def covers(self, service: str, region: str, account: str | None) -> bool:
        """Whether the rule is for requests with this scope; where the account is not known, only a rule for any is."""
        named = zip((self.service, self.region, self.account), (service, region, account), strict=True)
        return all(rule in (ANY, value) for rule, value in named)

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """How specific the rule is: the account decides first, then the Region, then the service."""
        return self.account != ANY, self.region != ANY, self.service != ANY


class EgressRules(Struct, frozen=True):
    """All rules of a run, later ones from what is named later. `aws` is None where nothing says who stands for AWS."""

    hosts: tuple[HostRule, ...] = ()
    aws: str | None = None
    services: tuple[ServiceRule, ...] = ()

    def rule_for(self, host: str, port: int) -> HostRule | None:
        """Return the most specific rule for `host` (lower case) and `port`, the last of equals; None where none is."""
        found = [rule for rule in self.hosts if rule.covers(host, port)]
        return max(reversed(found), key=lambda rule: rule.rank, default=None)

    def aws_for(self, service: str, region: str, account: str | None = None) -> str | None:
        """Return who answers a request with this signature scope, as a value of `--aws`; None if no rule says it."""
        found = [rule for rule in self.services if rule.covers(service, region, account)]
        chosen = max(reversed(found), key=lambda rule: rule.rank, default=None)
        return self.aws if chosen is None else chosen.aws

    def with_hosts(self, more: tuple[HostRule, ...]) -> "EgressRules":
        """Return these rules with `more` after them, which win over equally specific ones."""
        return EgressRules((*self.hosts, *more), self.aws, self.services)


def split_host(text: str) -> tuple[str, int | None] | None:
    """Return host and port of `api.example.com`, `*.example.com:8443` or `[::1]:80`; None where it is neither."""
    if not re.fullmatch(HOST_PATTERN[1:-1], text, re.ASCII):
        return None
    named = re.fullmatch(r"(?:\[(?P<address>.+)\]|(?P<host>[^:]+))(?::(?P<port>[0-9]+))?", text)
    if named is None:
        return None
    host, port = named["host"], int(named["port"]) if named["port"] else None
    if host is not None:
        return host, port
    try:
        return str(ipaddress.IPv6Address(named["address"])), port
    except ValueError:
        return None


def parse_allow_option(text: str) -> HostRule:
    """Return the rule of `--allow HOST[:PORT]`.

    Raises:
        UsageError: `text` is not a host.
    """
    return HostRule(*_option_host(text, f"--allow {text}"), Allow())


def parse_stub_option(text: str) -> HostRule:
    """Return the rule of `--stub HOST=openapi.yaml`; the path is as given.

    Raises:
        UsageError: `text` has another form.
    """
    host, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(f'"--stub {text}" does not name a document', hint="write --stub api.example.com=openapi.yaml")
    return HostRule(*_option_host(host, f"--stub {text}"), Stub(Path(path)))


def _option_host(text: str, option: str) -> tuple[str, int | None]:
    found = split_host(text.lower().removesuffix("."))
    if found is None:
        raise UsageError(f'"{text}" in "{option}" is not a host', hint=f"write {HOST_EXPECTED}")
    return found
