"""What is secret in a project's traffic: writeOnly properties (a hook has its targets') and parts of configurations."""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import BadInputError, PointerError, parse_pointer
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.invoke.masking import Masker
from formwork.project import Project
from formwork.project.targets import hook_targets
from formwork.schema.configuration_secrets import configuration_secrets
from formwork.schema.public_values import public_values

Path = tuple[str, ...]


def project_masker(project: Project, *, target: str | None = None) -> Masker:
    """Return the masker of a project's traffic; for a hook, of calls for `target` or for all known targets.

    Schemas with errors are used as far as possible: it is better to mask too much than too little.
    """
    try:
        schema = load_document(project.schema_path).value
    except BadInputError:
        schema = {}
    models = [schema]
    if project.kind is ExtensionKind.HOOK:
        found = hook_targets(project, _target_names(schema) if target is None else [target]).targets
        models = [each.schema for name, each in found.items() if target in (None, name)]
    return Masker(
        tuple(dict.fromkeys(path for each in models for path in _paths(each))),
        public=frozenset().union(*map(public_values, models)),
        configured=configuration_secrets(schema),
    )


def _target_names(schema: Any) -> set[str]:
    """Return the targets that a hook's schema names, as far as it can be read."""
    try:
        return {name for each in schema["handlers"].values() for name in each["targetNames"]}
    except (KeyError, TypeError, AttributeError):
        return set()


def _paths(schema: Any) -> Iterator[Path]:
    """Yield the property paths of a schema's writeOnly properties, `*` for items."""
    pointers = schema.get("writeOnlyProperties") if isinstance(schema, dict) else None
    for pointer in pointers if isinstance(pointers, list) else ():
        try:
            tokens = parse_pointer(str(pointer))
        except PointerError:
            continue
        if path := tuple(_steps(tokens)):
            yield path


def _steps(tokens: Path) -> Iterator[str]:
    """`/properties/A/items/properties/B`, `/properties/A/*/B` and `/properties/A/B` with the names only."""
    structural = True  # whether the next token may be a keyword of the schema
    for token in tokens:
        if structural and token == "properties":  # noqa: S105 - a keyword, no password
            structural = False
        elif structural and token == "items":  # noqa: S105 - the same
            yield "*"
        else:
            yield token
            structural = True
