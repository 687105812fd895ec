"""Addresses for the names that a process in a network namespace looks up, and the DNS server for them."""

import ipaddress
import struct
import threading

# Addresses that no host has (RFC 2544, benchmarks of network devices): clients take them for those of a host elsewhere.
_NETWORK = ipaddress.ip_network("198.18.0.0/15")
_LOCAL_NAMES = ("localhost", "ip6-localhost", "ip6-loopback")
_LOOPBACK = "127.0.0.1"

_HEADER = struct.Struct(">HHHHHH")
_QUESTION_END = struct.Struct(">HH")
_RESPONSE, _RECURSION_DESIRED, _RECURSION_AVAILABLE = 0x8000, 0x0100, 0x0080
_OPCODE = 0x7800
_NOT_IMPLEMENTED, _SERVER_FAILURE = 4, 2
_TYPE_A, _CLASS_INTERNET = 1, 1
_SECONDS = 60
_LONGEST_LABEL, _LONGEST_NAME = 63, 253


class NameMap:
    """Assigns addresses to names in the order of their first look-ups; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._addresses: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def address_of(self, name: str) -> str | None:
        """Return the address of a name; None where there are no more of them."""
        name = name.lower().rstrip(".")
        if name in _LOCAL_NAMES or name.endswith(".localhost"):
            return _LOOPBACK
        with self._lock:
            found = self._addresses.get(name)
            if found is None and len(self._addresses) + 1 < _NETWORK.num_addresses:
                found = self._addresses[name] = str(_NETWORK[len(self._addresses) + 1])
                self._names[found] = name
            return found

    def name_of(self, address: str) -> str:
        """Return the name that has the address; the address itself where none has."""
        mapped = address.removeprefix("::ffff:")
        return self._names.get(mapped, mapped)


def answer_query(query: bytes, names: NameMap) -> bytes | None:
    """Return the answer to a query of the Domain Name System (RFC 1035): an address for every name, and nothing else.

    None where it is not a query.
    """
    if len(query) < _HEADER.size:
        return None
    identifier, flags, questions, *_ = _HEADER.unpack_from(query)
    if flags & _RESPONSE or questions != 1:
        return None
    asked = _read_question(query)
    if asked is None:
        return None
    name, kind, group, end = asked
    answers, code = b"", 0
    if flags & _OPCODE:
        code = _NOT_IMPLEMENTED
    elif kind == _TYPE_A and group == _CLASS_INTERNET:
        address = names.address_of(name)
        if address is None:
            code = _SERVER_FAILURE
        else:
            packed = ipaddress.IPv4Address(address).packed
            # A name that is a pointer to the question's, 12 bytes into the message.
            answers = struct.pack(">HHHIH", 0xC000 | _HEADER.size, kind, group, _SECONDS, len(packed)) + packed
    given = _RESPONSE | (flags & (_OPCODE | _RECURSION_DESIRED)) | _RECURSION_AVAILABLE | code
    head = _HEADER.pack(identifier, given, 1, 1 if answers else 0, 0, 0)
    return head + query[_HEADER.size : end] + answers


def _read_question(query: bytes) -> tuple[str, int, int, int] | None:
    """Return name, type and class of the question, and where it ends; None where it is malformed."""
    labels: list[str] = []
    at = _HEADER.size
    while at < len(query) and (length := query[at]):
        label = query[at + 1 : at + 1 + length]
        if length > _LONGEST_LABEL or len(label) < length:
            return None
        labels.append(label.decode("latin-1"))
        at += 1 + length
    end = at + 1 + _QUESTION_END.size
    name = ".".join(labels)
    if len(query) < end or len(name) > _LONGEST_NAME:
        return None
    kind, group = _QUESTION_END.unpack_from(query, at + 1)
    return name, kind, group, end
