"""Operations of AWS's REST services, by method and path, from botocore's service models where it is installed."""

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct

from formwork.egress.messages import Outgoing

# Services that share a signature's name, in botocore's names; others are called as their signature.
_SHARED = {
    "apigateway": ("apigateway", "apigatewayv2"),
    "es": ("opensearch", "es"),
    "ses": ("sesv2", "ses"),
    "iot": ("iot",),
    "iotdata": ("iot-data",),
    "lex": ("lexv2-models", "lex-models"),
    "mobiletargeting": ("pinpoint",),
    "elasticfilesystem": ("efs",),
    "servicecatalog": ("servicecatalog-appregistry",),
    "execute-api": ("apigatewaymanagementapi",),
    "s3": ("s3",),
}
_HOSTS = ((".s3-control.", ("s3control",)),)
_BUCKET = re.compile(r"(?P<bucket>.+)\.s3[.-][a-z0-9.-]*amazonaws\.com(?:\.cn)?")
_LABEL = re.compile(r"\{[^}+]+(\+?)\}")


class _Operation(Struct, frozen=True):
    name: str
    method: str
    path: re.Pattern[str]
    query: frozenset[tuple[str, str]]  # names and values that the URI itself has
    needed: frozenset[str]  # names of parameters that a request must have
    is_copy: bool
    rank: tuple[int, int]


def rest_operation(outgoing: Outgoing, service: str) -> str | None:
    """Return the operation that a request of a REST service asks for; None where it is not known."""
    request = outgoing.request
    path = request.path
    names = next((names for part, names in _HOSTS if part in f".{outgoing.host}"), None) or _SHARED.get(
        service, (service,)
    )
    if service == "s3" and names == ("s3",) and (bucket := _BUCKET.fullmatch(outgoing.host)):
        path = f"/{bucket['bucket']}{path}" if path != "/" else f"/{bucket['bucket']}"
    given = frozenset(parse_qsl(request.query, keep_blank_values=True))
    keys = {name for name, _ in given}
    copies = "x-amz-copy-source" in request.headers
    best: _Operation | None = None
    for name in names:
        for each in _operations(name):
            if each.method != request.method or not (each.query <= given and each.needed <= keys):
                continue
            if (best is not None and each.rank <= best.rank) or (each.is_copy and not copies):
                continue
            if each.path.fullmatch(path.rstrip("/") or "/"):
                best = each
    return best.name if best else None


@functools.lru_cache(maxsize=64)
def _operations(service: str) -> tuple[_Operation, ...]:
    try:
        from botocore.exceptions import DataNotFoundError  # noqa: PLC0415 - in the extra aws

        from formwork.aws.service_models import read_description  # noqa: PLC0415
    except ImportError:
        return ()
    try:
        description = read_description(service)
    except (DataNotFoundError, ValueError):
        return ()
    return tuple(_read(description))


def _read(model: Mapping[str, Any]) -> Iterator[_Operation]:
    for name, operation in model["operations"].items():
        http = operation.get("http", {})
        path, _, query = http.get("requestUri", "/").partition("?")
        members = model["shapes"].get(operation.get("input", {}).get("shape"), {})
        required = set(members.get("required", ()))
        needed = {
            shape["locationName"]
            for member, shape in members.get("members", {}).items()
            if member in required and shape.get("location") == "querystring"
        }
        own = frozenset(parse_qsl(query, keep_blank_values=True))
        is_copy = any(shape.get("locationName") == "x-amz-copy-source" for shape in members.get("members", {}).values())
        literal = len(_LABEL.sub("", path))
        rank = (len(own) + len(needed) + is_copy, literal)
        yield _Operation(
            name, http.get("method", "POST"), _pattern(path.rstrip("/") or "/"), own, frozenset(needed), is_copy, rank
        )


def _pattern(path: str) -> re.Pattern[str]:
    parts = []
    last = 0
    for found in _LABEL.finditer(path):
        parts += [re.escape(path[last : found.start()]), ".+" if found[1] else "[^/]+"]
        last = found.end()
    return re.compile("".join([*parts, re.escape(path[last:])]))
