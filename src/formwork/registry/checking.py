"""Judging an unpacked package: its config, its schema by our rules, its fragment; and what follows from the schema."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from formwork.diagnostics import BadInputError, Diagnostic, FormworkError, Location, Severity
from formwork.documents import Document, DocumentFormat, load_document
from formwork.documents.remote import RemoteDocuments
from formwork.extensions import ExtensionKind
from formwork.project import load_project
from formwork.project.config import CONFIG_FILE, ProjectConfig, parse_config
from formwork.project.module import load_module
from formwork.registry.packages import Package
from formwork.registry.references import PackageReferences
from formwork.registry.rules import is_tested_at_registration
from formwork.schema import validate_schema
from formwork.schema.references import inline_references, list_external

_RESERVED = "schema.reserved-organization"


class Facts(Struct, frozen=True, kw_only=True):
    """The values of a package that are stored with its version; `schema` is the document's text."""

    schema: str
    description: str | None
    provisioning: str | None
    source_url: str | None
    documentation_url: str | None

    def as_json(self) -> dict[str, Any]:
        """For a checkpoint."""
        return asdict(self)


class CheckedPackage(Struct, frozen=True):
    """A package that may be registered as far as its files tell; `config` says how its handlers are called."""

    facts: Facts
    config: ProjectConfig
    has_handlers: bool


def check_package(
    package: Package, kind: ExtensionKind, type_name: str, *, remote: RemoteDocuments | None = None
) -> CheckedPackage:
    """Check that the package has this kind and type name, and that its files have no errors.

    `remote` says how documents on other machines are had that the schema refers to.

    Raises:
        BadInputError: with everything that is wrong.
    """
    problems: list[Diagnostic] = []
    references = PackageReferences(package.files, remote)
    config = _load(problems, lambda: _config(package, kind, type_name, problems))
    document = _load(problems, lambda: _schema_document(package))
    if document is not None:
        problems += _schema_problems(document, references, kind, type_name)
    if kind is ExtensionKind.MODULE and config is not None and document is not None:
        _load(problems, lambda: _check_fragment(package, type_name, problems))
    errors = [each for each in problems if each.severity is Severity.ERROR]
    if errors or config is None or document is None:
        raise BadInputError(errors)
    value = _whole(document, references)
    return CheckedPackage(_facts(value, document, kind), config, has_handlers=bool(value.get("handlers")))


def _load(problems: list[Diagnostic], load: Any) -> Any:
    """Return the result of `load`; if it fails, add its diagnostics to `problems` and return None."""
    try:
        return load()
    except FormworkError as error:
        problems += error.diagnostics
        return None


def _config(package: Package, kind: ExtensionKind, type_name: str, problems: list[Diagnostic]) -> ProjectConfig:
    document = load_document(package.files / CONFIG_FILE, name=CONFIG_FILE, format=DocumentFormat.JSON)
    config, _warnings = parse_config(document, registered=type_name)
    if config.kind is not kind:
        text = f"the package contains a {config.kind}, but is registered as a {kind}"
        problems.append(_error("package.kind", text, document.locate(("artifact_type",)), str(kind)))
    if config.type_name != type_name:
        text = f'the package contains "{config.type_name}", but is registered as "{type_name}"'
        problems.append(_error("package.type-name", text, document.locate(("typeName",)), type_name))
    return config


def _schema_document(package: Package) -> Document:
    return load_document(package.files / "schema.json", name="schema.json", format=DocumentFormat.JSON)


def _schema_problems(
    document: Document, references: PackageReferences, kind: ExtensionKind, type_name: str
) -> list[Diagnostic]:
    found = validate_schema(document, kind=kind, references=references)
    if is_tested_at_registration(type_name):  # the guide: registered all the same, under contract tests
        found = [each for each in found if each.code != _RESERVED]
    named = document.value.get("typeName") if isinstance(document.value, dict) else None
    if isinstance(named, str) and named != type_name:
        text = f'the schema describes "{named}", but is registered as "{type_name}"'
        found.append(_error("package.type-name", text, document.locate(("typeName",)), type_name))
    return found


def _check_fragment(package: Package, type_name: str, problems: list[Diagnostic]) -> None:
    problems += load_module(load_project(package.files, registered=type_name)).diagnostics


def _whole(document: Document, references: PackageReferences) -> Mapping[str, Any]:
    """Return the schema with the documents that it refers to beside it, so that it stands alone."""
    value: Mapping[str, Any] = document.value
    if not list_external(value):
        return value
    return inline_references(value, references)


def _facts(value: Mapping[str, Any], document: Document, kind: ExtensionKind) -> Facts:
    text = document.text if value is document.value else json.dumps(value)
    return Facts(
        schema=text,
        description=_text(value, "description"),
        provisioning=provisioning_type(value) if kind is ExtensionKind.RESOURCE else None,
        source_url=_text(value, "sourceUrl"),
        documentation_url=_text(value, "documentationUrl"),
    )


def provisioning_type(schema: Mapping[str, Any]) -> str:
    """Return how CloudFormation provisions a resource type, by the handlers in its schema."""
    handlers = schema.get("handlers")
    named = set(handlers) if isinstance(handlers, dict) else set()
    if not {"create", "read", "delete"} <= named:
        return "NON_PROVISIONABLE"
    return "FULLY_MUTABLE" if "update" in named else "IMMUTABLE"


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def _error(code: str, message: str, location: Location, expected: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, location, expected)
