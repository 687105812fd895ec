"""The description of a shape: its documentation and what it says about being deprecated."""

from formwork.smithy.shapes import Shape, ShapeType

# What Java's String.trim() strips: the reference does, and its output is compared.
_TRIMMED = "".join(map(chr, range(0x21)))


def description_of(shape: Shape, *, default_deprecated_message: bool = True) -> str:
    """Return the text for `description`, "" for none."""
    text = shape.trait("documentation") or ""
    deprecated = shape.trait("deprecated")
    if isinstance(deprecated, dict) and (default_deprecated_message or deprecated):
        text += "\n" + _deprecation(shape, deprecated)
    return str(text).strip(_TRIMMED)


def _deprecation(shape: Shape, deprecated: dict[str, str]) -> str:
    subject = "operation" if shape.type is ShapeType.OPERATION else "shape"
    since = f" since {deprecated['since']}" if "since" in deprecated else ""
    message = f": {deprecated['message']}" if "message" in deprecated else "."
    return f"This {subject} is deprecated{since}{message}"
