"""The formats of timestamps."""

from typing import Any

from formwork.convert.options import TimestampFormat
from formwork.smithy.shapes import Shape, ShapeType


def add_timestamp_format(schema: dict[str, Any], shape: Shape, target: Shape, default_format: TimestampFormat) -> None:
    """Set type and format of a timestamp's schema.

    A member's own format overlays what its target's gave: `http-date` on a member leaves a `format` that is there.
    """
    if target.type is not ShapeType.TIMESTAMP:
        return
    own = shape.trait("timestampFormat")
    if own is None and shape is not target:
        return
    timestamp_format = own or default_format
    if timestamp_format == TimestampFormat.DATE_TIME:
        schema |= {"type": "string", "format": "date-time"}
    elif timestamp_format.startswith("epoch-"):
        schema.pop("format", None)
        schema["type"] = "number"
    else:
        schema["type"] = "string"
