"""Requests with credentials that name the handler: what it calls is then judged by the permissions of that handler."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from formwork.aws.credentials import handler_access_key, local_credentials
from formwork.invoke.answer import Answer
from formwork.invoke.requests import called_handler, hook_credentials
from formwork.invoke.transport import HandlerTransport


class HandlerCredentialsTransport:
    """Gives each request with credentials of no account those of the handler that it calls."""

    def __init__(self, transport: HandlerTransport) -> None:
        self._transport = transport

    def invoke(self, payload: Mapping[str, Any], *, timeout: float | None = None) -> Answer:
        """See `HandlerTransport`; a request without credentials, or for no handler, is sent as it is."""
        handler, data = called_handler(payload), payload.get("requestData")
        if handler is None or not isinstance(data, Mapping) or not data.get("callerCredentials"):
            return self._transport.invoke(payload, timeout=timeout)
        credentials = replace(local_credentials(), access_key_id=handler_access_key(handler))
        given = credentials.to_wire() if "action" in payload else hook_credentials(credentials)
        own = {**payload, "requestData": {**data, "callerCredentials": given}}
        return self._transport.invoke(own, timeout=timeout)
