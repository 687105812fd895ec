"""Acceptance tests of resource types, hooks, modules and templates: a pytest plugin, and the same for unittest.

    def test_a_shop(cloudformation):
        cloudformation.register("path/to/project")
        shop = cloudformation.deploy("shop.yml", parameters={"Name": "books"})
        shop.expect_in_place("Books")
        shop.update(parameters={"Name": "novels"})

The names below are imported when they are used: pytest loads this package in every run.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formwork.testing.account import CloudFormation
    from formwork.testing.case import CloudFormationTestCase
    from formwork.testing.checks import Checks
    from formwork.testing.failures import AcceptanceFailure
    from formwork.testing.handlers import HandlerFailure, HookFailure, InProgress
    from formwork.testing.observed import PlannedChange, StackEvent, StackResource
    from formwork.testing.server import LocalServer
    from formwork.testing.stack import Stack

_HOMES = {
    "AcceptanceFailure": "failures",
    "Checks": "checks",
    "CloudFormation": "account",
    "CloudFormationTestCase": "case",
    "StackEvent": "observed",
    "HandlerFailure": "handlers",
    "HookFailure": "handlers",
    "InProgress": "handlers",
    "LocalServer": "server",
    "PlannedChange": "observed",
    "StackResource": "observed",
    "Stack": "stack",
}

__all__ = [
    "AcceptanceFailure",
    "Checks",
    "CloudFormation",
    "CloudFormationTestCase",
    "HandlerFailure",
    "HookFailure",
    "InProgress",
    "LocalServer",
    "PlannedChange",
    "Stack",
    "StackEvent",
    "StackResource",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
