"""Evaluating templates: the values of expressions, as far as they are known before resources exist."""

from formwork.template.evaluation.environment import (
    Environment,
    EvaluationError,
    NoResources,
    NoStacks,
    OtherStacks,
    ResourceValues,
    StackOutput,
    UnknownStacks,
)
from formwork.template.evaluation.evaluator import Evaluator
from formwork.template.evaluation.values import ABSENT, UNKNOWN, Value, has_unknown, replace_unknown

__all__ = [
    "ABSENT",
    "UNKNOWN",
    "Environment",
    "EvaluationError",
    "Evaluator",
    "NoResources",
    "NoStacks",
    "OtherStacks",
    "ResourceValues",
    "StackOutput",
    "UnknownStacks",
    "Value",
    "has_unknown",
    "replace_unknown",
]
