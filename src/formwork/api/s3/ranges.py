"""The Range header: which bytes of an object are asked for."""

import re

from formwork.object_store.errors import S3Error

_RANGE = re.compile(r"bytes=(\d{0,19})-(\d{0,19})", re.ASCII)


def parse_range(text: str | None, size: int) -> tuple[int, int] | None:
    """Start and length of the range, within an object of `size` bytes; None for the whole object.

    A header that is not a range of bytes is ignored, as HTTP demands (RFC 9110, 14.2).

    Raises:
        S3Error: the range lies beyond the object.
    """
    matched = _RANGE.fullmatch(text.replace(" ", "")) if text is not None else None
    if matched is None or not (matched[1] or matched[2]):
        return None
    if matched[1]:
        start, end = int(matched[1]), min(int(matched[2]) if matched[2] else size - 1, size - 1)
        if matched[2] and int(matched[2]) < start:
            return None
    else:
        start, end = max(0, size - int(matched[2])), size - 1
    if start >= size or end < start:
        raise S3Error("InvalidRange", "The requested range is not satisfiable", status=416)
    return start, end - start + 1
