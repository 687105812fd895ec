"""The toolkit's handler library in place of the requirement `cloudformation-cli-python-lib`: as wheel and as members.

Its version contains that of AWS's library that it replaces, so that requirements with version ranges are met.
"""

import base64
import hashlib
from pathlib import Path

from packaging.specifiers import SpecifierSet

from formwork.handler_libraries import LIBRARY_MODULE, python_library_folder
from formwork.languages.python.library_metadata import STANDS_IN_FOR, library_metadata, metadata_folder
from formwork.package.archive import ArchiveMember, write_archive
from formwork.package.files import folder_members


def version_for(demanded: SpecifierSet, version: str) -> str | None:
    """Return the library's `version` in a form that `demanded` permits; None if the specifiers name no version."""
    named = [each.version.removesuffix(".*") for each in demanded]
    base = next((each for each in (STANDS_IN_FOR, *named) if demanded.contains(each, prereleases=True)), None)
    return None if base is None else f"{base}+{version.partition('+')[2]}"


def library_members(version: str) -> list[ArchiveMember]:
    """Return the library's files, with metadata of `cloudformation-cli-python-lib` in that version."""
    folder = python_library_folder() / LIBRARY_MODULE
    code = folder_members(folder, prefix=f"{LIBRARY_MODULE}/", root=folder)
    metadata = library_metadata(version)
    return [*code, ArchiveMember(f"{metadata_folder(version)}/METADATA", metadata.encode())]


def write_library_wheel(folder: Path, version: str) -> Path:
    """Write the library as a wheel into `folder`, always with the same bytes."""
    wheel = "Wheel-Version: 1.0\nGenerator: formwork\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    members = [*library_members(version), ArchiveMember(f"{metadata_folder(version)}/WHEEL", wheel.encode())]
    record = f"{metadata_folder(version)}/RECORD"
    lines = [f"{each.name},{_digest(each.read())},{each.size}" for each in members]
    text = "\n".join([*lines, f"{record},,", ""])
    path = folder / f"{LIBRARY_MODULE}-{version}-py3-none-any.whl"
    write_archive([*members, ArchiveMember(record, text.encode())], path, compress=True)
    return path


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
