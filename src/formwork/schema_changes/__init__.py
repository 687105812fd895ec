"""What changes for users between two versions of a resource type's or hook's schema.

A breaking change is an error: a template, model or program that was fine with the old version may not be with the new.
A risky one is a warning: it may change behaviour. Everything else is an info.
"""

from formwork.schema_changes.compare import compare_hooks, compare_schemas

__all__ = ["compare_hooks", "compare_schemas"]
