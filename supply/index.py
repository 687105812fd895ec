"""What the package index says about a release: asked with pip's own session, so with the user's configuration of pip.

No address of an index is written here: pip knows which one it uses. The modules of pip are not a public interface,
and pip is pinned in `constraints.txt`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version

from supply.pins import Pin


class IndexProblemError(Exception):
    """The index does not have what was asked for; the message says what."""


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A file of a release and its SHA-256 digest."""

    name: str
    sha256: str


class Index:
    """The configured package index."""

    def __init__(self, finder: Any, session: Any) -> None:
        """Both are pip's: see `open_index`."""
        self._finder = finder
        self._session = session

    def files(self, pin: Pin) -> tuple[ReleaseFile, ...]:
        """All wheels and source distributions of a release, by name.

        Raises:
            IndexProblemError: there are none, one of them has no SHA-256 digest, or the release was yanked.
        """
        links = {link.filename: link for link in self._links(pin.key) if _belongs(link.filename, pin)}
        if not links:
            raise IndexProblemError(f"the package index has no files of {pin.name} {pin.version}")
        for link in links.values():
            if link.yanked_reason is not None:
                raise IndexProblemError(
                    f"{link.filename} was yanked by its authors: {link.yanked_reason or 'no reason'}"
                )
            if not link.has_hash or link.hash_name != "sha256":
                raise IndexProblemError(f"the package index has no SHA-256 digest of {link.filename}")
        return tuple(ReleaseFile(name, links[name].hash) for name in sorted(links))

    def vulnerabilities(self, pin: Pin) -> tuple[dict[str, Any], ...] | None:
        """The advisories about a release that were not withdrawn; None where the index has nothing to say about it.

        The release's page has them. Some mirrors have the project's page alone, which is about its newest release.
        """
        for page in self._pages(pin.key):
            base = page.split("/simple/")[0]
            for path in (f"{pin.key}/{pin.version}", pin.key):
                response = self._session.get(f"{base}/pypi/{path}/json")
                answer = response.json() if response.ok else {}
                if "vulnerabilities" in answer and answer["info"]["version"] == pin.version:
                    return tuple(each for each in answer["vulnerabilities"] if not each.get("withdrawn"))
        return None

    def _pages(self, key: str) -> list[str]:
        found: list[str] = self._finder._link_collector.search_scope.get_index_urls_locations(key)  # noqa: SLF001
        return found

    def _links(self, key: str) -> Iterator[Any]:
        from pip._internal.index.collector import parse_links
        from pip._internal.models.link import Link

        for page in self._pages(key):
            response = self._finder._link_collector.fetch_response(Link(page))  # noqa: SLF001
            if response is not None:
                yield from parse_links(response)


@contextmanager
def open_index() -> Iterator[Index]:
    """The index that `pip install` would use here, in this environment and with these configuration files."""
    # Here, since tests import this module under other versions of Python's warnings than pip is written for.
    from pip._internal.commands.install import InstallCommand

    command = InstallCommand("install", "", isolated=False)
    options, _ = command.parse_args([])
    with command.main_context():
        session = command.get_default_session(options)
        yield Index(command._build_package_finder(options, session), session)  # noqa: SLF001


def _belongs(filename: str, pin: Pin) -> bool:
    try:
        if filename.endswith(".whl"):
            name, version, *_ = parse_wheel_filename(filename)
        else:
            name, version = parse_sdist_filename(filename)
    except (InvalidSdistFilename, InvalidWheelFilename):  # an egg, an installer, or a name that pip skips too
        return False
    return name == pin.key and version == Version(pin.version)
