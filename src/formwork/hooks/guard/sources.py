"""Where Guard hooks read rules and input parameters: in the object store, and in folders of this machine.

A folder that `cfn serve --rules BUCKET=DIR` names takes the place of the bucket for these reads: a hook has the
configuration that AWS takes, and what was saved last is used. No client can name another folder.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from formwork.hooks.guard.objects import MAX_BYTES, MAX_MEMBERS, merge, parameters_in, rules_in
from formwork.hooks.guard.rules import GuardRulesError, RuleFile
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import parse_object_url

_ARCHIVES = (".zip", ".tar.gz")


class _Location(Struct, frozen=True):
    """An object that a member of a configuration names."""

    member: str
    url: str
    bucket: str
    key: str
    version: str | None


class RuleSource(Struct, frozen=True):
    """Reads for hooks of `account`; `folders` are those of this machine by the bucket that they take the place of."""

    objects: ObjectStore
    account: str
    folders: Mapping[str, Path] = field(default_factory=dict)

    def read_rules(self, given: Any) -> list[RuleFile]:
        """Return the rule files at a `ruleLocation`, by name.

        Raises:
            GuardRulesError: the object is missing, too large, not readable, or has no rules.
        """
        location = _location(given, "ruleLocation")
        name = location.key.rpartition("/")[2]
        unpacked = self._unpacked(location)
        if unpacked is None:
            return rules_in(name, self._read(location))
        contents = {name: _read_file(location, path) for name, path in unpacked.items()}
        if sum(map(len, contents.values())) > MAX_BYTES:
            raise _unreadable(location, f"its folder has more than {MAX_BYTES:,} bytes of rules")
        if not contents:
            raise GuardRulesError(f"{name} has no file of the extension .guard")
        return [rule for member, content in contents.items() for rule in rules_in(member, content)]

    def read_parameters(self, given: Any) -> dict[str, Any]:
        """Return the members of all files of input parameters.

        Raises:
            GuardRulesError: one is missing or not a map, or two have the same member.
        """
        found: dict[str, Any] = {}
        for each in given if isinstance(given, list) else [given]:
            location = _location(each, "inputParams")
            merge(found, parameters_in(location.key, self._read(location)), location.key)
        return found

    def _read(self, location: _Location) -> bytes:
        if location.bucket in self.folders:
            return _read_file(location, self._path(location, location.key))
        try:
            bucket = self.objects.expect_bucket(location.bucket, account=self.account)
            return self.objects.read(bucket, location.key, limit=MAX_BYTES, version=location.version)
        except S3Error as error:
            raise _unreadable(location, f"{error.code}: {error.message}") from error

    def _unpacked(self, location: _Location) -> Mapping[str, Path] | None:
        """Return the rule files of the folder from which an archive would be made; None if the archive exists."""
        ending = next((each for each in _ARCHIVES if location.key.endswith(each)), None)
        if location.bucket not in self.folders or ending is None or self._path(location, location.key).exists():
            return None
        key = location.key.removesuffix(ending)
        folder = self._path(location, key)
        if not folder.is_dir():
            return None
        names = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*.guard"))
        shown = [each for each in names if not any(part.startswith(".") for part in each.split("/"))]
        if len(shown) > MAX_MEMBERS:
            raise _unreadable(location, f"its folder has more than {MAX_MEMBERS:,} rule files")
        return {each: self._path(location, f"{key}/{each}") for each in shown}

    def _path(self, location: _Location, key: str) -> Path:
        """Return the file of an object, without links.

        Raises:
            GuardRulesError: it would be hidden or outside of the folder, or the configuration wants a version.
        """
        if location.version is not None:
            raise _unreadable(location, "files of a folder (--rules) have no versions")
        parts = key.split("/")
        if not all(parts) or any(each.startswith(".") or "\\" in each or "\0" in each for each in parts):
            raise _unreadable(location, "it is not the name of a file in a folder")
        folder = self.folders[location.bucket].resolve()
        path = folder.joinpath(*parts).resolve()
        if not path.is_relative_to(folder):
            raise _unreadable(location, "it is outside of the bucket's folder")
        return path


def _location(given: Any, member: str) -> _Location:
    url, version = (given.get("uri"), given.get("versionId")) if isinstance(given, Mapping) else (given, None)
    place = parse_object_url(url) if isinstance(url, str) else None
    if place is None:
        raise GuardRulesError(f"{member}: {url!r} is not the URI of an S3 object, s3://BUCKET/KEY")
    return _Location(member, str(url), *place, version or None)


def _read_file(location: _Location, path: Path) -> bytes:
    if not path.is_file():
        raise _unreadable(location, "the bucket's folder (--rules) has no such file")
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(location, str(error.strerror)) from error
    if len(content) > MAX_BYTES:
        raise _unreadable(location, f"it has more than {MAX_BYTES:,} bytes")
    return content


def _unreadable(location: _Location, why: str) -> GuardRulesError:
    version = "" if location.version is None else f", version {location.version},"
    return GuardRulesError(f"{location.member}: {location.url}{version} can't be read: {why}")
