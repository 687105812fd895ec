"""What an operation will change in a stack: the content of a change set."""

from formwork.engine.changes.compute import Changes, StackSide, compute_changes
from formwork.engine.changes.values import (
    AttributeChangeType,
    ChangeAction,
    ChangeDetail,
    ChangeScope,
    ChangeSource,
    DeployedResource,
    EvaluationType,
    PolicyAction,
    Recreation,
    Replacement,
    ResourceChange,
    TypeTraits,
)

__all__ = [
    "AttributeChangeType",
    "ChangeAction",
    "ChangeDetail",
    "ChangeScope",
    "ChangeSource",
    "Changes",
    "DeployedResource",
    "EvaluationType",
    "PolicyAction",
    "Recreation",
    "Replacement",
    "ResourceChange",
    "StackSide",
    "TypeTraits",
    "compute_changes",
]
