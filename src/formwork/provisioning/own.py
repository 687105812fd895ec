"""Types that this process makes by itself, without registered handlers and without the simulator.

A stack in a stack, a version in the registry, a wait condition: what they do is done by the engine or the registry of
this process, and shows there. An own type answers calls like a handler: with `Waiting` where it takes longer, and is
then called again with the same token and the context that it gave. What it begins it begins under that token, so that
a call that is made again after a crash finds what the first one began.

Types of the namespace `AWS::CloudFormation` are never simulated: the simulator would report a success that did not
happen, and a handler in its own process would call back into the service that called it.
"""

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

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


class OwnHandlers:
    """The handlers of an own type in one account and Region; a subclass overrides those that its schema lists.

    Each returns an outcome, or raises a FormworkError, which is a failure with the error's text.
    """

    def handle(self, call: HandlerCall) -> Outcome | None:
        """Call the handler of the call's action; None where the type has none."""
        match call.action:
            case "CREATE":
                return self.create(call)
            case "READ":
                return self.read(call)
            case "UPDATE":
                return self.update(call)
            case "DELETE":
                return self.delete(call)
            case "LIST":
                return self.list(call)
            case _:
                return None

    def create(self, call: HandlerCall) -> Outcome | None:
        """Create the resource."""

    def read(self, call: HandlerCall) -> Outcome | None:
        """Return the resource's model."""

    def update(self, call: HandlerCall) -> Outcome | None:
        """Update the resource."""

    def delete(self, call: HandlerCall) -> Outcome | None:
        """Delete the resource."""

    def list(self, call: HandlerCall) -> Outcome | None:
        """Return the identifiers of all resources of the type."""


class OwnProvisioner:
    """The provisioner of one own type in one account and Region, which calls `handlers`.

    With `plain`, events repeat the handlers' messages as they are; otherwise in the form of a registered handler's, as
    for the types that AWS keeps in its registry. `renames` says that an update may return another identifier, which
    then means another resource.
    """

    version = None
    note = None

    def __init__(
        self,
        schema: ResourceSchema,
        handlers: OwnHandlers,
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
        call = _without_secrets(call)
        if call.action in {"CREATE", "UPDATE"} and call.context is None:
            problems = self.schema.validate_model(self._declared(call.desired or {}))
            if problems:
                told = "; ".join(f"{each.location.pointer or '/'}: {each.message}" for each in problems)
                return Failed("InvalidRequest", f"Property validation failure: {told}", plain=self._plain)
        try:
            outcome = self._handlers.handle(call)
        except FormworkError as error:
            return Failed("InvalidRequest", str(error), plain=self._plain)
        if outcome is None:
            return Failed("InvalidRequest", f"{self.schema.type_name} has no {call.action.lower()} handler")
        return outcome

    def _declared(self, model: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the properties of the model that a template may set and the schema declares."""
        given: Mapping[str, Any] = self.schema.without_read_only(dict(model))
        if self.schema.value.get("additionalProperties") is not True:
            return given
        return {name: each for name, each in given.items() if name in self.schema.properties}


def _without_secrets(call: HandlerCall) -> HandlerCall:
    """Return the call with dynamic references in place of secrets: own types pass texts on, and would store them."""
    desired = conceal(call.desired, call.desired, call.properties)
    return replace(call, desired=desired, previous=conceal(call.previous, call.previous, call.previous_properties))


class OwnType(Protocol):
    """Makes the provisioners of an own type, or of several."""

    def provisioner(self, scope: Scope, type_name: str) -> Provisioner:
        """Return the provisioner of a type in an account and Region."""
        ...


class ServiceAddress(Protocol):
    """Knows the address of the service, in this process or in another one with the same database."""

    def read_address(self) -> str:
        """Return the URL of the service."""
        ...


class OwnTypes:
    """The own types by name; a name that ends with `::*` stands for every type of that namespace."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._types: dict[str, OwnType] = {}
        self._provisioners: dict[tuple[Scope, str], Provisioner] = {}

    def add(self, name: str, own_type: OwnType) -> None:
        """Add a type under its name."""
        self._types[name] = own_type

    def find(self, scope: Scope, type_name: str) -> Provisioner | None:
        """Return the type's provisioner, None if it is not an own type."""
        own_type = self._types.get(type_name) or self._types.get(f"{type_name.partition('::')[0]}::*")
        if own_type is None:
            return None
        with self._lock:
            key = scope, type_name
            if key not in self._provisioners:
                self._provisioners[key] = own_type.provisioner(scope, type_name)
            return self._provisioners[key]


def ask_again(call: HandlerCall, model: Mapping[str, Any] | None, **context: Any) -> Waiting:
    """Return the outcome that has a call repeated: soon at first, later every second.

    `context` is added to the context of the next call.
    """
    asked = int((call.context or {}).get("asked", 0))
    seconds = min(_LATER, _SOON * 2.0 ** min(asked, 16)) if asked else 0.0
    return Waiting(seconds, model, {**(call.context or {}), **context, "asked": asked + 1})


def load_own_schema(type_name: str) -> ResourceSchema:
    """Return the schema of an own type, which is in the folder `own_schemas`."""
    file = _FOLDER / f"{type_name.rpartition('::')[2]}.json"
    return read_own_schema(json.loads(file.read_text(encoding="utf-8")))


def read_own_schema(value: Mapping[str, Any]) -> ResourceSchema:
    """Return a schema that ships with Formwork, unchecked."""
    document = parse_document(json.dumps(value), name=f"{value['typeName']}.json", format=DocumentFormat.JSON)
    return build_resource_schema(document)  # custom resources break a rule: they have whatever properties they like
