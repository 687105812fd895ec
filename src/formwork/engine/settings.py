"""Dependencies and settings of the engine."""

import time
from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredValues
from formwork.durable.observer import WorkObserver
from formwork.hooks.active import Hooks, NoHooks
from formwork.hooks.payloads import InlinePayloads, Payloads
from formwork.hooks.result_store import NoticeListener
from formwork.preparation.dependencies import DynamicReferences, TransformCall, Transforms, TypeCatalogue
from formwork.provisioning.references import References
from formwork.stacks.errors import ProcessingError, StackError


class TemplateStore(Protocol):
    """Access to templates that nested stacks and stack sets name by URL."""

    def fetch_nested(self, scope: Scope, url: str) -> str:
        """Return the text of a template; raise StackError if it can't be read."""
        ...


class NoTransforms:
    """`Transforms` without macros."""

    def run(self, scope: Scope, call: TransformCall) -> Any:  # noqa: ARG002 - the protocol's
        """Raise ProcessingError."""
        raise ProcessingError(f"No transform named {call.name} found.")


class NoTemplates:
    """A `TemplateStore` without templates."""

    def fetch_nested(self, scope: Scope, url: str) -> str:  # noqa: ARG002 - the protocol's
        """Raise StackError."""
        raise StackError("TemplateURL must be a supported URL.")


class EngineSettings(Struct, frozen=True, kw_only=True):
    """The dependencies of the engine.

    `payloads` stores targets that are too large for a hook's request; `notices` is notified when notices wait for
    delivery, None discards them. `now` returns the time in seconds since 1970.
    """

    types: TypeCatalogue
    references: DynamicReferences = field(default_factory=lambda: References(StoredValues(None)))
    transforms: Transforms = field(default_factory=NoTransforms)
    templates: TemplateStore = field(default_factory=NoTemplates)
    hooks: Hooks = field(default_factory=NoHooks)
    payloads: Payloads = field(default_factory=InlinePayloads)
    notices: NoticeListener | None = None
    now: Callable[[], float] = time.time
    observer: WorkObserver = field(default_factory=WorkObserver)
