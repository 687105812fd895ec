"""Stored records of scans and of generated templates."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value

_PENDING = frozenset({"CREATE_PENDING", "UPDATE_PENDING", "CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS"})


class Scan(Struct, frozen=True, kw_only=True):
    """A resource scan; `filters` are the types that it is limited to, None for a full one.

    `types` are those that could be listed, `listed` and `read` count resources. `percentage` is its progress.
    """

    id: str
    scope: Scope
    started: float
    token: str | None = None
    filters: tuple[str, ...] | None = None
    status: str = "IN_PROGRESS"
    reason: str | None = None
    ended: float | None = None
    percentage: float = 0.0
    types: tuple[str, ...] = ()
    listed: int = 0
    read: int = 0

    @property
    def arn(self) -> str:
        """The scan's ARN, which the API calls its id."""
        return f"{_prefix(self.scope)}:resourceScan/{self.id}"


class ScannedResource(Struct, frozen=True, kw_only=True):
    """A resource of a scan: its identifier by property name, its model as the read handler gave it, its tags."""

    type: str
    identifier: Mapping[str, str]
    managed: bool
    model: Mapping[str, Any] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """A key that is unique among the resources of a scan."""
        return resource_key(self.type, self.identifier)


class PropertyWarning(Struct, frozen=True, kw_only=True):
    """A warning of one kind about properties: each with path, `required` and description."""

    kind: str
    properties: tuple[Mapping[str, Any], ...]


class TemplateResource(Struct, frozen=True, kw_only=True):
    """A resource in a generated template; `body` is its part of the template and `parameters` those that it needs.

    `model` is what the read handler gave, kept to find references between the resources.
    """

    type: str
    identifier: Mapping[str, str]
    logical_id: str
    status: str = "PENDING"
    reason: str | None = None
    warnings: tuple[PropertyWarning, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    model: Mapping[str, Any] = field(default_factory=dict)


class GeneratedTemplate(Struct, frozen=True, kw_only=True):
    """A generated template; `base` is the template of the stack that it began with, `body` the last complete one.

    `refresh` says that all resources are to be read again.
    """

    id: str
    scope: Scope
    name: str
    created: float
    updated: float
    status: str = "CREATE_PENDING"
    reason: str | None = None
    stack: str | None = None
    base: Mapping[str, Any] | None = None
    deletion_policy: str = "RETAIN"
    update_replace_policy: str = "RETAIN"
    resources: tuple[TemplateResource, ...] = ()
    body: Mapping[str, Any] | None = None
    revision: int = 0

    @property
    def arn(self) -> str:
        """The template's ARN, which the API calls its id."""
        return f"{_prefix(self.scope)}:generatedTemplate/{self.id}"

    @property
    def is_pending(self) -> bool:
        """Whether it is being made or changed."""
        return self.status in _PENDING

    def to_value(self) -> dict[str, Any]:
        """Return the JSON value that `template_from_value` reads."""
        value: dict[str, Any] = as_json_value(self)
        return value


def template_from_value(value: Mapping[str, Any]) -> GeneratedTemplate:
    """Return the template that `to_value` gave."""
    resources = tuple(
        TemplateResource(**{**each, "warnings": tuple(_warning(warning) for warning in each["warnings"])})
        for each in value["resources"]
    )
    return GeneratedTemplate(**{**value, "scope": Scope(**value["scope"]), "resources": resources})


def scan_from_value(value: Mapping[str, Any]) -> Scan:
    """Return the scan of which this is the JSON value."""
    filters = value["filters"]
    return Scan(
        **{
            **value,
            "scope": Scope(**value["scope"]),
            "filters": None if filters is None else tuple(filters),
            "types": tuple(value["types"]),
        }
    )


def resource_key(type_name: str, identifier: Mapping[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a hashable key of the resource: its type and identifier."""
    return type_name, tuple(sorted(identifier.items()))


def _warning(value: Mapping[str, Any]) -> PropertyWarning:
    return PropertyWarning(kind=value["kind"], properties=tuple(value["properties"]))


def _prefix(scope: Scope) -> str:
    return f"arn:{scope.partition}:cloudformation:{scope.region}:{scope.account}"
