"""Requests of handlers on their way out, and responders that answer from a list."""

import json

from formwork.egress.messages import Outgoing, Reply
from formwork.lambda_host.http_messages import Request


def outgoing(method, url, body=None, **headers):
    """A request to a URL; a body that is not bytes is sent as JSON, one that is a text as a form."""
    scheme, _, rest = url.partition("://")
    place, slash, target = rest.partition("/")
    host, _, port = place.partition(":")
    path, _, query = (slash + target).partition("?")
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    data = body
    if isinstance(body, str):
        data = body.encode()
        sent.setdefault("content-type", "application/x-www-form-urlencoded")
    elif not isinstance(body, bytes):
        data = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            sent.setdefault("content-type", "application/json")
    number = int(port) if port else {"https": 443, "http": 80}[scheme]
    return Outgoing(scheme, host, number, Request(method, path or "/", query, sent, data))


def json_reply(value, status=200, **headers):
    """A reply of JSON."""
    named = [(name.replace("_", "-"), each) for name, each in headers.items()]
    return Reply(status, json.dumps(value).encode(), (("content-type", "application/json"), *named))


def xml_reply(text, status=200):
    """A reply of XML."""
    return Reply(status, text.encode(), (("content-type", "text/xml"),))


class Scripted:
    """Answers with the replies of a list, one after the other."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        return self.replies.pop(0)
