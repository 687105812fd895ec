"""What an operation will change in a stack: the content of a change set."""

from formwork.engine.changes.compute import Changes, StackSide, compute_changes
from formwork.engine.changes.values import (
    Action,
    AttributeChangeType,
    ChangeDetail,
    ChangeSource,
    DeployedResource,
    Evaluation,
    PolicyAction,
    Recreation,
    Replacement,
    ResourceChange,
    Scope,
    TypeTraits,
)

__all__ = [
    "Action",
    "AttributeChangeType",
    "ChangeDetail",
    "ChangeSource",
    "Changes",
    "DeployedResource",
    "Evaluation",
    "PolicyAction",
    "Recreation",
    "Replacement",
    "ResourceChange",
    "Scope",
    "StackSide",
    "TypeTraits",
    "compute_changes",
]
