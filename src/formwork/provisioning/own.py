"""Types that this process makes by itself: neither a type's handlers nor the simulator stand behind them.

A stack in a stack, a version in the registry, a wait condition: what they do is done by the engine or the registry of
this process, and shows there. An own type answers calls like a handler: with `Waiting` where it takes longer, and is
then called again with the same token and the context that it gave. What it begins it begins under that token, so that
a call that is made again after a crash finds what the first one began.
"""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from formwork.aws.scope import Scope
from formwork.diagnostics import FormworkError
from formwork.documents import DocumentFormat, parse_document
from formwork.provisioning.outcomes import Failed, Outcome, Waiting
from formwork.provisioning.provisioner import HandlerCall, Provisioner
from formwork.provisioning.references import conceal
from formwork.schema import ResourceSchema
from formwork.schema.resource import build_resource_schema

_SOON, _LATER = 0.01, 1.0
_FOLDER = Path(__file__).with_name("own_schemas")

OwnHandler: TypeAlias = Callable[[HandlerCall], Outcome]


class OwnProvisioner:
    """One own type in one account and Region: a function for each action of its schema's handlers.

    A function answers with an outcome, or raises a FormworkError, which is a failure with the error's text. `plain`
    has events tell these texts as they stand; else as a handler's, as for the types that AWS keeps in its registry.
    `renames` says that an update may answer with another identifier, which then stands for another resource.
    """

    version = None
    note = None

    def __init__(
        self,
        schema: ResourceSchema,
        handlers: Mapping[str, OwnHandler],
        *,
        plain: bool = False,
        renames: bool = False,
    ) -> None:
        self.schema = schema
        self.renames = renames
        self._plain = plain
        self._handlers = handlers

    def invoke(self, call: HandlerCall) -> Outcome:
        """See `Provisioner.invoke`."""
        handler = self._handlers.get(call.action)
        if handler is None:
            return Failed("InvalidRequest", f"{self.schema.type_name} has no {call.action.lower()} handler")
        call = _without_secrets(call)
        if call.action in {"CREATE", "UPDATE"} and call.context is None:
            problems = self.schema.validate_model(self._declared(call.desired or {}))
            if problems:
                told = "; ".join(f"{each.location.pointer or '/'}: {each.message}" for each in problems)
                return Failed("InvalidRequest", f"Property validation failure: {told}", plain=self._plain)
        try:
            return handler(call)
        except FormworkError as error:
            return Failed("InvalidRequest", str(error), plain=self._plain)

    def _declared(self, model: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the schema has something to say about, as a template may give it."""
        given: Mapping[str, Any] = self.schema.without_read_only(dict(model))
        if self.schema.value.get("additionalProperties") is not True:
            return given
        return {name: each for name, each in given.items() if name in self.schema.properties}


def _without_secrets(call: HandlerCall) -> HandlerCall:
    """The call with references where they gave secrets: what is done here hands texts on, and would store them."""
    desired = conceal(call.desired, call.desired, call.properties)
    return replace(call, desired=desired, previous=conceal(call.previous, call.previous, call.previous_properties))


class OwnTypes:
    """The own types by name; a name that ends with `::*` stands for every type of that namespace."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._makers: dict[str, Callable[[Scope, str], Provisioner]] = {}
        self._made: dict[tuple[Scope, str], Provisioner] = {}

    def add(self, name: str, make: Callable[[Scope, str], Provisioner]) -> None:
        """Have `make` give the provisioner of a type, from the account with its Region and the type's name."""
        self._makers[name] = make

    def find(self, scope: Scope, type_name: str) -> Provisioner | None:
        """The type's provisioner, None where it is no own type."""
        make = self._makers.get(type_name) or self._makers.get(f"{type_name.partition('::')[0]}::*")
        if make is None:
            return None
        with self._lock:
            key = scope, type_name
            if key not in self._made:
                self._made[key] = make(scope, type_name)
            return self._made[key]


def ask_again(call: HandlerCall, model: Mapping[str, Any] | None, **context: Any) -> Waiting:
    """The answer to a call that is to be made again: soon at first, later every second.

    `context` is added to what the next call gets as its context.
    """
    asked = int((call.context or {}).get("asked", 0))
    seconds = min(_LATER, _SOON * 2.0 ** min(asked, 16)) if asked else 0.0
    return Waiting(seconds, model, {**(call.context or {}), **context, "asked": asked + 1})


def load_own_schema(type_name: str) -> ResourceSchema:
    """The schema of an own type of the engine's."""
    file = _FOLDER / f"{type_name.rpartition('::')[2]}.json"
    return read_own_schema(json.loads(file.read_text(encoding="utf-8")))


def read_own_schema(value: Mapping[str, Any]) -> ResourceSchema:
    """A schema that ships with Formwork."""
    document = parse_document(json.dumps(value), name=f"{value['typeName']}.json", format=DocumentFormat.JSON)
    return build_resource_schema(document)  # custom resources break a rule: they have whatever properties they like
