"""What parameters of requests name."""

from typing import Any

from formwork.editor.protocol.wire import ErrorCode, ProtocolError


def member_at(value: Any, *keys: str) -> Any:
    """Return the member at a path of objects, None where it is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def uri_of(params: Any) -> str:
    """Return the address of the document that parameters name.

    Raises:
        ProtocolError: they name none.
    """
    match params:
        case {"textDocument": {"uri": str(uri)}}:
            return uri
        case _:
            raise ProtocolError(ErrorCode.INVALID_PARAMS, "the parameters name no document")
