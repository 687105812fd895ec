"""What the engine is given from outside."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from formwork.engine.errors import StackError, TransformError
from formwork.engine.hooks.active import Hooks, NoHooks
from formwork.engine.provisioning import Provisioners
from formwork.registry.scope import Scope
from formwork.template import Template


def _no_transform(_scope: Scope, name: str, _parameters: Mapping[str, Any], _fragment: Any) -> Any:
    raise TransformError(name, "there is no such macro here")


def _no_template(_scope: Scope, _url: str) -> str:
    raise StackError("TemplateURL must be a supported URL.")


def _nothing_stored(_scope: Scope, _name: str) -> None:
    return None


def _unresolved(_scope: Scope, properties: Any) -> Any:
    if "{{resolve:" in json.dumps(properties):
        raise StackError("Dynamic references lead nowhere here: there is no Parameter Store and no Secrets Manager")
    return properties


def _ignore(*_what: object) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """What the engine is given from outside; see `Surroundings` and `Parts` for what the members mean."""

    provisioners: Provisioners
    find_module: Callable[[Scope, str], Template | None]
    transform: Callable[[Scope, str, Mapping[str, Any], Any], Any] = _no_transform
    fetch_template: Callable[[Scope, str], str] = _no_template
    fetch_parameter: Callable[[Scope, str], str | None] = _nothing_stored
    resolve: Callable[[Scope, Any], Any] = _unresolved
    hooks: Hooks = field(default_factory=NoHooks)
    now: Callable[[], float] = time.time
    changed: Callable[[], None] = _ignore
    checkpoint: Callable[[str], None] = _ignore
