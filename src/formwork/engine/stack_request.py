"""What a client asks of a stack."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from formwork.engine.parameters import GivenParameter
from formwork.engine.store.records import OperationOptions, StackSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRequest:
    """What CreateStack and UpdateStack ask for; `template` None takes the one that the stack has."""

    name: str
    template: str | None
    parameters: tuple[GivenParameter, ...] = ()
    tags: Mapping[str, str] | None = None
    capabilities: tuple[str, ...] = ()
    token: str | None = None
    settings: StackSettings = field(default_factory=StackSettings)
    options: OperationOptions = field(default_factory=OperationOptions)

    def digest(self) -> str:
        """The same for the same request."""
        what = [self.name, self.template, sorted(map(repr, self.parameters)), self.tags and dict(self.tags)]
        return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
