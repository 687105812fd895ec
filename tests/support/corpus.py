"""Where the real-world test data is, and what stands in it.

It is other people's data, read in place: `FORMWORK_FIXTURES` names the folder, by default `../shared/fixtures` beside
the repository. Where it is absent its tests are skipped with a reason, but never on CI.
"""

import functools
import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
FIXTURES = Path(os.environ.get("FORMWORK_FIXTURES") or REPOSITORY.parent / "shared" / "fixtures")

needs_fixtures = pytest.mark.skipif(
    not FIXTURES.is_dir() and not os.environ.get("CI"),
    reason=f"no test data at {FIXTURES}; set FORMWORK_FIXTURES to the folder that holds projects/, smithy/, aws-recorded/",
)


@dataclass(frozen=True)
class CorpusProject:
    """One project of fixtures/projects; `kind` is RESOURCE, HOOK or MODULE."""

    root: Path
    kind: str
    type_name: str
    language: str | None
    files: tuple[str, ...]

    @property
    def id(self):
        return f"{self.root.parent.name}/{self.root.name}"

    @property
    def schema_path(self):
        return self.root / (self.type_name.replace("::", "-").lower() + ".json")


@functools.cache
def corpus_projects(kind=None):
    """The projects of the corpus, of one kind or all; empty where the corpus is absent."""
    manifest = FIXTURES / "projects" / "MANIFEST.json"
    if not manifest.is_file():
        return ()
    rows = json.loads(manifest.read_text(encoding="utf-8"))
    projects = (
        CorpusProject(
            manifest.parent / row["repo"] / row["project"],
            row["type"],
            row["name"],
            row.get("lang"),
            tuple(row["files"]),
        )
        for row in rows
    )
    return tuple(each for each in projects if kind is None or each.kind == kind)
