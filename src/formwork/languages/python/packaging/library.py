"""The toolkit's handler library in place of the requirement `cloudformation-cli-python-lib`: as wheel and as members.

Its version contains that of AWS's library that it replaces, so that requirements with version ranges are met.
"""

import base64
import hashlib
from pathlib import Path

from packaging.specifiers import SpecifierSet

from formwork.handler_libraries import LIBRARY_MODULE, python_library_folder
from formwork.languages.python.requirements import AWS_LIBRARY
from formwork.package.archive import ArchiveMember, write_archive
from formwork.package.files import folder_members

_STANDS_IN_FOR = "2.1.20"


def library_version(formwork_version: str) -> str:
    """Return the version of the library, such as `2.1.20+formwork.0.1.0`."""
    return f"{_STANDS_IN_FOR}+formwork.{formwork_version}"


def version_for(demanded: SpecifierSet, version: str) -> str | None:
    """Return the library's `version` in a form that `demanded` permits; None if the specifiers name no version."""
    named = [each.version.removesuffix(".*") for each in demanded]
    base = next((each for each in (_STANDS_IN_FOR, *named) if demanded.contains(each, prereleases=True)), None)
    return None if base is None else f"{base}+{version.partition('+')[2]}"


def library_members(version: str) -> list[ArchiveMember]:
    """Return the library's files, with metadata of `cloudformation-cli-python-lib` in that version."""
    folder = python_library_folder() / LIBRARY_MODULE
    code = folder_members(folder, prefix=f"{LIBRARY_MODULE}/", root=folder)
    metadata = (
        f"Metadata-Version: 2.1\nName: {AWS_LIBRARY}\nVersion: {version}\nRequires-Python: >=3.9\nLicense: Apache-2.0\n"
    )
    return [*code, ArchiveMember(f"{_dist_info(version)}/METADATA", metadata.encode())]


def write_library_wheel(folder: Path, version: str) -> Path:
    """Write the library as a wheel into `folder`, always with the same bytes."""
    wheel = "Wheel-Version: 1.0\nGenerator: formwork\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    members = [*library_members(version), ArchiveMember(f"{_dist_info(version)}/WHEEL", wheel.encode())]
    record = f"{_dist_info(version)}/RECORD"
    lines = [f"{each.name},{_digest(each.read())},{each.size}" for each in members]
    text = "\n".join([*lines, f"{record},,", ""])
    path = folder / f"{LIBRARY_MODULE}-{version}-py3-none-any.whl"
    write_archive([*members, ArchiveMember(record, text.encode())], path, compress=True)
    return path


def _dist_info(version: str) -> str:
    return f"{LIBRARY_MODULE}-{version}.dist-info"


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
