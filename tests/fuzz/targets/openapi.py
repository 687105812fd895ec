"""OpenAPI documents as stubs: opened, and asked by every operation that they have.

An input is a document, or {"files": {name: text or value}}, whose first file is the document.
"""

import contextlib
import json
from pathlib import Path

from formwork.diagnostics import BadInputError
from formwork.egress.stubs.service import open_stub
from fuzz.envelopes import bytes_of, read_envelope
from fuzz.folders import emptied, scratch, write_files
from support.openapi.clients import StubClient

DATA = Path(__file__).parents[2] / "data" / "openapi"
MOST_REQUESTS = 60
BODIES = (None, {}, {"name": "a", "id": 1, "size": 1, "items": [{}]}, [1], b"a[b]=c&d=1")


@contextlib.contextmanager
def opened():
    with scratch() as folder:
        yield lambda data: check(data, emptied(folder / "input"))


def check(data, folder):
    envelope = read_envelope(data, "files")
    if envelope is not None and isinstance(envelope["files"], dict):
        files = {name: bytes_of(value) for name, value in envelope["files"].items()}
    else:
        files = {"api.json" if data.lstrip().startswith(b"{") else "api.yaml": data}
    write_files(folder, files)
    first = folder / next(iter(files), "api.json")
    if not first.is_file():
        return
    with contextlib.suppress(BadInputError):
        ask(StubClient(open_stub(first)))


def ask(client):
    """Send requests to each path of a stub; what it makes of them must not be an exception."""
    sent = 0
    for template, resource in client.responder._resources.items():
        for method in resource.operations:
            path = template
            for name in resource.names:
                path = path.replace(f"{{{name}}}", "1")
            for body in BODIES if method in {"post", "put", "patch"} else (None,):
                form = {"content_type": "application/x-www-form-urlencoded"} if isinstance(body, bytes) else {}
                reply = client(method.upper(), f"{path}?limit=2&page=2&cursor=x&filter[a]=1", body, **form)
                assert 100 <= reply.status < 600
                if dict(reply.headers).get("content-type") == "application/json" and reply.body:
                    json.loads(reply.body)
                sent += 1
                if sent > MOST_REQUESTS:
                    return


def seeds():
    yield (DATA / "things.yaml").read_bytes()
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted((DATA / "fleet").iterdir())}
    yield bytes_of({"files": files})
    yield bytes_of(SMALL)


SMALL = {
    "openapi": "3.0.0",
    "paths": {
        "/a": {
            "get": {
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/L"}}}}}
            },
            "post": {
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
                "responses": {"2XX": {"content": {"*/*": {"schema": {"$ref": "#/components/schemas/A"}}}}},
            },
        },
        "/a/{id}": {
            "get": {
                "responses": {
                    "default": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
                }
            }
        },
    },
    "components": {
        "schemas": {
            "L": {
                "type": "object",
                "properties": {
                    "data": {"type": "array", "items": {"$ref": "#/components/schemas/A"}},
                    "next": {"type": "string"},
                },
            },
            "A": {
                "oneOf": [
                    {
                        "type": "object",
                        "required": ["id"],
                        "properties": {"id": {"type": "integer", "maximum": 3, "exclusiveMaximum": True}},
                    },
                    {"allOf": [{"$ref": "#/components/schemas/A"}, {"not": {"enum": [1]}}], "nullable": True},
                ],
                "discriminator": {"propertyName": "kind"},
            },
        }
    },
}
