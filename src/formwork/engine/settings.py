"""What the engine is given from outside."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredParameter, StoredValues
from formwork.hooks.active import Hooks, NoHooks
from formwork.hooks.payloads import InlinePayloads, Payloads
from formwork.preparation.transforms import TransformCall
from formwork.provisioning import Provisioners
from formwork.provisioning.references import References
from formwork.stacks.errors import ProcessingError, StackError
from formwork.template import Template


def _no_transform(_scope: Scope, call: TransformCall) -> Any:
    raise ProcessingError(f"No transform named {call.name} found.")


def _no_template(_scope: Scope, _url: str) -> str:
    raise StackError("TemplateURL must be a supported URL.")


_NOWHERE = References(StoredValues(None))


def _ignore(*_what: object) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """What the engine is given from outside; see `Surroundings` and `Parts` for what the members mean."""

    provisioners: Provisioners
    find_module: Callable[[Scope, str], Template | None]
    transform: Callable[[Scope, TransformCall], Any] = _no_transform
    fetch_template: Callable[[Scope, str], str] = _no_template
    fetch_parameter: Callable[[Scope, str], StoredParameter | None] = _NOWHERE.parameter
    resolve: Callable[[Scope, Any], Any] = _NOWHERE.resolve
    explain_type: Callable[[Scope, str], str | None] = lambda _scope, _name: None
    pin: Callable[[Scope, Any], Any] = _NOWHERE.pin
    parameter_exists: Callable[[Scope, str], bool] = lambda _scope, _name: True
    hooks: Hooks = field(default_factory=NoHooks)
    announce: Callable[[], None] | None = None
    payloads: Payloads = field(default_factory=InlinePayloads)
    now: Callable[[], float] = time.time
    changed: Callable[[], None] = _ignore
    checkpoint: Callable[[str], None] = _ignore
