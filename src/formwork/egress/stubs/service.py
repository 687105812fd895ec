"""A stateful REST service made of an OpenAPI document: requests in, replies out, with what was created remembered."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from formwork.diagnostics import BadInputError, Severity
from formwork.egress.messages import Outgoing, Reply, Responder
from formwork.egress.stubs.answers import Answers
from formwork.egress.stubs.operations import ApiOperation, OperationReader
from formwork.egress.stubs.references import LinkedDocuments
from formwork.egress.stubs.refusals import RefusalError, refusal_reply
from formwork.egress.stubs.repeats import Repeats
from formwork.egress.stubs.requests import check_request, decoded
from formwork.egress.stubs.resources import ResourcePath, read_resources
from formwork.egress.stubs.schemas import Schemas
from formwork.egress.stubs.store import StubStore

_VERSION = re.compile(r"3\.([01])\.\d+(?:-.+)?")
_PARAMETER = re.compile(r"\{([^{}/]+)\}")


def open_stub(document: Path) -> Responder:
    """Return a service that answers as an OpenAPI document (3.0 or 3.1, JSON or YAML) describes it.

    It begins empty. Ids and other made values are the same in each run with the same requests.

    Raises:
        BadInputError: the document can't be read (`document.*`), or is not one of OpenAPI 3.0 or 3.1 (`stub.*`).
    """
    documents = LinkedDocuments(document)
    is_30 = _check(documents)
    reader = OperationReader(documents, Schemas(documents, is_30=is_30))
    return StubService(read_resources(list(reader.operations())), reader.base_paths())


def _check(documents: LinkedDocuments) -> bool:
    """Return whether the document is one of OpenAPI 3.0; False is 3.1."""
    root = documents.root
    version = root.child("openapi").value
    found = _VERSION.fullmatch(version) if isinstance(version, str) else None
    if found is None:
        at = root.child("openapi") if version is not None else root
        named = "has no" if version is None else f'has "{version}" as its'
        message = f'the document {named} version "openapi"'
        raise BadInputError([documents.diagnostic(at, "version", message, 'OpenAPI "3.0.x" or "3.1.x"')])
    if not isinstance(root.child("paths").value, dict):
        message = 'the document has no "paths"'
        raise BadInputError([documents.diagnostic(root, "paths", message, "an object with the paths of the service")])
    problems = [each for each in documents.problems() if each.severity is Severity.ERROR]
    if problems:
        raise BadInputError(problems)
    return found[1] == "0"


class StubService:
    """A service with the resources of a document; call it with a request for the reply. Threads may share it."""

    def __init__(self, resources: dict[str, ResourcePath], base_paths: tuple[str, ...]) -> None:
        self._resources = resources
        self._base_paths = base_paths
        self._routes = sorted(map(_route, resources), key=lambda each: each[0])
        self._answers = Answers(resources, StubStore())
        self._repeats = Repeats()
        self._lock = threading.Lock()

    def __call__(self, outgoing: Outgoing) -> Reply:
        """Return the reply to a request, which may create, change or delete what later ones see."""
        with self._lock:
            reply = self._reply(outgoing)
        return Reply(reply.status, b"", reply.headers) if outgoing.request.method == "HEAD" else reply

    def _reply(self, outgoing: Outgoing) -> Reply:
        operation: ApiOperation | None = None
        try:
            resource, path = self._find(outgoing.path)
            operation = _operation(resource, outgoing.request.method)
            checked = check_request(operation, outgoing.request, path)
            address = f"{outgoing.scheme}://{_host(outgoing)}{outgoing.path}"
            return self._repeats.reply(
                operation, checked, lambda: self._answers.reply(resource, operation, checked, address)
            )
        except RefusalError as refusal:
            return refusal_reply(operation, refusal)

    def _find(self, path: str) -> tuple[ResourcePath, dict[str, str]]:
        for below in self._below(path):
            for _, pattern, template in self._routes:
                found = pattern.fullmatch(below.rstrip("/") or "/")
                if found is not None:
                    names = _PARAMETER.findall(template)
                    values = map(decoded, found.groups())
                    return self._resources[template], dict(zip(names, values, strict=True))
        raise RefusalError((404,), f'the OpenAPI document has no path "{path}"')

    def _below(self, path: str) -> Iterator[str]:
        for base in self._base_paths:
            if path == base or path.startswith(f"{base}/"):
                yield path[len(base) :]


_Rank: TypeAlias = tuple[tuple[bool, ...], tuple[bool, ...], str]


def _route(template: str) -> tuple[_Rank, re.Pattern[str], str]:
    """Return a template's rank (what is literal comes first), its pattern, and itself."""
    plain = template.rstrip("/") or "/"
    rank = tuple("{" in segment for segment in plain.split("/"))
    pieces = _PARAMETER.split(plain)
    pattern = "".join("([^/]+)" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces))
    affixed = tuple(segment.startswith("{") and segment.endswith("}") for segment in plain.split("/"))
    return (rank, affixed, template), re.compile(pattern), template


def _operation(resource: ResourcePath, method: str) -> ApiOperation:
    name = method.lower()
    found = resource.operations.get(name) or (resource.operations.get("get") if name == "head" else None)
    if found is None:
        allowed = ", ".join(sorted(each.upper() for each in resource.operations))
        message = f"{method} is not a method of {resource.template}: {allowed}"
        raise RefusalError((405,), message, (("allow", allowed),))
    return found


def _host(outgoing: Outgoing) -> str:
    usual = {"http": 80, "https": 443}.get(outgoing.scheme)
    host = f"[{outgoing.host}]" if ":" in outgoing.host else outgoing.host
    return host if outgoing.port == usual else f"{host}:{outgoing.port}"
