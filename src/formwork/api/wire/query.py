"""The query protocol: form fields in, XML out.

Source: AWS query protocol (Smithy documentation, "AWS query protocol"), with botocore as the oracle.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from formwork.api.wire.errors import ApiError, validation_error
from formwork.api.wire.scalars import parse_scalar, render_text_scalar
from formwork.api.wire.services import Service

if TYPE_CHECKING:
    from botocore.model import OperationModel

MAX_FIELDS = 50_000
MAX_DEPTH = 32

_ENVELOPE = frozenset({"Action", "Version"})


def parse_query_request(operation: "OperationModel", fields: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the operation's input from the form's fields, in the shapes of the model; unknown members are ignored.

    Raises:
        ApiError: a value has the wrong form, or there are too many fields (ValidationError).
    """
    tree: dict[str, Any] = {}
    for count, (name, value) in enumerate(fields):
        if count >= MAX_FIELDS:
            msg = f"the request has more than {MAX_FIELDS:,} fields"
            raise validation_error(msg)
        if name not in _ENVELOPE:
            _plant(tree, name.split("."), value)
    shape = operation.input_shape
    return _structure(shape, tree, "") if shape is not None else {}


def _plant(tree: dict[str, Any], path: list[str], value: str) -> None:
    if len(path) > MAX_DEPTH:
        return  # no shape is as deep: an unknown member
    for step in path[:-1]:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):  # both `A=x` and `A.member.1=y`: the empty list's marker gives way
            inner = tree[step] = {}
        tree = inner
    if not isinstance(tree.get(path[-1]), dict):
        tree[path[-1]] = value


def _structure(shape: Any, tree: Any, name: str) -> dict[str, Any]:
    if not isinstance(tree, dict):
        return {}
    found = {}
    for member, member_shape in shape.members.items():
        key = member_shape.serialization.get("name", member)
        if key in tree:
            found[member] = _value(member_shape, tree[key], f"{name}.{member}" if name else member)
    return found


def _value(shape: Any, tree: Any, name: str) -> Any:
    match shape.type_name:
        case "structure":
            return _structure(shape, tree, name)
        case "list":
            return _list(shape, tree, name)
        case "map":
            return _map(shape, tree, name)
        case _:
            return parse_scalar(shape, tree if isinstance(tree, str) else "", name)


def _list(shape: Any, tree: Any, name: str) -> list[Any]:
    if not isinstance(tree, dict):
        return []  # `X=` says that the list is empty
    if not shape.serialization.get("flattened"):
        tree = tree.get(shape.member.serialization.get("name", "member"), {})
    return [_value(shape.member, each, name) for each in _numbered(tree)]


def _map(shape: Any, tree: Any, name: str) -> dict[str, Any]:
    if not isinstance(tree, dict):
        return {}
    if not shape.serialization.get("flattened"):
        tree = tree.get("entry", {})
    key_name = shape.key.serialization.get("name", "key")
    value_name = shape.value.serialization.get("name", "value")
    entries = (each for each in _numbered(tree) if isinstance(each, dict))
    return {str(each.get(key_name, "")): _value(shape.value, each.get(value_name, ""), name) for each in entries}


def _numbered(tree: Any) -> list[Any]:
    if not isinstance(tree, dict):
        return []
    keys = sorted((key for key in tree if key.isascii() and key.isdigit()), key=int)
    return [tree[key] for key in keys]


def render_query_response(
    service: Service, operation: "OperationModel", output: Mapping[str, Any], request_id: str
) -> bytes:
    """Return the XML answer of an operation; members that are None or absent are left out."""
    name, shape = operation.name, operation.output_shape
    parts = [f'<{name}Response xmlns="{service.namespace}">']
    if shape is not None:
        wrapper = shape.serialization.get("resultWrapper", f"{name}Result")
        parts.append(f"<{wrapper}>")
        _write_structure(shape, output, parts)
        parts.append(f"</{wrapper}>")
    parts.append(f"<ResponseMetadata><RequestId>{request_id}</RequestId></ResponseMetadata></{name}Response>")
    return "".join(parts).encode()


def render_query_error(service: Service, error: ApiError, request_id: str) -> bytes:
    """Return the XML of an error."""
    message = render_text_scalar(_TEXT, error.message)
    return (
        f'<ErrorResponse xmlns="{service.namespace}"><Error><Type>{error.fault}</Type><Code>{escape(error.code)}</Code>'
        f"<Message>{escape(message)}</Message></Error><RequestId>{request_id}</RequestId></ErrorResponse>"
    ).encode()


class _TextShape:
    type_name = "string"


_TEXT = _TextShape()


def _write_structure(shape: Any, value: Mapping[str, Any], parts: list[str]) -> None:
    for member, member_shape in shape.members.items():
        if value.get(member) is not None:
            _write(member_shape, value[member], member_shape.serialization.get("name", member), parts)


def _write(shape: Any, value: Any, tag: str, parts: list[str]) -> None:
    match shape.type_name:
        case "structure":
            parts.append(f"<{tag}>")
            _write_structure(shape, value, parts)
            parts.append(f"</{tag}>")
        case "list":
            _write_list(shape, value, tag, parts)
        case "map":
            _write_map(shape, value, tag, parts)
        case _:
            # A carriage return is written as a reference: XML readers turn a plain one into a line feed.
            text = escape(render_text_scalar(shape, value), {"\r": "&#13;"})
            parts.append(f"<{tag}>{text}</{tag}>")


def _write_list(shape: Any, value: Any, tag: str, parts: list[str]) -> None:
    if shape.serialization.get("flattened"):
        for each in value:
            _write(shape.member, each, tag, parts)
        return
    inner = shape.member.serialization.get("name", "member")
    parts.append(f"<{tag}>")
    for each in value:
        _write(shape.member, each, inner, parts)
    parts.append(f"</{tag}>")


def _write_map(shape: Any, value: Mapping[str, Any], tag: str, parts: list[str]) -> None:
    key_name = shape.key.serialization.get("name", "key")
    value_name = shape.value.serialization.get("name", "value")
    flattened = shape.serialization.get("flattened")
    entry = tag if flattened else "entry"
    if not flattened:
        parts.append(f"<{tag}>")
    for key, each in value.items():
        parts.append(f"<{entry}>")
        _write(shape.key, key, key_name, parts)
        _write(shape.value, each, value_name, parts)
        parts.append(f"</{entry}>")
    if not flattened:
        parts.append(f"</{tag}>")
