"""Values of a stack's resources for `Ref` and `Fn::GetAtt`, loaded when they are first needed (docs/decisions/1210)."""

import copy
from collections.abc import Callable, Mapping
from typing import Self, TypeAlias

from formwork.diagnostics.secrets import NO_ECHO_MASK
from formwork.documents import Json
from formwork.durable import Database
from formwork.provisioning import SIMULATED, Provisioner
from formwork.stacks.store.records import STACK_TYPE, ResourceRecord
from formwork.stacks.store.resources import get_resource
from formwork.template.evaluation import UNKNOWN, Value

FindType: TypeAlias = Callable[[str], Provisioner | None]

# Key in the model of a custom resource whose function has marked its values as secret.
NO_ECHO = "$NoEcho"


class StoredResources:
    """`ResourceValues` of a deployed stack, from its records."""

    def __init__(self, database: Database, stack_id: str) -> None:
        self._database = database
        self._stack_id = stack_id
        self._masked = False
        self._find_type: FindType | None = None
        self._known: dict[str, ResourceRecord | None] = {}

    def masked(self) -> Self:
        """Return the same with asterisks for the NoEcho values of custom resources."""
        twin = copy.copy(self)  # both share what has been loaded
        twin._masked = True  # noqa: SLF001 - its own
        return twin

    def without_simulated(self, find_type: FindType) -> Self:
        """Return the same with UNKNOWN for values of simulated resources, and of nested stacks, which may have such."""
        twin = copy.copy(self)
        twin._find_type = find_type  # noqa: SLF001 - its own
        return twin

    def _is_made_up(self, record: ResourceRecord) -> bool:
        if self._find_type is None:
            return False
        provisioner = self._find_type(record.type)
        return record.type == STACK_TYPE or (provisioner is not None and provisioner.note == SIMULATED)

    def reference(self, logical_id: str) -> Value:
        """Return the physical id."""
        record = self._record(logical_id)
        if record is not None and self._is_made_up(record):
            return UNKNOWN
        return UNKNOWN if record is None or record.physical_id is None else record.physical_id

    def attribute(self, logical_id: str, name: str) -> Value:
        """Return the value at a dotted path of the resource's model.

        Raises:
            KeyError: there is no value.
        """
        record = self._record(logical_id)
        if record is None or self._is_made_up(record):
            return UNKNOWN
        found = find_attribute(record.model, name)
        return NO_ECHO_MASK if self._masked and record.model.get(NO_ECHO) is True else found

    def _record(self, logical_id: str) -> ResourceRecord | None:
        if logical_id not in self._known:
            with self._database.read() as connection:
                self._known[logical_id] = get_resource(connection, self._stack_id, logical_id)
        return self._known[logical_id]


def find_attribute(model: Mapping[str, Json], name: str) -> Value:
    """Return the value at a dotted path of a model.

    Raises:
        KeyError: there is no value.
    """
    value: Json = dict(model)
    for step in name.split("."):
        if not isinstance(value, dict) or step not in value:
            raise KeyError(name)
        value = value[step]
    return value
