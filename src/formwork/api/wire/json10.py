"""The JSON protocols, 1.0 and 1.1: a JSON object in, one out; the operation stands in the X-Amz-Target header."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from formwork.api.wire.errors import ApiError
from formwork.api.wire.scalars import malformed, parse_scalar
from formwork.api.wire.services import Service

if TYPE_CHECKING:
    from botocore.model import OperationModel

_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "long": (int,),
    "float": (int, float),
    "double": (int, float),
    "boolean": (bool,),
    "timestamp": (int, float, str),
    "blob": (str,),
    "structure": (dict,),
    "map": (dict,),
    "list": (list,),
}


def parse_json_request(operation: "OperationModel", body: bytes) -> dict[str, Any]:
    """Return the operation's input from the request's body, in the shapes of the model; unknown members are ignored.

    Raises:
        ApiError: the body is not a JSON object (SerializationException), or a value has the wrong type.
    """
    try:
        value = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError):
        raise _serialization("the body is not JSON") from None
    if not isinstance(value, dict):
        raise _serialization("the body is not a JSON object")
    shape = operation.input_shape
    parsed: dict[str, Any] = _parse(shape, value, "") if shape is not None else {}
    return parsed


def _serialization(message: str) -> ApiError:
    return ApiError("SerializationException", message)


def _parse(shape: Any, value: Any, name: str) -> Any:
    kind = shape.type_name
    wanted: Any = _JSON_TYPES.get(kind, (object,))
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind != "boolean"):
        raise malformed(name, value, kind)
    match kind:
        case "structure":
            return {
                member: _parse(member_shape, value[key], f"{name}.{member}" if name else member)
                for member, member_shape in shape.members.items()
                if value.get(key := member_shape.serialization.get("name", member)) is not None
            }
        case "list":
            return [_parse(shape.member, each, name) for each in value]
        case "map":
            return {key: _parse(shape.value, each, name) for key, each in value.items()}
        case "timestamp" | "blob":
            return parse_scalar(shape, str(value), name)
        case _:
            return value


def render_json_response(operation: "OperationModel", output: Mapping[str, Any]) -> bytes:
    """Return the JSON answer of an operation; members that are None or absent are left out."""
    shape = operation.output_shape
    return json.dumps(_render(shape, output) if shape is not None else {}, ensure_ascii=False).encode(
        errors="surrogatepass"
    )


def _render(shape: Any, value: Any) -> Any:
    match shape.type_name:
        case "structure":
            return {
                member_shape.serialization.get("name", member): _render(member_shape, value[member])
                for member, member_shape in shape.members.items()
                if value.get(member) is not None
            }
        case "list":
            return [_render(shape.member, each) for each in value]
        case "map":
            return {key: _render(shape.value, each) for key, each in value.items()}
        case "timestamp":
            return _epoch(value)
        case "blob":
            return base64.b64encode(value).decode("ascii")
        case _:
            return value


def _epoch(moment: datetime) -> float:
    return round(moment.timestamp(), 3)


def render_json_error(service: Service, error: ApiError) -> bytes:
    """Return the JSON of an error; clients read the part of `__type` behind the "#"."""
    prefix = service.model.metadata.get("targetPrefix", service.name)
    return json.dumps({"__type": f"{prefix}#{error.code}", "Message": error.message}).encode()
