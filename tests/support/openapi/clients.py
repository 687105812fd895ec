"""A client of stubs in the same process."""

import json
from dataclasses import dataclass

from formwork.egress.messages import Outgoing
from formwork.lambda_host.http_messages import Request


@dataclass
class StubClient:
    """Sends requests to a responder with credentials, and bodies as JSON."""

    responder: object
    host: str = "api.example"
    base: str = ""
    headers: tuple = (("authorization", "Bearer t"), ("x-api-key", "k"))

    def __call__(self, method, url, body=None, **headers):
        """The reply to a request; `url` is path and query, bytes are sent as they are."""
        path, _, query = url.partition("?")
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = dict(self.headers)
        if body is not None:
            sent["content-type"] = "application/json"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in sent.items() if value is not None}
        request = Request(method, self.base + path, query, sent, data)
        return self.responder(Outgoing("https", self.host, 443, request))


def value_of(reply):
    """The JSON of a reply."""
    return json.loads(reply.body)
