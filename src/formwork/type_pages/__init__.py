"""Pages about resource types, hooks and modules for those who use them, as HTML and as Markdown."""

from formwork.type_pages.describe import DescribedType, describe_type
from formwork.type_pages.plan import plan_pages

__all__ = ["DescribedType", "describe_type", "plan_pages"]
