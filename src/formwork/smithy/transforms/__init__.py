"""Model transforms: a model to another one, by the names that smithy-build.json knows them under."""

from collections.abc import Callable, Mapping
from typing import Any

from formwork.diagnostics import BadInputError
from formwork.smithy.model import Model
from formwork.smithy.transforms import filters, metadata, mixins, rename, types

Transform = Callable[[Model, Mapping[str, Any]], Model]

TRANSFORMS: Mapping[str, Transform] = {
    "changeStringEnumsToEnumShapes": types.string_enums_to_enums,
    "changeTypes": types.change_types,
    "excludeMetadata": metadata.exclude_metadata,
    "excludeShapesBySelector": filters.exclude_shapes_by_selector,
    "excludeShapesByTag": filters.exclude_shapes_by_tag,
    "excludeShapesByTrait": filters.exclude_shapes_by_trait,
    "excludeTraits": filters.exclude_traits,
    "flattenAndRemoveMixins": mixins.flatten,
    "flattenNamespaces": rename.flatten_namespaces,
    "includeMetadata": metadata.include_metadata,
    "includeNamespaces": filters.include_namespaces,
    "includeServices": filters.include_services,
    "includeShapesBySelector": filters.include_shapes_by_selector,
    "includeShapesByTag": filters.include_shapes_by_tag,
    "includeTraits": filters.include_traits,
    "removeDeprecatedShapes": filters.remove_deprecated_shapes,
    "removeTraitDefinitions": filters.remove_trait_definitions,
    "removeUnusedShapes": filters.remove_unused_shapes,
    "renameShapes": rename.rename_shapes,
}

# Older names, and what says nothing about shapes.
ALIASES = {
    "excludeByTag": "excludeShapesByTag",
    "includeByTag": "includeShapesByTag",
    "removeTraitShapes": "removeTraitDefinitions",
    "treeShaker": "removeUnusedShapes",
}
WITHOUT_EFFECT = frozenset(("filterSuppressions",))


def transform(model: Model, name: str, arguments: Mapping[str, Any]) -> Model:
    """Return the model after one transform.

    Raises:
        BadInputError: the transform is not found.
    """
    if name in WITHOUT_EFFECT:
        return model
    name = ALIASES.get(name, name)
    if name not in TRANSFORMS:
        known = ", ".join(TRANSFORMS)
        message = f'the transform "{name}" is not supported'
        raise BadInputError.of("smithy.unknown-transform", message, hint=f"supported are {known}")
    return TRANSFORMS[name](model, arguments)
