"""What an open document is, by its place in a project, else by what it says."""

import re
from enum import StrEnum
from pathlib import Path

from formwork.documents.load import SUFFIXES
from formwork.extensions import ExtensionKind
from formwork.project.config import CONFIG_FILE
from formwork.project.fragment import FRAGMENTS_FOLDER
from formwork.project.inputs import INPUTS_FOLDER
from formwork.project.overrides import OVERRIDES_FILE
from formwork.project.project import Project, is_project
from formwork.project.targets import TARGET_INFO_FILE, TARGET_SCHEMAS_FOLDER

FUNCTION_TEMPLATES = ("template.yml", "template.yaml", "template.json")
EGRESS_NAMES = ("egress.yml", "egress.yaml")
_CONFIGURATION_NAMES = re.compile(r"type[-_]?configuration\.json", re.IGNORECASE)
_TEMPLATE_MARK = re.compile(r"^\s*[\"']?(?:AWSTemplateFormatVersion|Resources)[\"']?\s*:", re.MULTILINE)
_NAME_MARK = re.compile(r"[\"']?typeName[\"']?\s*:")
_SCHEMA_MARK = re.compile(
    r"[\"']?(?:primaryIdentifier|handlers|typeConfiguration|additionalProperties|properties)[\"']?\s*:"
)
_AST_MARK = re.compile(r"\"smithy\"\s*:\s*\"\d+(?:\.\d+)*\"")
# What documents other than schemas do not have; two of them make a schema of one that lacks its name.
_OWN_MARK = re.compile(r"[\"']?(primaryIdentifier|handlers|typeConfiguration|readOnlyProperties)[\"']?\s*:")


_LANGUAGES = frozenset({"json", "jsonc", "yaml", "cloudformation", ""})


class DocumentKind(StrEnum):
    """The kind of a document; the value is its name in messages."""

    SCHEMA = "schema"
    CONFIG = "project configuration"
    INPUTS = "inputs"
    OVERRIDES = "overrides"
    FUNCTIONS = "handlers' template"
    FRAGMENT = "module fragment"
    EGRESS = "egress rules"
    TYPE_CONFIGURATION = "type configuration"
    TARGETS = "target schemas"
    SMITHY = "Smithy model"
    TEMPLATE = "template"
    OTHER = "other"


_NAMED = {
    OVERRIDES_FILE: DocumentKind.OVERRIDES,
    TARGET_INFO_FILE: DocumentKind.TARGETS,
    **dict.fromkeys(FUNCTION_TEMPLATES, DocumentKind.FUNCTIONS),
    **dict.fromkeys(EGRESS_NAMES, DocumentKind.EGRESS),
}


def is_aws_type(name: str) -> bool:
    """Return whether a type is one of AWS's own."""
    return name.startswith(("AWS::", "Alexa::"))


def project_root(path: Path, *, within: tuple[Path, ...] = ()) -> Path | None:
    """Return the folder of the project that a file belongs to: the nearest one at or above it.

    `within` are the workspace's folders: above the one that has the file none is looked for.
    """
    for folder in path.parents:
        if is_project(folder):
            return folder
        if folder in within:
            return None
    return None


def kind_of(
    path: Path | None, text: str, *, language: str = "", root: Path | None, project: Project | None
) -> DocumentKind:
    """Return what a document is; `project` is the one in `root`, None where it can't be loaded."""
    if language == "smithy" or (path is not None and path.suffix == ".smithy"):
        return DocumentKind.SMITHY
    if path is not None and path.name == CONFIG_FILE:
        return DocumentKind.CONFIG
    own = _kind_in_project(path.relative_to(root), project) if path is not None and root is not None else None
    if own is not None:
        return own
    if path is not None and _CONFIGURATION_NAMES.fullmatch(path.name):
        return DocumentKind.TYPE_CONFIGURATION
    written = language in _LANGUAGES or (path is not None and path.suffix in SUFFIXES)
    return _kind_of_text(text) if written else DocumentKind.OTHER


def _kind_in_project(path: Path, project: Project | None) -> DocumentKind | None:
    folder = path.parts[0] if len(path.parts) > 1 else None
    if folder is not None:
        module = project is not None and project.kind is ExtensionKind.MODULE
        inputs = path.suffix == ".json" and len(path.parts) == 2
        known = {TARGET_SCHEMAS_FOLDER: DocumentKind.TARGETS}
        known |= {FRAGMENTS_FOLDER: DocumentKind.FRAGMENT} if module else {}
        known |= {INPUTS_FOLDER: DocumentKind.INPUTS} if inputs else {}
        return known.get(folder)
    if project is not None and path.stem == project.schema_path.stem and path.suffix in SUFFIXES:
        # A module's is generated.
        return DocumentKind.OTHER if project.kind is ExtensionKind.MODULE else DocumentKind.SCHEMA
    return _NAMED.get(path.name)


def _kind_of_text(text: str) -> DocumentKind:
    if _AST_MARK.search(text):
        return DocumentKind.SMITHY
    if _SCHEMA_MARK.search(text) if _NAME_MARK.search(text) else len(set(_OWN_MARK.findall(text))) > 1:
        return DocumentKind.SCHEMA
    return DocumentKind.TEMPLATE if _TEMPLATE_MARK.search(text) else DocumentKind.OTHER
