"""The first message of a TLS connection, read without answering it (RFC 8446, 4.1.2; RFC 6066, 3)."""

_HANDSHAKE, _CLIENT_HELLO = 0x16, 1
_RECORD_HEADER, _MESSAGE_HEADER = 5, 4
_VERSION_AND_RANDOM = 34
_SERVER_NAME, _HOST_NAME = 0, 0


def server_name(data: bytes) -> str | None:
    """Return the name of the host that a client asks for; None where the message has none or is malformed."""
    try:
        return _server_name(memoryview(data))
    except (IndexError, ValueError):
        return None


def _server_name(data: memoryview) -> str | None:
    if data[0] != _HANDSHAKE or data[_RECORD_HEADER] != _CLIENT_HELLO:
        return None
    rest = data[_RECORD_HEADER + _MESSAGE_HEADER + _VERSION_AND_RANDOM :]
    for size in (1, 2, 1):  # the session's id, the cipher suites, the compression methods
        _, rest = _take(rest, size)
    extensions, _ = _take(rest, 2)
    while extensions:
        kind = int.from_bytes(extensions[:2], "big")
        body, extensions = _take(extensions[2:], 2)
        if kind == _SERVER_NAME:
            names, _ = _take(body, 2)
            if names[0] != _HOST_NAME:
                return None
            name, _ = _take(names[1:], 2)
            return bytes(name).decode("ascii").lower().rstrip(".") or None
    return None


def _take(data: memoryview, size: int) -> tuple[memoryview, memoryview]:
    """Split off a field with a length prefix of `size` bytes; return the field and the rest."""
    end = size + int.from_bytes(data[:size], "big")
    if len(data) < end:
        raise ValueError
    return data[size:end], data[end:]
