"""Rules and input parameters of Guard hooks: single files, and archives within bounds.

Source: the service's hooks guide, "Activate a Guard Hook": .guard, .zip and .tar.gz; at most 10 files of parameters.
"""

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.hooks.guard.rules import GuardRulesError, RuleFile
from formwork.package.archive import check_member_name

MAX_BYTES = 16 * 1024 * 1024  # of an object, and of what it unpacks to
MAX_MEMBERS = 1000
_RULES = ".guard"


def rules_in(name: str, content: bytes) -> list[RuleFile]:
    """Return the rule files in a file or archive called `name`, sorted by name.

    Raises:
        GuardRulesError: it is too large, not readable, or has no rules.
    """
    if name.endswith(_RULES):
        members = iter([(name, content)])
    elif name.endswith(".zip"):
        members = _zip_members(name, content)
    elif name.endswith(".tar.gz"):
        members = _tar_members(name, content)
    else:
        raise GuardRulesError(f'"{name}" has none of the extensions of Guard rules: .guard, .zip, .tar.gz')
    try:
        files = [RuleFile(member, _text(member, body)) for member, body in members if member.endswith(_RULES)]
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, OSError, EOFError, ValueError, RuntimeError) as error:
        raise GuardRulesError(f"{name} can't be unpacked: {error}") from error
    if not files:
        raise GuardRulesError(f"{name} has no file of the extension {_RULES}")
    return sorted(files, key=lambda each: each.name)


def parameters_in(name: str, content: bytes) -> Mapping[str, Any]:
    """Return the members of a file of input parameters.

    Raises:
        GuardRulesError: it is not a map.
    """
    try:
        value = parse_document(_text(name, content), name=name).value
    except BadInputError as error:
        raise GuardRulesError(f"input parameters {name}: {error}") from error
    if not isinstance(value, Mapping):
        raise GuardRulesError(f"input parameters {name}: not a map")
    return value


def merge(document: dict[str, Any], members: Mapping[str, Any], what: str) -> None:
    """Add members to a document.

    Raises:
        GuardRulesError: the document has one of them already.
    """
    for name, value in members.items():
        if name in document:
            raise GuardRulesError(f'input parameters {what}: the input has a member "{name}" already')
        document[name] = value


def _text(name: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise GuardRulesError(f"{name} is not UTF-8: {error}") from error


def _zip_members(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    seen: set[str] = set()
    left = MAX_BYTES
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        _check_count(name, len(members))
        for member in members:
            check_member_name(member.filename.rstrip("/"), seen)
            if member.is_dir():
                continue
            with archive.open(member) as file:
                body = file.read(left + 1)  # whatever its header promises
            left -= len(body)
            _check_left(name, left)
            yield member.filename, body


def _tar_members(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    seen: set[str] = set()
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
        unpacked = packed.read(MAX_BYTES + 1)
    _check_left(name, MAX_BYTES - len(unpacked))
    with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as archive:
        for count, member in enumerate(archive, 1):
            _check_count(name, count)
            if member.name.strip("./") or not member.isdir():
                check_member_name(member.name.removeprefix("./"), seen)
            if member.isdir():
                continue
            file = archive.extractfile(member) if member.isreg() else None
            if file is None:
                raise GuardRulesError(f'"{member.name}" in {name} is not a regular file')
            yield member.name.removeprefix("./"), file.read()


def _check_count(name: str, count: int) -> None:
    if count > MAX_MEMBERS:
        raise GuardRulesError(f"{name} has more than {MAX_MEMBERS:,} members")


def _check_left(name: str, left: int) -> None:
    if left < 0:
        raise GuardRulesError(f"{name} unpacks to more than {MAX_BYTES:,} bytes")
