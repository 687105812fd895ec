"""HTTP bindings: labels, headers, query parameters, payloads, URIs and status codes that fit each other."""

import re
from collections import defaultdict
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.shapes import MemberShape, OperationShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, described, error, event, quoted, warning

_LABEL = re.compile(r"\{([^{}]*?)(\+?)\}")
_FIELD_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_REFUSED_HEADERS = frozenset(
    (
        "authorization", "connection", "content-length", "expect", "host", "max-forwards", "proxy-authenticate",
        "server", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "www-authenticate", "x-forwarded-for",
    )
)  # fmt: skip
_BINDINGS = ("httpLabel", "httpHeader", "httpPrefixHeaders", "httpQuery", "httpQueryParams", "httpPayload",
             "httpResponseCode")  # fmt: skip
_NO_BODY = ("httpHeader", "httpPrefixHeaders", "httpResponseCode")


def _uri(operation: OperationShape) -> str:
    value = operation.trait("http")
    return str(value.get("uri", "")) if isinstance(value, dict) else ""


def _path(uri: str) -> str:
    return uri.partition("?")[0]


def labels(validation: Validation) -> Iterator[Event]:
    """Check HttpLabelTrait: every label of a URI has its member, every labelled member its label."""
    for operation in validation.model.operations:
        if not operation.has_trait("http"):
            continue
        found = {name: greedy == "+" for name, greedy in _LABEL.findall(_path(_uri(operation)))}
        structure = validation.bindings.input_of(operation)
        members = structure.members if structure is not None else {}
        bound = {name for name, member in members.items() if member.has_trait("httpLabel")}
        missing = sorted(found.keys() - bound)
        if missing:
            message = (
                f"This operation uses `{operation.input}` as input, but the following URI labels found in the "
                "operation's `http` trait do not have a corresponding member marked with the `httpLabel` trait: "
                f"{quoted(missing)}"
            )
            yield error("HttpLabelTrait", operation, message)
        for name in bound:
            yield from _check_label(validation, operation, members[name], found)


def _check_label(
    validation: Validation, operation: OperationShape, member: MemberShape, found: dict[str, bool]
) -> Iterator[Event]:
    name = member.member_name
    target = validation.model.target(member)
    if name not in found:
        message = (
            f"This `{name}` structure member is marked with the `httpLabel` trait, but no corresponding `http` URI "
            f"label could be found when used as the input of the `{operation.id}` operation."
        )
        yield error("HttpLabelTrait", member, message)
    elif found[name] and target is not None and target.type not in (ShapeType.STRING, ShapeType.ENUM):
        message = (
            f"The `{name}` structure member corresponds to a greedy label when used as the input of the "
            f"`{operation.id}` operation. This member targets {described(target)}, but greedy labels must target "
            "string shapes."
        )
        yield error("HttpLabelTrait", member, message)


def greedy_labels(validation: Validation) -> Iterator[Event]:
    """Check HttpUriGreedyLabel: a pattern has one greedy label, and nothing follows it that could be part of it."""
    for operation in validation.model.operations:
        path = _path(_uri(operation))
        labels_found = _LABEL.findall(path)
        if any(greedy for _, greedy in labels_found[:-1]):
            message = f"A greedy label must be the last label in its pattern: {path}"
            yield event("HttpUriGreedyLabel.GreedyLabelIsNotLastLabel", EventSeverity.DANGER, operation, message)
        if sum(bool(greedy) for _, greedy in labels_found) > 1:
            message = f"At most one greedy label segment may exist in a pattern: {path}"
            yield event("HttpUriGreedyLabel.MultipleGreedyLabels", EventSeverity.DANGER, operation, message)


def headers(validation: Validation) -> Iterator[Event]:
    """Check HttpHeaderTrait: names are valid, may be bound, and are bound once."""
    by_container: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for member in validation.model.with_trait("httpHeader"):
        name = member.trait("httpHeader")
        if not isinstance(member, MemberShape):
            continue
        by_container[member.container][name.lower()].append(member.member_name)
        if not _FIELD_NAME.fullmatch(name):
            message = f"`{name}` is not a valid HTTP header field name according to section 5.6.2 of RFC 9110"
            yield event("HttpHeaderTrait", EventSeverity.DANGER, member, message)
        elif name.lower() in _REFUSED_HEADERS:
            yield event(
                "HttpHeaderTrait", EventSeverity.DANGER, member, f"`{name}` is not an allowed HTTP header binding"
            )
    for container, names in by_container.items():
        structure = validation.model.expect(container)
        for name, members in names.items():
            if len(members) > 1:
                message = (
                    f"`httpHeader` field name binding conflicts found for the `{name}` header in the following "
                    f"structure members: {quoted(sorted(members))}"
                )
                yield error("HttpHeaderTrait", structure, message)


def prefix_headers(validation: Validation) -> Iterator[Event]:
    """Check HttpPrefixHeadersTrait: no header begins as a prefix does."""
    for prefixed in validation.model.with_trait("httpPrefixHeaders"):
        container = validation.model.get(prefixed.id.partition("$")[0])
        prefix = prefixed.trait("httpPrefixHeaders")
        for member in container.members.values() if container is not None else ():
            name = member.trait("httpHeader")
            if not isinstance(name, str) or not name.lower().startswith(prefix.lower()):
                continue
            start = (
                f"`httpHeader` binding of `{name.lower()}` conflicts with the `httpPrefixHeaders` binding of "
                f"`{prefixed.id}` to `{prefix.lower()}`."
            )
            if prefix:
                message = (
                    f"{start} `httpHeader` bindings must not case-insensitively start with any `httpPrefixHeaders` "
                    "bindings."
                )
                yield error("HttpPrefixHeadersTrait", member, message)
            else:
                message = (
                    f"{start} The service will not be able to disambiguate between header parameters intended for the "
                    f"`{prefixed.id}` member and those explicitly bound to the `httpHeader` members."
                )
                yield event("HttpPrefixHeadersTrait", EventSeverity.NOTE, member, message)


def query_parameters(validation: Validation) -> Iterator[Event]:
    """Check HttpQueryTrait and HttpQueryParamsTrait: parameters are bound once, and the URI has none of them."""
    structures = {each.id.partition("$")[0] for each in validation.model.with_trait("httpQuery")}
    for structure_id in structures:
        structure = validation.model.expect(structure_id)
        names: dict[str, list[str]] = defaultdict(list)
        for member in structure.members.values():
            if isinstance(member.trait("httpQuery"), str):
                names[member.trait("httpQuery")].append(member.member_name)
        for name, members in names.items():
            if len(members) > 1:
                message = (
                    f"`httpQuery` parameter name binding conflicts found for the `{name}` parameter in the following "
                    f"structure members: {quoted(sorted(members))}"
                )
                yield error("HttpQueryTrait", structure, message)
        yield from _literal_conflicts(validation, structure, set(names))
        yield from _catch_all(structure, sorted(member for members in names.values() for member in members))


def _literal_conflicts(validation: Validation, structure: Shape, names: set[str]) -> Iterator[Event]:
    for operation in validation.model.operations:
        if operation.input != structure.id:
            continue
        uri = _uri(operation)
        literals = {pair.partition("=")[0] for pair in uri.partition("?")[2].split("&") if pair}
        for name in sorted(names & literals):
            message = (
                f"`httpQuery` name `{name}` conflicts with the `http` trait of the `{operation.id}` operation: `{uri}`"
            )
            yield error("HttpQueryTrait", structure, message)


def _catch_all(structure: Shape, named: list[str]) -> Iterator[Event]:
    for member in structure.members.values():
        if member.has_trait("httpQueryParams") and named:
            message = (
                f"Structure member `{member.member_name}` is marked with the `httpQueryParams` trait, and `httpQuery` "
                f"traits are applied to the following members: {quoted(named)}. The service will not be able to "
                f"disambiguate between query string parameters intended for the `{member.member_name}` member and "
                "those explicitly bound to the `httpQuery` members."
            )
            yield event("HttpQueryParamsTrait", EventSeverity.NOTE, structure, message)


def payloads(validation: Validation) -> Iterator[Event]:
    """Check HttpPayload: beside a payload every other member is bound to something else."""
    model = validation.model
    inputs = {each.input for each in model.operations if each.has_trait("http")}
    outputs = {each.output for each in model.operations if each.has_trait("http")}
    errors = {error_id for each in model.operations if each.has_trait("http") for error_id in each.errors}
    for member in model.with_trait("httpPayload"):
        structure = model.get(member.id.partition("$")[0])
        if structure is None:
            continue
        request = ("httpLabel", "httpHeader", "httpPrefixHeaders", "httpQuery", "httpQueryParams", "httpPayload")
        response = ("httpHeader", "httpPrefixHeaders", "httpPayload", "httpResponseCode")
        for used, traits in ((inputs, request), (outputs | errors, response)):
            if structure.id not in used:
                continue
            free = [
                each.member_name
                for each in structure.members.values()
                if not any(each.has_trait(trait) for trait in traits)
            ]
            if free:
                message = (
                    "A member of this structure is marked with the `httpPayload` trait, but the following structure "
                    f"members are not explicitly bound to the HTTP message: {quoted(sorted(free))}"
                )
                yield error("HttpPayload", structure, message)


def uri_conflicts(validation: Validation) -> Iterator[Event]:
    """Check HttpUriConflict: no two operations of a service answer to one method and URI."""
    for service in validation.model.services:
        by_uri: dict[tuple[str, ...], list[OperationShape]] = defaultdict(list)
        for operation in validation.operations_of(service):
            if operation.has_trait("http"):
                by_uri[_signature(operation)].append(operation)
        for operations in by_uri.values():
            for operation in operations if len(operations) > 1 else ():
                others = ", ".join(
                    f"`{each.id}` ({_uri(each)})"
                    for each in sorted(operations, key=lambda each: each.id)
                    if each is not operation
                )
                message = (
                    f"Operation URI, `{_uri(operation)}`, conflicts with other operation URIs in the same service: "
                    f"[{others}]"
                )
                yield error("HttpUriConflict", operation, message)


def _signature(operation: OperationShape) -> tuple[str, ...]:
    """Method, host prefix and the URI with its labels without names."""
    uri = _LABEL.sub(lambda match: "{" + match[2] + "}", _uri(operation))
    endpoint = operation.trait("endpoint")
    prefix = str(endpoint.get("hostPrefix", "")) if isinstance(endpoint, dict) else ""
    return (str(operation.trait("http").get("method")), prefix, *sorted(uri.replace("?", "&").split("&")))


def response_codes(validation: Validation) -> Iterator[Event]:
    """Check HttpResponseCodeSemantics: codes fit success or error."""
    for operation in validation.model.operations:
        value = operation.trait("http")
        if not isinstance(value, dict):
            continue
        code = value.get("code", 200)
        if isinstance(code, int) and not 200 <= code < 300:
            message = f"Expected an `http` code in the 2xx range, but found {code}"
            yield event("HttpResponseCodeSemantics", EventSeverity.DANGER, operation, message)
        elif code in (204, 205):
            output = validation.bindings.output_of(operation)
            members = output.members.values() if output is not None else ()
            if not all(any(each.has_trait(trait) for trait in _NO_BODY) for each in members):
                message = (
                    f"The HTTP {code} status code does not allow a response body. To use this status code, all output "
                    "members need to be bound to @httpHeader, @httpPrefixHeaders, @httpResponseCode, etc."
                )
                yield warning("HttpResponseCodeSemantics", operation, message)
    for shape in validation.model.with_trait("httpError"):
        code, kind = shape.trait("httpError"), shape.trait("error")
        family = {"client": 4, "server": 5}.get(str(kind))
        if family is not None and isinstance(code, int) and code // 100 != family:
            message = f"Expected an `httpError` code in the {family}xx range for a `{kind}` error, but found {code}"
            yield event("HttpResponseCodeSemantics", EventSeverity.DANGER, shape, message)
