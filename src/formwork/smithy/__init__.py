"""Smithy models as a library of its own: it knows nothing of CloudFormation.

The names below are imported when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formwork.smithy.model import Model
    from formwork.smithy.sources import (
        ModelSource,
        ParsedModel,
        format_model,
        load_model,
        render_model,
        select_shapes,
    )

__all__ = ["Model", "ModelSource", "ParsedModel", "format_model", "load_model", "render_model", "select_shapes"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only for the lazy names

    return getattr(import_module(f"{__name__}.{'model' if name == 'Model' else 'sources'}"), name)
