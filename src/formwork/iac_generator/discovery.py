"""The resources of an account and Region, found by the list handlers of types and read by their read handlers."""

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.iac_generator.parents import ParentModels, list_inputs_of
from formwork.iac_generator.records import ScannedResource
from formwork.provisioning import HandlerCall, Provisioner
from formwork.provisioning.calling import call_provisioner
from formwork.provisioning.outcomes import Failed, Succeeded
from formwork.provisioning.physical_ids import physical_id_of
from formwork.schema import ResourceSchema

MOST_RESOURCES = 100_000  # in a scan; AWS fails larger ones
_MOST_PAGES = 10_000  # of one list handler, which may repeat a token for ever

Find = Callable[[Scope, str], Provisioner | None]
IsManaged = Callable[[Scope, str, str], bool]


class TooManyResourcesError(Exception):
    """A scan has found more resources than AWS allows."""


class ScanFindings(Struct):
    """The results of a scan: resources, types that were listed, and types that were not, with the reason."""

    resources: list[ScannedResource] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    listed: int = 0
    problems: list[str] = field(default_factory=list)


class Scanner:
    """Scans one account and Region.

    `is_managed` says of type and physical id whether a resource belongs to a stack.
    """

    def __init__(self, scope: Scope, find: Find, is_managed: IsManaged) -> None:
        self._scope = scope
        self._find = find
        self._is_managed = is_managed
        self._parents = ParentModels()
        self.found = ScanFindings()

    def scan(self, type_names: Iterable[str]) -> Iterator[float]:
        """Scan the types, those first that the lists of others need; yield the progress in per cent.

        Raises:
            TooManyResourcesError: more are found than `MOST_RESOURCES`.
        """
        usable = [
            provisioner
            for name in sorted(set(type_names))
            if (provisioner := self._find(self._scope, name)) is not None
            and {"read", "list"} <= provisioner.schema.handlers.keys()
        ]
        usable.sort(key=lambda each: bool(list_inputs_of(each.schema)))  # stable: parents are listed without input
        for number, provisioner in enumerate(usable, start=1):
            self._scan_type(provisioner)
            yield 100.0 * number / len(usable)

    def _scan_type(self, provisioner: Provisioner) -> None:
        schema = provisioner.schema
        self.found.types.append(schema.type_name)
        seen: set[str] = set()
        for desired in self._parents.list_inputs(schema, list_inputs_of(schema)):
            for model in self._list(provisioner, desired):
                identifier = schema.identifier_of(model)
                if identifier is None or identifier in seen:
                    continue
                seen.add(identifier)
                self.found.listed += 1
                if self.found.listed > MOST_RESOURCES:
                    raise TooManyResourcesError
                self._read(provisioner, identifier)

    def _list(self, provisioner: Provisioner, desired: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        token = None
        for _ in range(_MOST_PAGES):
            call = HandlerCall(action="LIST", desired=desired, token=str(uuid.uuid4()), next_token=token)
            outcome = call_provisioner(provisioner, call)
            if not isinstance(outcome, Succeeded):
                self._note(provisioner.schema.type_name, "LIST", outcome)
                return
            yield from outcome.models
            if outcome.next_token is None:
                return
            token = outcome.next_token

    def _read(self, provisioner: Provisioner, identifier: str) -> None:
        schema = provisioner.schema
        asked = dict(schema.parse_identifier(identifier) or {})
        outcome = read_resource(provisioner, asked)
        if isinstance(outcome, Failed):
            if outcome.code != "NotFound":  # deleted since it was listed
                self._note(schema.type_name, "READ", outcome)
            return
        model = schema.without_write_only(dict(outcome))
        self._parents.add(schema, model)
        self.found.resources.append(
            ScannedResource(
                type=schema.type_name,
                identifier=named_identifier(schema, asked),
                managed=self._is_managed(self._scope, schema.type_name, physical_id_of(schema, model) or identifier),
                model=model,
                tags=tags_of(schema, model),
            )
        )

    def _note(self, type_name: str, action: str, outcome: object) -> None:
        said = f"{outcome.code}: {outcome.message}" if isinstance(outcome, Failed) else "no final answer"
        problem = f"{action} of {type_name}: {said}"
        if problem not in self.found.problems:
            self.found.problems.append(problem)


def read_resource(provisioner: Provisioner, asked: Mapping[str, Any]) -> Mapping[str, Any] | Failed:
    """Return what the read handler answers about the resource with the identifying properties `asked`."""
    outcome = call_provisioner(provisioner, HandlerCall(action="READ", desired=asked, token=str(uuid.uuid4())))
    if isinstance(outcome, Succeeded):
        return outcome.model or {}
    return outcome if isinstance(outcome, Failed) else Failed("InternalFailure", "the read handler is not done")


def named_identifier(schema: ResourceSchema, model: Mapping[str, Any]) -> dict[str, str]:
    """Return the primary identifier of a model as the API has it: the property's name → its value."""
    found = {}
    for path in schema.primary_identifier:
        value: Any = model
        for step in path:
            value = value.get(step) if isinstance(value, Mapping) else None
        found[".".join(path)] = value if isinstance(value, str) else str(value)
    return found


def tags_of(schema: ResourceSchema, model: Mapping[str, Any]) -> dict[str, str]:
    """Return the tags of a resource from its schema's tag property, which is a list or a map."""
    value: Any = model
    for step in schema.tagging.tag_property:
        value = value.get(step) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping):
        return {str(key): str(each) for key, each in value.items()}
    pairs = value if isinstance(value, list) else []
    return {
        str(each["Key"]): str(each.get("Value", "")) for each in pairs if isinstance(each, Mapping) and "Key" in each
    }
