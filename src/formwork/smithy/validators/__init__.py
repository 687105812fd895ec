"""Validators: each looks at one thing and yields events; VALIDATORS is all of them, with the event ids they give.

Those under CRITICAL come first, and the others run only where these found no error: what they would say about a model
with dangling targets helps nobody.
"""

from collections.abc import Mapping

from formwork.smithy.validators import (
    constraints,
    defaults,
    discouraged,
    enums,
    ids,
    linters,
    metadata,
    mixins,
    operations,
    recursion,
    references,
    resource_bindings,
    resources,
    services,
    targets,
    trait_conflicts,
    trait_targets,
    trait_values,
    unions,
)
from formwork.smithy.validators.context import Validator

CRITICAL: Mapping[Validator, tuple[str, ...]] = {
    targets.targets: ("Target",),
    targets.map_keys: ("Target",),
    resources.resource_cycles: ("ResourceCycle",),
}

VALIDATORS: Mapping[Validator, tuple[str, ...]] = {
    constraints.lengths: ("LengthTrait",),
    constraints.media_types: ("MediaType",),
    constraints.patterns: ("PatternTrait",),
    constraints.ranges: ("RangeTrait",),
    defaults.defaults: ("DefaultTrait",),
    defaults.defaults_in_updates: ("DefaultValueInUpdate",),
    discouraged.deprecated_shapes: ("DeprecatedShape",),
    discouraged.deprecated_traits: ("DeprecatedTrait",),
    discouraged.unstable_traits: ("UnstableTrait",),
    enums.enum_shapes: ("EnumShape",),
    enums.enum_traits: ("EnumNamesPresent", "EnumTrait"),
    ids.shape_id_conflicts: ("ShapeIdConflict",),
    linters.configured_validators: ("EmitEachSelector", "EmitNoneSelector", "UnreferencedShape"),
    metadata.shape_closures: ("ShapeClosure",),
    metadata.typed_metadata: ("MetadataTrait", "TypedMetadata"),
    mixins.private_mixin_members: ("PrivateMixinMember",),
    operations.input_output_misuse: ("OperationInputOutputMisuse",),
    operations.input_output_names: ("OperationInputOutputName",),
    operations.name_ambiguity: ("OperationNameAmbiguity",),
    recursion.recursion: ("ShapeRecursion",),
    references.misbound_operations: ("ServiceBoundResourceOperation",),
    references.missing_references: ("MemberShouldReferenceResource",),
    resource_bindings.identifier_binding: ("ResourceIdentifierBinding",),
    resource_bindings.operation_properties: ("ResourceOperationInputOutput",),
    resources.resource_identifiers: ("ResourceIdentifier",),
    resources.resource_lifecycles: ("ResourceLifecycle",),
    services.service_closures: ("Service",),
    services.single_bindings: ("SingleOperationBinding", "SingleResourceBinding"),
    targets.private_access: ("PrivateAccess",),
    trait_conflicts.exclusive_members: ("ExclusiveStructureMemberTrait",),
    trait_conflicts.trait_conflicts: ("TraitConflict",),
    trait_targets.trait_targets: ("TraitTarget",),
    trait_values.trait_values: ("TraitValue",),
    unions.unions: ("Union",),
    unions.unit_types: ("UnitType",),
}
