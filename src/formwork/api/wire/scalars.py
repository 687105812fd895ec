"""Single values of the wire: texts to what a shape means by them, and back."""

import base64
import re
from datetime import UTC, datetime
from typing import Any

from formwork.api.wire.errors import ApiError, validation_error

# XML 1.0 has no way to write these, and a handler's message may hold any of them.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_FALSE_TRUE = {"false": False, "true": True}


def parse_scalar(shape: Any, text: str, name: str) -> Any:
    """Return the value of `text` for a scalar shape; `name` is the member's, for the error.

    Raises:
        ApiError: the text is not a value of the shape (ValidationError).
    """
    try:
        match shape.type_name:
            case "integer" | "long":
                return int(text)
            case "float" | "double":
                return float(text)
            case "boolean":
                return _FALSE_TRUE[text.lower()]
            case "timestamp":
                return parse_timestamp(text)
            case "blob":
                return base64.b64decode(text, validate=True)
            case _:
                return text
    except (ValueError, KeyError):
        raise malformed(name, text, shape.type_name) from None


def malformed(name: str, value: object, wanted: str) -> ApiError:
    """Return the error for a member whose value has the wrong form."""
    shown = str(value)
    shown = shown if len(shown) <= 60 else shown[:60] + "…"
    return validation_error(f"Value '{shown}' at '{name}' is not of type {wanted}")


def parse_timestamp(text: str) -> datetime:
    """Return an ISO 8601 time or seconds since the epoch, as a time in UTC.

    Raises:
        ValueError: it is neither.
    """
    try:
        return datetime.fromtimestamp(float(text), tz=UTC)
    except (OverflowError, OSError) as error:
        raise ValueError(text) from error
    except ValueError:
        moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def render_timestamp(moment: datetime) -> str:
    """`2026-11-20T12:00:00.123Z`: ISO 8601 in UTC, to the millisecond."""
    moment = moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def render_text_scalar(shape: Any, value: Any) -> str:
    """Return a scalar as the text of an XML element, not escaped; characters that XML cannot hold are left out."""
    match shape.type_name:
        case "boolean":
            return "true" if value else "false"
        case "timestamp":
            return render_timestamp(value)
        case "blob":
            return base64.b64encode(value).decode("ascii")
        case "float" | "double":
            return repr(float(value))
        case _:
            return _NOT_XML.sub("", str(value))
