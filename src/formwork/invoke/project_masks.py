"""Which properties of a project's models are secret: its schema's writeOnly ones, of a hook those of its targets."""

from collections.abc import Iterator
from typing import Any

from formwork.diagnostics import BadInputError, PointerError, parse_pointer
from formwork.documents import load_document
from formwork.project import ExtensionKind, Project
from formwork.project.targets import hook_targets

Path = tuple[str, ...]


def write_only_paths(project: Project, *, target: str | None = None) -> tuple[Path, ...]:
    """The property paths of secrets, `*` for items; of a hook those of `target`, or of all the targets it knows.

    Schemas with errors are read too, as far as they can be: what may be secret is better masked than shown.
    """
    if project.kind is ExtensionKind.HOOK:
        found = hook_targets(project, _target_names(project) if target is None else [target]).targets
        chosen = found.values() if target is None else [found[target]] if target in found else []
        return tuple(dict.fromkeys(path for each in chosen for path in paths_of_secrets(each.schema)))
    try:
        return paths_of_secrets(load_document(project.schema_path).value)
    except BadInputError:
        return ()


def _target_names(project: Project) -> set[str]:
    """The targets that the hook's schema names, as far as it can be read."""
    try:
        handlers = load_document(project.schema_path).value["handlers"].values()
        return {name for each in handlers for name in each["targetNames"]}
    except (BadInputError, KeyError, TypeError, AttributeError):
        return set()


def paths_of_secrets(schema: Any) -> tuple[Path, ...]:
    """The property paths of a schema's writeOnly properties."""
    return tuple(_paths(schema))


def _paths(schema: Any) -> Iterator[Path]:
    pointers = schema.get("writeOnlyProperties") if isinstance(schema, dict) else None
    for pointer in pointers if isinstance(pointers, list) else ():
        try:
            tokens = parse_pointer(str(pointer))
        except PointerError:
            continue
        if path := tuple(_steps(tokens)):
            yield path


def _steps(tokens: Path) -> Iterator[str]:
    """`/properties/A/items/properties/B`, `/properties/A/*/B` and `/properties/A/B` without what is no name."""
    structural = True  # whether the next token may be a keyword of the schema
    for token in tokens:
        if structural and token == "properties":  # noqa: S105 - a keyword, no password
            structural = False
        elif structural and token == "items":  # noqa: S105 - the same
            yield "*"
        else:
            yield token
            structural = True
