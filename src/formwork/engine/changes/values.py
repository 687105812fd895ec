"""The words and values of a change set.

Source: the service's model (`ResourceChange`, `ResourceChangeDetail`, `ResourceTargetDefinition`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from formwork.documents import Json
from formwork.template import Resource
from formwork.template.evaluation import Value
from formwork.template.expansion import ModuleInfo


class ChangeAction(StrEnum):
    """What happens to a resource."""

    ADD = "Add"
    MODIFY = "Modify"
    REMOVE = "Remove"
    IMPORT = "Import"


class Replacement(StrEnum):
    """Whether a resource is replaced."""

    TRUE = "True"
    FALSE = "False"
    CONDITIONAL = "Conditional"


class PolicyAction(StrEnum):
    """What happens to the physical resource that is no longer declared."""

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
    """Whether the new value is certain before the change is made."""

    STATIC = "Static"
    DYNAMIC = "Dynamic"


class ChangeSource(StrEnum):
    """Why a value changes."""

    DIRECT = "DirectModification"
    PARAMETER = "ParameterReference"
    RESOURCE = "ResourceReference"
    ATTRIBUTE = "ResourceAttribute"
    AUTOMATIC = "Automatic"


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


@dataclass(frozen=True, slots=True)
class ChangeDetail:
    """One reason for a change.

    `name` is the top-level property, None unless `scope` is PROPERTIES. `path`, `change_type`, `before` and `after`
    are there where values were asked for: `path` is a pointer such as `/Properties/Name`, the values are texts, JSON
    where they are no scalars.
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


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """What happens to one resource; the contexts are its declaration before and after, None unless asked for."""

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


@dataclass(frozen=True, slots=True)
class DeployedResource:
    """A resource of the deployed stack: its declaration, what it was deployed with, and what it is.

    `properties` are those of its last deployment, evaluated. `attributes` is its model as read gave it last, in which
    `Fn::GetAtt` looks.
    """

    declaration: Resource
    physical_id: str | None
    properties: Mapping[str, Value]
    attributes: Mapping[str, Json] = field(default_factory=dict)
    module: ModuleInfo | None = None


@dataclass(frozen=True, slots=True)
class TypeTraits:
    """What a change set needs to know of a resource type.

    Paths are property paths with `*` for items; a type that is not `updatable` has no update handler, so that every
    change replaces it. One that is `automatic` is updated with its stack whatever the template says: what it refers to
    may have changed.
    """

    create_only: tuple[tuple[str, ...], ...] = ()
    conditional_create_only: tuple[tuple[str, ...], ...] = ()
    updatable: bool = True
    taggable: bool = True
    automatic: bool = False
