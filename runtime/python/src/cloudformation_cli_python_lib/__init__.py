"""The handler library of CloudFormation extensions written in Python.

Everything here is imported when it is first used (PEP 562): `import cloudformation_cli_python_lib.interface` loads the
vocabularies and nothing else, and a handler that never touches its session never pays for boto3.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import exceptions, identifier_utils
    from .boto3_proxy import SessionProxy
    from .hook import Hook
    from .interface import (
        Action,
        BaseHookHandlerRequest,
        BaseModel,
        BaseResourceHandlerRequest,
        HandlerErrorCode,
        HookAnnotation,
        HookAnnotationSeverityLevel,
        HookAnnotationStatus,
        HookContext,
        HookInvocationPoint,
        HookProgressEvent,
        HookStatus,
        OperationStatus,
        ProgressEvent,
    )
    from .resource import Resource

__all__ = [
    "Action",
    "BaseHookHandlerRequest",
    "BaseModel",
    "BaseResourceHandlerRequest",
    "HandlerErrorCode",
    "Hook",
    "HookAnnotation",
    "HookAnnotationSeverityLevel",
    "HookAnnotationStatus",
    "HookContext",
    "HookInvocationPoint",
    "HookProgressEvent",
    "HookStatus",
    "OperationStatus",
    "ProgressEvent",
    "Resource",
    "SessionProxy",
    "exceptions",
    "identifier_utils",
]

_HOMES = {"Hook": "hook", "Resource": "resource", "SessionProxy": "boto3_proxy"}
_MODULES = frozenset(("exceptions", "identifier_utils"))


def __getattr__(name: str) -> Any:
    """Import what is asked for from the module that defines it."""
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module("." + _HOMES.get(name, "interface"), __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
