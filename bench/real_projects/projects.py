"""Which projects there are: `projects.txt`, and where they are in a folder of checkouts."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

LIST = Path(__file__).with_name("projects.txt")


@dataclass(frozen=True)
class RealProject:
    """A project of a public repository; `path` is "." for one at the repository's root."""

    repository: str
    commit: str
    path: str
    checkout: Path

    @property
    def id(self) -> str:
        """`owner/name`, and the path in it."""
        return self.repository if self.path == "." else f"{self.repository}/{self.path}"

    @property
    def owner(self) -> str:
        return self.repository.partition("/")[0]

    @property
    def key(self) -> str:
        """A name for files."""
        return self.id.replace("/", "+")

    @property
    def root(self) -> Path:
        return self.checkout / self.path

    @cached_property
    def config(self) -> dict[str, Any]:
        return json.loads((self.root / ".rpdk-config").read_text(encoding="utf-8"))

    @property
    def kind(self) -> str:
        return self.config.get("artifact_type") or "RESOURCE"

    @property
    def language(self) -> str:
        """python, java, go or typescript; "" for a module."""
        return (self.config.get("language") or "").rstrip("0123456789.")

    @property
    def type_name(self) -> str:
        return self.config["typeName"]

    @property
    def schema(self) -> dict[str, Any]:
        """Its schema, {} where there is none that is JSON."""
        path = self.root / (self.type_name.replace("::", "-").lower() + ".json")
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):  # what is wrong with it is for `cfn validate` to say
            return {}


def listed_projects(folder: Path, text: str | None = None) -> list[RealProject]:
    """The projects of `projects.txt` whose checkouts are in `folder`."""
    found = []
    for line in (LIST.read_text(encoding="utf-8") if text is None else text).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        repository, commit, path = line.split()
        project = RealProject(repository, commit, path, folder / repository.replace("/", "+"))
        if (project.root / ".rpdk-config").is_file():
            found.append(project)
    return found
