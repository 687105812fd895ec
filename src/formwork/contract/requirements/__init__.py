"""The tests, one module per clause group; importing this package registers them all (docs/decisions/0502)."""

from formwork.contract.requirement import REQUIREMENTS
from formwork.contract.requirements import (  # noqa: F401 - importing them registers them
    handler_create,
    handler_delete,
    handler_life,
    handler_list,
    handler_misc,
    handler_neighbours,
    handler_read,
    handler_redelivery,
    handler_update,
    handler_update_invalid,
    hook_points,
)

__all__ = ["REQUIREMENTS"]
