"""What installed distributions say of the toolkit's handler library, which stands in for AWS's.

Its version contains that of AWS's library that it replaces, so that requirements with version ranges are met. Handlers
ask for it, too: with `importlib.metadata` and `pkg_resources`, for the User-Agent of their vendor's API.
"""

from pathlib import Path

from formwork.handler_libraries import LIBRARY_MODULE
from formwork.languages.python.requirements import AWS_LIBRARY
from formwork.toolchain.cache import build_once

STANDS_IN_FOR = "2.1.20"


def library_version() -> str:
    """Return the version of the library, such as `2.1.20+formwork.0.1.0`."""
    from formwork import __version__  # noqa: PLC0415 - only to name it

    return f"{STANDS_IN_FOR}+formwork.{__version__}"


def library_metadata(version: str) -> str:
    """Return the file METADATA of the library in this version, under the name of AWS's distribution."""
    return (
        f"Metadata-Version: 2.1\nName: {AWS_LIBRARY}\nVersion: {version}\nRequires-Python: >=3.9\nLicense: Apache-2.0\n"
    )


def metadata_folder(version: str) -> str:
    """Return the name of the folder of METADATA beside the library."""
    return f"{LIBRARY_MODULE}-{version}.dist-info"


def installed_metadata(cache: Path) -> Path:
    """Return a folder, below `cache`, to import from: it has the library's metadata alone.

    Raises:
        EnvironmentProblemError: the cache's folder can't be used.
    """
    version = library_version()

    def write(folder: Path) -> None:
        made = folder / metadata_folder(version)
        made.mkdir()
        (made / "METADATA").write_text(library_metadata(version), encoding="utf-8")

    return build_once(cache / "library-metadata" / version, write)
