"""Resources of a template: one member of `Resources` to a `Resource`."""

from typing import Any

from formwork.template.checking import check_nulls, checked_expression
from formwork.template.expressions import Expression, Path, build_expression
from formwork.template.functions import TemplatePart
from formwork.template.policies import check_policy
from formwork.template.problems import Problems
from formwork.template.template import Resource

RESOURCE_ATTRIBUTES = frozenset(
    {
        "Type",
        "Properties",
        "DependsOn",
        "Condition",
        "Metadata",
        "DeletionPolicy",
        "UpdateReplacePolicy",
        "CreationPolicy",
        "UpdatePolicy",
    }
)
POLICIES = {
    "DeletionPolicy": ("Delete", "Retain", "RetainExceptOnCreate", "Snapshot"),
    "UpdateReplacePolicy": ("Delete", "Retain", "Snapshot"),
}
# Source: CloudFormation template reference, "DeletionPolicy attribute".
SNAPSHOT_TYPES = frozenset(
    {
        "AWS::DocDB::DBCluster",
        "AWS::EC2::Volume",
        "AWS::ElastiCache::CacheCluster",
        "AWS::ElastiCache::ReplicationGroup",
        "AWS::Neptune::DBCluster",
        "AWS::RDS::DBCluster",
        "AWS::RDS::DBInstance",
        "AWS::Redshift::Cluster",
    }
)


def read_resource(  # noqa: PLR0913 - what a resource is read with, each of its own kind
    name: str, entry: Any, path: Path, problems: Problems, *, loose: bool, extended: bool
) -> Resource | None:
    """Return the resource at `path`, or None where it has no usable type; problems are reported.

    With `loose` a macro may turn unknown attributes into known ones; with `extended` AWS::LanguageExtensions allows
    policies to be computed.
    """
    if not isinstance(entry, dict):
        problems.error(
            "template.resource",
            "Template format error: Any Resources member must be an object.",
            path,
            key=True,
            hint=f'"{name}" stands beside the resources; an attribute belongs inside its resource',
        )
        return None
    kind = entry.get("Type")
    if not isinstance(kind, str) or not kind:
        problems.error(
            "template.resource",
            f"Template format error: [/Resources/{name}] Every Resources object must contain a Type member.",
            path,
            key=True,
        )
        return None
    for attribute, given in entry.items():
        if given is None:
            check_nulls(given, (*path, attribute), problems)
        if attribute not in RESOURCE_ATTRIBUTES and not loose:
            problems.error(
                "template.resource-attribute",
                f"Invalid template resource property '{attribute}'",
                (*path, attribute),
                key=True,
                expected="one of " + ", ".join(sorted(RESOURCE_ATTRIBUTES)),
            )

    for attribute in ("CreationPolicy", "UpdatePolicy"):
        if entry.get(attribute) is not None:
            check_policy(attribute, entry[attribute], (*path, attribute), problems)

    def policy(attribute: str) -> Expression | None:
        if attribute not in entry:
            return None
        # The service evaluates an UpdateReplacePolicy without the transform, as recorded; a DeletionPolicy it refuses.
        computed = extended or loose or attribute == "UpdateReplacePolicy"
        return _policy(kind, entry[attribute], (*path, attribute), POLICIES[attribute], problems, computed=computed)

    return Resource(
        name,
        kind,
        path,
        properties=_properties(entry, path, problems),
        depends_on=_depends_on(entry, path, problems),
        condition=read_condition_name(entry, path, problems),
        metadata=_attribute(entry, path, "Metadata", problems),
        deletion_policy=policy("DeletionPolicy"),
        update_replace_policy=policy("UpdateReplacePolicy"),
        creation_policy=_attribute(entry, path, "CreationPolicy", problems),
        update_policy=_attribute(entry, path, "UpdatePolicy", problems),
    )


def _properties(entry: dict[str, Any], path: Path, problems: Problems) -> Expression | None:
    properties = entry.get("Properties")
    if properties is not None and not isinstance(properties, dict):
        problems.error(
            "template.resource", "Template format error: Properties must be an object.", (*path, "Properties")
        )
        return None
    return _attribute(entry, path, "Properties", problems)


def _depends_on(entry: dict[str, Any], path: Path, problems: Problems) -> tuple[str, ...]:
    given = entry.get("DependsOn", [])
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        problems.error(
            "template.depends-on",
            "Template format error: DependsOn must be a string or list of strings.",
            (*path, "DependsOn"),
        )
        return ()
    return tuple(names)


def read_condition_name(entry: dict[str, Any], path: Path, problems: Problems) -> str | None:
    """Return the name in a resource's or output's `Condition`; None where there is none, or no name."""
    name = entry.get("Condition")
    if name is not None and not isinstance(name, str):
        problems.error(
            "template.condition-name",
            "Template format error: Condition must be the name of a condition.",
            (*path, "Condition"),
            expected="a string",
        )
        return None
    return name


def _policy(  # noqa: PLR0913 - what a policy is read with, each of its own kind
    kind: str, value: Any, at: Path, allowed: tuple[str, ...], problems: Problems, *, computed: bool
) -> Expression:
    attribute = at[-1]
    if not isinstance(value, str):
        if not computed or not isinstance(value, dict):
            problems.error(
                "template.computed-policy",
                f"Template format error: Every {attribute} member must be a string.",
                at,
                expected="one of " + ", ".join(allowed),
                hint="add the transform AWS::LanguageExtensions: it allows Ref, Fn::FindInMap and Fn::If there",
            )
    elif value not in allowed:
        problems.error(
            "template.policy",
            f'Template error: "{value}" is not a {attribute}',
            at,
            expected="one of " + ", ".join(allowed),
        )
    elif value == "Snapshot" and kind not in SNAPSHOT_TYPES and not kind.endswith("::MODULE"):
        words = "deletion policy" if attribute == "DeletionPolicy" else "update replace policy"
        problems.error(
            "template.policy",
            f"Template error: resource type {kind} does not support {words} Snapshot",
            at,
            expected="Delete or Retain",
        )
    return build_expression(value, at)


def _attribute(entry: dict[str, Any], path: Path, name: str, problems: Problems) -> Expression | None:
    if entry.get(name) is None:
        return None
    if name == "Metadata":  # anything may stand there
        return build_expression(entry[name], (*path, name))
    return checked_expression(entry[name], (*path, name), TemplatePart.RESOURCES, problems)
