"""The template fragment of a module project: the one file in `fragments/`."""

from pathlib import Path

from formwork.diagnostics import BadInputError, Location
from formwork.documents import Document, DocumentFormat, load_document
from formwork.project.project import Project

FRAGMENTS_FOLDER = "fragments"
_SUFFIXES = frozenset({".json", ".yaml", ".yml", ".template"})


def find_fragment(project: Project) -> Path:
    """Return the fragment's path.

    Raises:
        BadInputError: there is none, or more than one.
    """
    folder = project.root / FRAGMENTS_FOLDER
    found = sorted(each for each in folder.rglob("*") if each.suffix.lower() in _SUFFIXES and each.is_file())
    if len(found) == 1:
        return found[0]
    names = ", ".join(str(each.relative_to(folder)) for each in found)
    raise BadInputError.of(
        "project.fragment-count",
        f"the folder has {len(found)} template fragments: {names}" if found else "the folder has no template fragment",
        location=Location(str(folder)),
        expected=f"exactly one file that ends in {', '.join(sorted(_SUFFIXES))}",
    )


def load_fragment(project: Project) -> Document:
    """Return the fragment, CloudFormation's short tags read.

    Raises:
        BadInputError: there is not exactly one, or it cannot be parsed.
    """
    path = find_fragment(project)
    written = None if path.suffix.lower() == ".json" else DocumentFormat.YAML
    return load_document(path, format=written, short_tags=True)
