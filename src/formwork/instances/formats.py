"""String formats: draft-07's, CloudFormation's and those that real schemas use besides; unknown ones are plain text."""

import datetime as dt
import ipaddress
import uuid
from collections.abc import Callable, Mapping
from random import Random

from formwork.instances.pattern_text import letters_from

_REGIONS = ("us-east-1", "eu-west-1", "ap-southeast-2")


def _word(random: Random, size: int = 8) -> str:
    return letters_from(random, "abcdefghijklmnopqrstuvwxyz", size)


def _moment(random: Random) -> dt.datetime:
    return dt.datetime(2020, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=random.randrange(10**8))


def _ipv4_network(random: Random) -> str:
    return f"10.{random.randrange(256)}.{random.randrange(256)}.0/24"


def _arn(random: Random) -> str:
    account = letters_from(random, "0123456789", 12)
    return f"arn:aws:iam:{random.choice(_REGIONS)}:{account}:{_word(random, 4)}/{_word(random)}"


FORMATS: Mapping[str, Callable[[Random], str]] = {
    "arn": _arn,
    "date": lambda random: _moment(random).strftime("%Y-%m-%d"),
    "date-time": lambda random: _moment(random).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "time": lambda random: _moment(random).strftime("%H:%M:%SZ"),
    "timestamp": lambda random: _moment(random).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "email": lambda random: f"{_word(random)}@example.com",
    "idn-email": lambda random: f"{_word(random)}@example.com",
    "hostname": lambda random: f"{_word(random)}.example.com",
    "idn-hostname": lambda random: f"{_word(random)}.example.com",
    "ipv4": lambda random: str(ipaddress.IPv4Address(0x0A000000 + random.randrange(2**24))),
    "ipv6": lambda random: str(ipaddress.IPv6Address((0x20010DB8 << 96) + random.randrange(2**64))),
    "ipv4-network": _ipv4_network,
    "ipv6-network": lambda random: f"2001:db8:{random.randrange(1, 65536):x}::/64",
    "uri": lambda random: f"https://example.com/{_word(random)}",
    "uri-reference": lambda random: f"/{_word(random)}",
    "uri-template": lambda random: f"https://example.com/{_word(random)}/{{id}}",
    "iri": lambda random: f"https://example.com/{_word(random)}",
    "iri-reference": lambda random: f"/{_word(random)}",
    "json-pointer": lambda random: f"/{_word(random)}",
    "relative-json-pointer": lambda random: f"1/{_word(random)}",
    "regex": lambda random: f"^{_word(random)}$",
    "uuid": lambda random: str(uuid.UUID(int=random.getrandbits(128), version=4)),
    "json": lambda random: '{"' + _word(random) + '":1}',
    "int32": lambda random: str(random.randrange(2**31)),
    "int64": lambda random: str(random.randrange(2**53)),
    "double": lambda random: f"{random.randrange(1000)}.5",
    "float": lambda random: f"{random.randrange(1000)}.5",
}
