"""The tests, one module a clause group; importing this package registers them all."""

from formwork.contract.requirements import (
    handler_create,
    handler_delete,
    handler_life,
    handler_list,
    handler_misc,
    handler_read,
    handler_update,
    handler_update_invalid,
)

__all__ = [
    "handler_create",
    "handler_delete",
    "handler_life",
    "handler_list",
    "handler_misc",
    "handler_read",
    "handler_update",
    "handler_update_invalid",
]
