"""Stack refactors: resources that move between stacks, or get other logical ids, and stay the same resources."""

from formwork.stack_refactors.records import StackRefactor
from formwork.stack_refactors.service import NewStackRefactor, StackRefactors

__all__ = ["NewStackRefactor", "StackRefactor", "StackRefactors"]
