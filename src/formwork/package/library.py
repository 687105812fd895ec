"""Our handler library, in place of the requirement `cloudformation-cli-python-lib`: as a wheel and as members.

Its version says which of AWS's versions it stands in for, so that what depends on a range of those is content.
"""

import base64
import hashlib
import importlib.metadata
import importlib.util
from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError
from formwork.package.archive import Member, write_archive
from formwork.package.files import folder_members

LIBRARY = "cloudformation-cli-python-lib"
# The names under which requirements ask for it: AWS's, and that of our own distribution.
LIBRARY_NAMES = frozenset({LIBRARY, "formwork-cfn-runtime"})
_PACKAGE = "cloudformation_cli_python_lib"
_STANDS_IN_FOR = "2.1.20"


def library_version(formwork_version: str) -> str:
    """Such as `2.1.20+formwork.0.1.0`."""
    return f"{_STANDS_IN_FOR}+formwork.{formwork_version}"


def library_members(version: str) -> list[Member]:
    """The library's files and the metadata of a distribution `cloudformation-cli-python-lib` of that version.

    Raises:
        EnvironmentProblemError: AWS's library is installed beside ours, over the same files.
    """
    folder = _folder()
    code = folder_members(folder, prefix=f"{_PACKAGE}/", root=folder)
    metadata = (
        f"Metadata-Version: 2.1\nName: {LIBRARY}\nVersion: {version}\nRequires-Python: >=3.9\nLicense: Apache-2.0\n"
    )
    return [*code, Member(f"{_dist_info(version)}/METADATA", metadata.encode())]


def write_library_wheel(folder: Path, version: str) -> Path:
    """Write the library as a wheel into `folder`, the same bytes every time."""
    wheel = "Wheel-Version: 1.0\nGenerator: formwork\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    members = [*library_members(version), Member(f"{_dist_info(version)}/WHEEL", wheel.encode())]
    record = f"{_dist_info(version)}/RECORD"
    lines = [f"{each.name},{_digest(each.read())},{each.size}" for each in members]
    text = "\n".join([*lines, f"{record},,", ""])
    path = folder / f"{_PACKAGE}-{version}-py3-none-any.whl"
    write_archive([*members, Member(record, text.encode())], path, compress=True)
    return path


def _dist_info(version: str) -> str:
    return f"{_PACKAGE}-{version}.dist-info"


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _folder() -> Path:
    try:
        importlib.metadata.distribution(LIBRARY)
    except importlib.metadata.PackageNotFoundError:
        pass
    else:
        raise EnvironmentProblemError(
            f"AWS's {LIBRARY} is installed in the environment of Formwork, over the same files as Formwork's own",
            hint=f"pip uninstall {LIBRARY}, then install formwork-cfn-runtime again; or package with --aws-runtime",
        )
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EnvironmentProblemError(
            "Formwork's handler library is not installed", hint="pip install formwork-cfn-runtime"
        )
    return Path(spec.submodule_search_locations[0])
