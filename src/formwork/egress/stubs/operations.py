"""The operations of an OpenAPI document as values; schemas in them are made when they are first used."""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from formwork.diagnostics import BadInputError
from formwork.egress.stubs.references import LinkedDocuments, Located
from formwork.egress.stubs.schemas import ClosedSchema, Schemas
from formwork.egress.stubs.translation import Direction

_STATUS = re.compile(r"[1-5](?:\d\d|XX|xx)|default", re.ASCII)
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def is_json(media_type: str) -> bool:
    """Whether bodies of a media type are JSON."""
    essence = media_type.partition(";")[0].strip().lower()
    return essence in ("application/json", "text/json", "*/*", "application/*") or essence.endswith("+json")


def written_type(media_type: str, otherwise: str) -> str:
    """Return the media type of a reply: the declared one, or `otherwise` where that is a range."""
    return otherwise if "*" in media_type else media_type


@dataclass(frozen=True)
class ApiParameter:
    """A parameter of an operation; `place` is "path", "query", "header" or "cookie"."""

    name: str
    place: str
    required: bool
    style: str
    explode: bool
    _schemas: Schemas = field(repr=False)
    _at: Located = field(repr=False)

    @functools.cached_property
    def schema(self) -> ClosedSchema:
        """The schema that the parameter's value must satisfy."""
        return self._schemas.closed(self._at, Direction.REQUEST)


@dataclass(frozen=True)
class Content:
    """One media type of a body, or a header of a response. `examples` are whole values."""

    media_type: str
    examples: tuple[Any, ...]
    _schemas: Schemas = field(repr=False)
    _at: Located = field(repr=False)
    _direction: Direction

    @property
    def has_schema(self) -> bool:
        """Whether the document has a schema for the content."""
        return isinstance(self._at.value, dict | bool)

    @functools.cached_property
    def schema(self) -> ClosedSchema:
        """The schema that the content must satisfy; one that allows everything if the document has none."""
        return self._schemas.closed(self._at, self._direction)

    @property
    def named(self) -> tuple[Any, ...] | None:
        """The place that its schema refers to, None where the schema is written in the operation."""
        reference = self._at.value.get("$ref") if isinstance(self._at.value, dict) else None
        return (self._at.file, reference) if isinstance(reference, str) else None


class DeclaredResponse(Struct, frozen=True):
    """A response that an operation declares; `headers` are those that it declares, by name."""

    status: int
    content: tuple[Content, ...]
    headers: Mapping[str, Content]
    required_headers: frozenset[str]

    @property
    def json(self) -> Content | None:
        """The first media type that is JSON."""
        return next((each for each in self.content if is_json(each.media_type)), None)


class Scheme(Struct, frozen=True):
    """A security scheme: where a request has its credential, and under which name."""

    kind: str
    place: str
    name: str
    prefix: str = ""


class ApiOperation(Struct, frozen=True):
    """A method of a path. `security` are alternatives, each of which names all credentials that it needs."""

    method: str
    template: str
    parameters: tuple[ApiParameter, ...]
    body: tuple[Content, ...]
    body_required: bool
    responses: tuple[tuple[str, DeclaredResponse], ...]
    security: tuple[tuple[Scheme, ...], ...]

    @property
    def json_body(self) -> Content | None:
        """The first media type of requests that is JSON, else the first one with a schema."""
        found = [each for each in self.body if is_json(each.media_type)]
        return next(iter([*found, *(each for each in self.body if each.has_schema)]), None)

    def success(self, *preferred: int) -> DeclaredResponse | None:
        """Return the declared response of success: the first of `preferred`, else the first, or a redirection."""
        declared = dict(self.responses)
        exact = [status for status in declared if status[:1] == "2" and status.isdecimal()]
        for status in preferred:
            if str(status) in declared:
                return declared[str(status)]
        if exact:
            return declared[exact[0]]
        if "2XX" in declared:
            return _with_status(declared["2XX"], preferred[0])
        redirects = [status for status in declared if status[:1] == "3" and status.isdecimal()]
        if redirects:
            return declared[redirects[0]]
        return _with_status(declared["default"], preferred[0]) if [*declared] == ["default"] else None

    def failure(self, *statuses: int) -> DeclaredResponse:
        """Return the declared response for the first of `statuses` that has one, else one of the first."""
        declared = dict(self.responses)
        for status in statuses:
            if str(status) in declared:
                return declared[str(status)]
        general = declared.get("4XX") or declared.get("default") or DeclaredResponse(0, (), {}, frozenset())
        return _with_status(general, statuses[0])

    def declares(self, status: int) -> bool:
        """Whether the operation has a response with just this status."""
        return any(name == str(status) for name, _ in self.responses)

    @property
    def key_parameter(self) -> ApiParameter | None:
        """The last parameter of the path."""
        named = [each for each in self.parameters if each.place == "path" and f"{{{each.name}}}" in self.template]
        return max(named, key=lambda each: self.template.rindex(f"{{{each.name}}}"), default=None)


def _with_status(response: DeclaredResponse, status: int) -> DeclaredResponse:
    return DeclaredResponse(status, response.content, response.headers, response.required_headers)


class OperationReader:
    """Reads operations of one document."""

    def __init__(self, documents: LinkedDocuments, schemas: Schemas) -> None:
        self._documents = documents
        self._schemas = schemas
        root = documents.root
        self._default_security = root.child("security")
        self._schemes = dict(root.child("components", "securitySchemes").members())

    def operations(self) -> Iterator[ApiOperation]:
        """Yield all operations, in the order of the document.

        Raises:
            BadInputError: `stub.reference`: a reference that they need leads nowhere.
        """
        for template, written in self._documents.root.child("paths").members():
            if not template.startswith("/"):
                continue  # an extension
            path = self._documents.follow(written)
            for method in METHODS:
                if isinstance(path.child(method).value, dict):
                    yield self._operation(method, template, path)

    def base_paths(self) -> tuple[str, ...]:
        """Return the paths of the servers, the longest first, without a final slash."""
        found = {""} if not self._documents.root.child("servers").value else set()
        for server in self._documents.root.child("servers").items():
            url = server.child("url").value
            if isinstance(url, str):
                for name, variable in server.child("variables").members():
                    url = url.replace(f"{{{name}}}", str(variable.child("default").value))
                found.add(_path_of(url))
        return tuple(sorted(found, key=len, reverse=True))

    def _operation(self, method: str, template: str, path: Located) -> ApiOperation:
        at = path.child(method)
        body = self._documents.follow(at.child("requestBody"))
        declared: dict[tuple[str, str], ApiParameter] = {}
        for each in (*path.child("parameters").items(), *at.child("parameters").items()):
            parameter = self._parameter(self._documents.follow(each))
            if parameter is not None:
                declared[parameter.name, parameter.place] = parameter
        return ApiOperation(
            method=method,
            template=template,
            parameters=tuple(declared.values()),
            body=self._contents(body.child("content"), Direction.REQUEST),
            body_required=body.child("required").value is True,
            responses=tuple(self._responses(at.child("responses"))),
            security=self._security(at),
        )

    def _parameter(self, at: Located) -> ApiParameter | None:
        name, place = at.child("name").value, at.child("in").value
        if not isinstance(name, str) or place not in ("path", "query", "header", "cookie"):
            return None
        schema = at.child("schema")
        if schema.value is None:
            schema = next((each.child("schema") for _, each in at.child("content").members()), schema)
            style, explode = "content", False
        else:
            style = str(at.child("style").value or ("form" if place in ("query", "cookie") else "simple"))
            written = at.child("explode").value
            explode = written if isinstance(written, bool) else style == "form"
        required = place == "path" or at.child("required").value is True
        return ApiParameter(name, place, required, style, explode, self._schemas, schema)

    def _contents(self, at: Located, direction: Direction) -> tuple[Content, ...]:
        return tuple(self._content(media_type, each, direction) for media_type, each in at.members())

    def _content(self, media_type: str, at: Located, direction: Direction) -> Content:
        examples = [at.child("example").value] if isinstance(at.value, dict) and "example" in at.value else []
        for _, each in at.child("examples").members():
            try:
                value = self._documents.follow(each).child("value").value
            except BadInputError:  # an example that is not there is not needed
                continue
            examples += [] if value is None else [value]
        return Content(media_type, tuple(examples), self._schemas, at.child("schema"), direction)

    def _responses(self, at: Located) -> Iterator[tuple[str, DeclaredResponse]]:
        for status, each in at.members():
            if not _STATUS.fullmatch(status):
                continue  # an extension
            response = self._documents.follow(each)
            headers = {
                name: self._documents.follow(header)
                for name, header in response.child("headers").members()
                if name.lower() != "content-type"
            }
            yield (
                status.upper() if status != "default" else status,
                DeclaredResponse(
                    int(status) if status.isdecimal() else 0,
                    self._contents(response.child("content"), Direction.RESPONSE),
                    {name: self._content("", header, Direction.RESPONSE) for name, header in headers.items()},
                    frozenset(name for name, header in headers.items() if header.child("required").value is True),
                ),
            )

    def _security(self, at: Located) -> tuple[tuple[Scheme, ...], ...]:
        written = at.child("security") if at.child("security").value is not None else self._default_security
        alternatives = []
        for alternative in written.items():
            named = [self._scheme(name) for name, _ in alternative.members()]
            alternatives.append(tuple(each for each in named if each is not None))
        return tuple(alternatives)

    def _scheme(self, name: str) -> Scheme | None:
        if name not in self._schemes:
            return None
        at = self._documents.follow(self._schemes[name])
        kind = str(at.child("type").value)
        if kind == "apiKey":
            return Scheme(kind, str(at.child("in").value), str(at.child("name").value))
        if kind == "mutualTLS":
            return None  # the connection's, which the gate ends
        prefix = str(at.child("scheme").value or "bearer") if kind == "http" else "bearer"
        return Scheme(kind, "header", "Authorization", prefix)


def _path_of(url: str) -> str:
    try:
        return urlsplit(url).path.rstrip("/")
    except ValueError:
        return ""
