"""A cache of resolved dependencies by their input, so that packaging again needs neither pip nor the network."""

import hashlib
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from formwork.documents.copied import as_json_value
from formwork.languages.python.packaging.target import Target
from formwork.languages.python.requirements import RequirementLine
from formwork.package.archive import ArchiveMember, read_archive, write_archive
from formwork.package.provider import LeftOut

# Increase it when `slim` selects other files.
_FORMAT = 2
_REPORT = "formwork-left-out.json"


class DependencyCache:
    """A folder of archives named by the hash of requirements, target and pip's settings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path_for(
        self, lines: Sequence[RequirementLine], target: Target, environment: Mapping[str, str], library: str
    ) -> Path | None:
        """Return the file for the dependencies of `lines`; None if they depend on more than the text of the lines."""
        if not all(each.portable for each in lines):
            return None
        settings = {key: value for key, value in sorted(environment.items()) if key.startswith("PIP_")}
        words = [_FORMAT, [each.text for each in lines], target.python, target.architecture, settings, library]
        return self._folder / f"{hashlib.sha256(json.dumps(words).encode()).hexdigest()[:32]}.zip"

    def load(self, path: Path) -> tuple[list[ArchiveMember], list[LeftOut]] | None:
        """Return the stored dependencies; None if there are none, or if the file is damaged."""
        try:
            members = read_archive(path)
        except (OSError, EOFError, ValueError, RuntimeError, struct.error, zlib.error, zipfile.BadZipFile):
            return None
        reports = [each for each in members if each.name == _REPORT]
        if len(reports) != 1:
            return None
        left_out = [LeftOut(**row) for row in json.loads(reports[0].read())]
        return [each for each in members if each.name != _REPORT], left_out

    def store(self, path: Path, members: Sequence[ArchiveMember], left_out: Sequence[LeftOut]) -> None:
        """Store dependencies."""
        report = ArchiveMember(_REPORT, json.dumps([as_json_value(each) for each in left_out]).encode())
        write_archive([*members, report], path, compress=True)
