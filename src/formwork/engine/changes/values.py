"""Enumerations and records of change sets.

Source: the service's model (`ResourceChange`, `ResourceChangeDetail`, `ResourceTargetDefinition`).
"""

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct, field

from formwork.documents import Json
from formwork.stacks.store.drifts import FoundDrift
from formwork.template import Resource
from formwork.template.evaluation import Value
from formwork.template.expansion import ModuleInfo


class ChangeAction(StrEnum):
    """What happens to a resource."""

    ADD = "Add"
    MODIFY = "Modify"
    REMOVE = "Remove"
    IMPORT = "Import"
    SYNC = "SyncWithActual"  # the resource matches the template already; its drift status is reset


class Replacement(StrEnum):
    """Whether a resource is replaced."""

    TRUE = "True"
    FALSE = "False"
    CONDITIONAL = "Conditional"


class PolicyAction(StrEnum):
    """What happens to a physical resource that is no longer declared."""

    DELETE = "Delete"
    RETAIN = "Retain"
    SNAPSHOT = "Snapshot"
    REPLACE_AND_DELETE = "ReplaceAndDelete"
    REPLACE_AND_RETAIN = "ReplaceAndRetain"
    REPLACE_AND_SNAPSHOT = "ReplaceAndSnapshot"


class ChangeScope(StrEnum):
    """The part of a resource's declaration that changes."""

    PROPERTIES = "Properties"
    METADATA = "Metadata"
    CREATION_POLICY = "CreationPolicy"
    UPDATE_POLICY = "UpdatePolicy"
    DELETION_POLICY = "DeletionPolicy"
    UPDATE_REPLACE_POLICY = "UpdateReplacePolicy"
    TAGS = "Tags"


class EvaluationType(StrEnum):
    """Whether the new value is known before the change is made."""

    STATIC = "Static"
    DYNAMIC = "Dynamic"


class ChangeSource(StrEnum):
    """Why a value changes."""

    DIRECT = "DirectModification"
    PARAMETER = "ParameterReference"
    RESOURCE = "ResourceReference"
    ATTRIBUTE = "ResourceAttribute"
    AUTOMATIC = "Automatic"
    NONE = "NoModification"  # the template follows the actual state


class Recreation(StrEnum):
    """Whether the change of a value needs a new physical resource."""

    NEVER = "Never"
    CONDITIONALLY = "Conditionally"
    ALWAYS = "Always"


class AttributeChangeType(StrEnum):
    """What happens to a value."""

    ADD = "Add"
    REMOVE = "Remove"
    MODIFY = "Modify"
    SYNC = "SyncWithActual"


class BeforeValueFrom(StrEnum):
    """Where the value before a change comes from, in a change set that is aware of drift."""

    ACTUAL = "ACTUAL_STATE"
    PREVIOUS = "PREVIOUS_DEPLOYMENT_STATE"


class DriftIgnoredReason(StrEnum):
    """Why a change set ignores the drift of a property."""

    MANAGED = "MANAGED_BY_AWS"
    WRITE_ONLY = "WRITE_ONLY_PROPERTY"
    SENSITIVE = "SENSITIVE_PROPERTY"


class IgnoredAttribute(Struct, frozen=True):
    """A property whose drift is ignored; `path` is a pointer such as `/Properties/Name`."""

    path: str
    reason: DriftIgnoredReason


class LiveState(Struct, frozen=True):
    """The state that a resource's read handler returned, for a change set that is aware of drift.

    `actual` takes the desired properties and returns the actual ones; an actual value that equals the desired one by
    the type's schema is replaced by it.
    """

    found: FoundDrift
    ignored: tuple[IgnoredAttribute, ...]
    actual: Callable[[Mapping[str, Value]], Mapping[str, Value]]


class PropertyDrift(Struct, frozen=True):
    """The drift of one value: the deployed and the actual value as texts, and when it was read."""

    previous: str | None
    actual: str | None
    checked: float | None


class ChangeDetail(Struct, frozen=True):
    """One reason for a change.

    `name` is the top-level property, None unless `scope` is PROPERTIES. `path`, `change_type`, `before` and `after`
    are set if values were requested: `path` is a pointer such as `/Properties/Name`, the values are texts, JSON for
    lists and objects. `before_from` and `drift` are set if the change set is aware of drift.
    """

    scope: ChangeScope
    evaluation: EvaluationType
    source: ChangeSource
    recreation: Recreation
    name: str | None = None
    causing_entity: str | None = None
    path: str | None = None
    change_type: AttributeChangeType | None = None
    before: str | None = None
    after: str | None = None
    before_from: BeforeValueFrom | None = None
    drift: PropertyDrift | None = None


class ResourceChange(Struct, frozen=True):
    """The change of one resource; the contexts are its declaration before and after, None unless requested.

    `drift_status`, `ignored` and `previous_context`, its declaration when it was deployed, are set if the change
    set is aware of drift.
    """

    action: ChangeAction
    logical_id: str
    type: str
    physical_id: str | None = None
    replacement: Replacement | None = None
    policy_action: PolicyAction | None = None
    scope: tuple[ChangeScope, ...] = ()
    details: tuple[ChangeDetail, ...] = ()
    module: ModuleInfo | None = None
    before_context: Mapping[str, Json] | None = None
    after_context: Mapping[str, Json] | None = None
    drift_status: str | None = None
    ignored: tuple[IgnoredAttribute, ...] = ()
    previous_context: Mapping[str, Json] | None = None


class DeployedResource(Struct, frozen=True):
    """A resource of the deployed stack: its declaration, its deployed properties, and its current model.

    `properties` are those of its last deployment, evaluated. `attributes` is its model from the last read,
    from which `Fn::GetAtt` takes values.
    """

    declaration: Resource
    physical_id: str | None
    properties: Mapping[str, Value]
    attributes: Mapping[str, Json] = field(default_factory=dict)
    module: ModuleInfo | None = None


class TypeTraits(Struct, frozen=True):
    """The properties of a resource type that decide about changes.

    Paths are property paths with `*` for items; a type that is not `updatable` has no update handler, so that every
    change replaces it. One that is `automatic` is always updated with its stack: what it refers to may have
    changed.
    """

    create_only: tuple[tuple[str, ...], ...] = ()
    conditional_create_only: tuple[tuple[str, ...], ...] = ()
    updatable: bool = True
    taggable: bool = True
    automatic: bool = False
