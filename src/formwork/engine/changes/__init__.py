"""What an operation will change in a stack: the content of a change set.

The rules were derived from recorded answers of the service, which a test replays; where recordings differ, the newer
ones count. Expressions are evaluated in `template/evaluation/`, without the registry and handlers.
"""

from formwork.engine.changes.compute import Changes, StackSide, compute_changes
from formwork.engine.changes.values import (
    AttributeChangeType,
    ChangeAction,
    ChangeDetail,
    ChangeScope,
    ChangeSource,
    DeployedResource,
    DriftIgnoredReason,
    EvaluationType,
    IgnoredAttribute,
    LiveState,
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
    "DriftIgnoredReason",
    "EvaluationType",
    "IgnoredAttribute",
    "LiveState",
    "PolicyAction",
    "Recreation",
    "Replacement",
    "ResourceChange",
    "StackSide",
    "TypeTraits",
    "compute_changes",
]
