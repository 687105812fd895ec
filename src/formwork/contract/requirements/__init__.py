"""The tests, one module a clause group; importing this package registers them all."""

from formwork.contract.requirements import (
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
    hook_pre_create,
    hook_pre_delete,
    hook_pre_update,
)

__all__ = [
    "handler_create",
    "handler_delete",
    "handler_life",
    "handler_list",
    "handler_misc",
    "handler_neighbours",
    "handler_read",
    "handler_redelivery",
    "handler_update",
    "handler_update_invalid",
    "hook_pre_create",
    "hook_pre_delete",
    "hook_pre_update",
]
