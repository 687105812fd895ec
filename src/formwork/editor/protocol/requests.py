"""What parameters of requests name."""

from typing import Any

from formwork.editor.protocol.wire import ErrorCode, ProtocolError


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
