"""Files and texts to documents."""

import codecs
from functools import partial
from pathlib import Path
from typing import BinaryIO

from formwork.diagnostics import BadInputError, Location, Position
from formwork.documents.bounds import MAX_BYTES, check_size
from formwork.documents.document import Document, DocumentFormat
from formwork.documents.json_map import JsonMap
from formwork.documents.json_text import parse_json
from formwork.documents.opening import open_file, read_at_most, size_of

SUFFIXES = {".json": DocumentFormat.JSON, ".yaml": DocumentFormat.YAML, ".yml": DocumentFormat.YAML}


def load_document(
    path: Path | str,
    *,
    name: str | None = None,
    format: DocumentFormat | None = None,  # noqa: A002 - the word for it
    short_tags: bool = False,
) -> Document:
    """Read and parse the file at `path`; `name` is what diagnostics call it, by default the path as given.

    Raises:
        BadInputError: the file can't be read (`document.unreadable`), is not UTF-8 (`document.encoding`), or anything
            that `parse_document` refuses.
    """
    label = str(path) if name is None else name
    return _parse(read_text(path, name=label), label, format or _guess(label, short_tags), short_tags=short_tags)


def read_text(path: Path | str, *, name: str | None = None) -> str:
    """Return the text of the file at `path`, without a byte order mark.

    Raises:
        BadInputError: `document.unreadable`, `document.encoding`, `document.too-large`.
    """
    label = str(path) if name is None else name
    try:
        with open_file(path) as file:
            return _read(file, label, size=size_of(file))
    except (OSError, ValueError) as error:  # a ValueError where the path holds a NUL
        raise BadInputError.of(
            "document.unreadable",
            f'"{label}" cannot be read: {getattr(error, "strerror", None) or error}',
            location=Location(label),
            expected="a file that exists and may be read",
        ) from None


def read_stream(stream: BinaryIO, *, name: str) -> str:
    """Return the text that `stream` holds, up to its end; `name` is what diagnostics call it.

    Raises:
        BadInputError: `document.encoding`, `document.too-large`.
    """
    return _read(stream, name)


def _read(stream: BinaryIO, label: str, *, size: int = 0) -> str:
    data = read_at_most(stream, MAX_BYTES, size=size)
    check_size(max(len(data), size), Location(label))
    return _decode(data, label)


def parse_document(
    text: str,
    *,
    name: str,
    format: DocumentFormat | None = None,  # noqa: A002 - the word for it
    short_tags: bool = False,
    aliases: bool = True,
) -> Document:
    """Parse `text`, JSON or YAML: by `format`, else the suffix of `name`, else its first character.

    `short_tags` reads YAML as CloudFormation templates are written: `!Ref x` and its like become objects, and yes, no,
    on and off are booleans; without it an unknown tag is an error and those words are strings. A date is a string.
    A template in a `.json` file may be YAML, which AWS's command line reads too: its first character decides.

    Raises:
        BadInputError: with the place of every problem found; codes `document.*`.
    """
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError as error:
        raise BadInputError.of(
            "document.bad-unicode",
            f"character {error.start + 1:,} is half of a surrogate pair",
            location=Location(name),
            expected="whole characters",
        ) from None
    check_size(size, Location(name))
    written = format or _guess(name, short_tags)
    return _parse(text.removeprefix("\ufeff"), name, written, short_tags=short_tags, aliases=aliases)


def _parse(text: str, name: str, written: DocumentFormat | None, *, short_tags: bool, aliases: bool = True) -> Document:
    written = written or _sniff(text)
    if written is DocumentFormat.JSON:
        return Document(name, text, parse_json(text, name), written, partial(JsonMap, text))
    from formwork.documents.yaml_text import parse_yaml  # noqa: PLC0415 - PyYAML costs 26 ms, only for YAML

    value, source_map = parse_yaml(text, name, short_tags=short_tags, aliases=aliases)
    return Document(name, text, value, written, lambda: source_map)


def _guess(name: str, short_tags: bool) -> DocumentFormat | None:  # noqa: FBT001 - the caller's own option
    """The format that a file's suffix names, or None where the content decides: templates in .json may be YAML."""
    known = SUFFIXES.get(Path(name).suffix.lower())
    return None if short_tags and known is DocumentFormat.JSON else known


def _sniff(text: str) -> DocumentFormat:
    start = text.lstrip("\ufeff \t\r\n")[:1]
    return DocumentFormat.JSON if start in ("{", "[", "") else DocumentFormat.YAML


def _decode(data: bytes, name: str) -> str:
    for mark in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if data.startswith(mark):
            raise _encoding(name, "the file is UTF-16 or UTF-32", None)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise _encoding(name, f"byte 0x{data[error.start]:02x} is not UTF-8", Position(line, column)) from None


def _encoding(name: str, message: str, position: Position | None) -> BadInputError:
    return BadInputError.of(
        "document.encoding",
        message,
        location=Location(name, position),
        expected="UTF-8",
        hint="save the file as UTF-8",
    )
