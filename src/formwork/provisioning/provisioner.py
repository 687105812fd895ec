"""The interface of provisioners, which create, read, update and delete the resources of a type."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.provisioning.outcomes import Outcome
from formwork.schema import ResourceSchema

SIMULATED = "simulated"  # the note of the simulator: what its resources give is made up


class HandlerCall(Struct, frozen=True, kw_only=True):
    """One call of a handler; `token` is the same for every call of one operation on one physical resource.

    `properties` and `previous_properties` are what the templates say, evaluated, their dynamic references unresolved;
    own types get them for deletes too. `answered` says that `desired` is what the handler itself answered to an earlier
    call: it gets that back as it is. `secrets` are values beyond those of the models that no message may repeat.
    """

    action: str
    desired: Mapping[str, Any] | None
    token: str
    answered: bool = False
    previous: Mapping[str, Any] | None = None
    context: Mapping[str, Any] | None = None
    next_token: str | None = None
    logical_id: str = ""
    stack_id: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    previous_tags: Mapping[str, str] | None = None
    system_tags: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, Any] = field(default_factory=dict)
    previous_properties: Mapping[str, Any] | None = None
    secrets: Sequence[str] = ()


class Provisioner(Protocol):
    """The handlers of one type, in one account and Region."""

    @property
    def schema(self) -> ResourceSchema:
        """The resource schema of the type."""
        ...

    @property
    def version(self) -> str | None:
        """The version of the registered type, None of a stand-in."""
        ...

    @property
    def note(self) -> str | None:
        """Label of a stand-in provisioner for `DetailedStatus`, None if the type's own handlers are called."""
        ...

    def invoke(self, call: HandlerCall) -> Outcome:
        """Call the handler once."""
        ...


class Provisioners(Protocol):
    """Finds the provisioner of a type."""

    def find(self, scope: Scope, type_name: str, version: str | None = None) -> Provisioner | None:
        """The type's provisioner, None where nothing here can make it; `version` is that of a registered type."""
        ...
