"""A stateful REST service made of an OpenAPI document: requests in, replies out, with what was created remembered."""

import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from formwork.diagnostics import BadInputError, Severity
from formwork.egress.messages import Outgoing, Reply
from formwork.egress.stubs.answers import Answers
from formwork.egress.stubs.operations import ApiOperation, OperationReader
from formwork.egress.stubs.references import LinkedDocuments
from formwork.egress.stubs.refusals import RefusalError, refusal_reply
from formwork.egress.stubs.repeats import Repeats
from formwork.egress.stubs.requests import check_request, decoded
from formwork.egress.stubs.resources import PathKind, ResourcePath, read_resources
from formwork.egress.stubs.schemas import Schemas
from formwork.egress.stubs.store import Scope, StubStore

_VERSION = re.compile(r"3\.([01])\.\d+(?:-.+)?")
_PARAMETER = re.compile(r"\{([^{}/]+)\}")


def open_stub(document: Path, exists: Sequence[str] = ()) -> "StubService":
    """Return a service that answers as an OpenAPI document (3.0 or 3.1, JSON or YAML) describes it.

    It begins with the items whose paths are in `exists`. Ids and other made values are the same in each run with the
    same requests.

    Raises:
        BadInputError: the document can't be read (`document.*`), or is not one of OpenAPI 3.0 or 3.1, or a path of
            `exists` is that of no item in it (`stub.*`).
    """
    documents = LinkedDocuments(document)
    is_30 = _check(documents)
    reader = OperationReader(documents, Schemas(documents, is_30=is_30))
    service = StubService(read_resources(list(reader.operations())), reader.base_paths())
    for path in exists:
        if not service.begin_with(path):
            message = f'the document has no item with the path "{path}"'
            expected = "the path of an item, such as /things/7"
            raise BadInputError([documents.diagnostic(documents.root.child("paths"), "exists", message, expected)])
    return service


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
        self._lock = threading.Lock()
        self._given: list[tuple[ResourcePath, Scope]] = []
        self.reset()

    def reset(self) -> None:
        """Return to the beginning: what was created is forgotten, and what was deleted of the first items is back."""
        with self._lock:
            self._store = StubStore()
            self._answers = Answers(self._resources, self._store)
            self._repeats = Repeats()
            for resource, scope in self._given:
                self._answers.add_given(resource, scope)

    def begin_with(self, path: str) -> bool:
        """Have an item from now on, and after each reset; return whether the path is one of an item."""
        try:
            resource, names = self._find(path)
        except RefusalError:
            return False
        if resource.kind is not PathKind.ITEM:
            return False
        with self._lock:
            given = (resource, tuple(names[name] for name in resource.names))
            self._given.append(given)
            self._answers.add_given(*given)
        return True

    def contents(self) -> dict[str, frozenset[str]]:
        """Return the ids of what exists, by the path of its collection."""
        with self._lock:
            return self._store.contents()

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
