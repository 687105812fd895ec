"""The simulated service: resources by identifier, and what it decides itself (readOnly values, defaults)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from formwork.documents.copied import copied, without_nulls
from formwork.instances import InstanceGenerator
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.defaults import SchemaDefaults
from formwork.simulate.resources import MISSING, Resources, SimulatedResource, at

Model = Mapping[str, Any]
_TRIES = 50


class ServiceError(Exception):
    """The service refuses; `code` is the handler error code that fits."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class Store:
    """All resources of one type, in the order they were made."""

    schema: ResourceSchema
    generator: InstanceGenerator
    validates: bool = True
    resources: Resources = field(init=False)
    serial: int = 0
    defaults: SchemaDefaults = field(init=False)

    def __post_init__(self) -> None:
        self.defaults = SchemaDefaults(self.schema)
        self.resources = Resources(self._identifiers())

    def create(self, desired: Model, token: str, decided: Model | None = None) -> SimulatedResource:
        """Make a resource; the one that the same token made before, if any.

        `decided` are values that the service gives where the request leaves them out, instead of any valid ones.

        Raises:
            ServiceError: it exists already, or the request sets what only the service decides.
        """
        made = self.resources.with_token(token)
        if made is not None:
            return made
        self._refuse_read_only(desired)
        model = without_nulls(desired)
        if self.validates and not self.generator.is_valid(model):
            raise ServiceError("InvalidRequest", f"these are not valid properties of {self.schema.type_name}")
        self._apply_defaults(model)
        model.update({name: copied(value) for name, value in (decided or {}).items() if name not in model})
        self._refuse_existing(model)
        self._decide(model)
        self._make_unique(model)
        resource = SimulatedResource(self.key_of(model), model, token)
        self.resources[resource.key] = resource
        return resource

    def find(self, model: Model | None) -> SimulatedResource:
        """Return the resource that `model` identifies, by its primary or an additional identifier.

        Raises:
            ServiceError: there is none.
        """
        if model is not None and (known := self.resources.get(self.key_of(model))) is not None:
            return known
        for paths in (self.schema.primary_identifier, *self.schema.additional_identifiers):
            wanted = [at(model, path) for path in paths]
            if not paths or any(value is MISSING or value is None for value in wanted):
                continue
            if (found := self.resources.identified(paths, wanted)) is not None:
                return found
            if paths == self.schema.primary_identifier:
                break
        raise ServiceError("NotFound", f"the {self.schema.type_name} was not found")

    def update(self, resource: SimulatedResource, desired: Model) -> None:
        """Replace what can be updated.

        Raises:
            ServiceError: a createOnly property would change.
        """
        wanted = without_nulls(desired)
        filled = copied(wanted)  # a createOnly object got its defaults when it was made
        self._apply_defaults(filled)
        kept = (*self.schema.create_only, *(path for each in self._identifiers() for path in each))
        for path in kept:
            before, after = at(resource.model, path), at(wanted, path)
            if after is MISSING:
                if before is not MISSING and "*" not in path:
                    put(wanted, path, before)
                    put(filled, path, before)
            elif "*" not in path and not self.schema.equal(path, self._settable(path, before), at(filled, path)):
                name = "/" + "/".join(path)
                raise ServiceError("NotUpdatable", f"{name} cannot be updated")
        for path in self.schema.read_only:
            value = at(resource.model, path)
            if value is not MISSING and (len(path) == 1 or at(wanted, path[:-1]) is not MISSING):
                put(wanted, path, value)
            elif value is MISSING:
                drop(wanted, path)
        self._decide_in_lists(wanted)
        for path in self.schema.write_only:
            value = at(resource.model, path)
            if value is not MISSING and at(wanted, path) is MISSING and len(path) == 1:
                put(wanted, path, value)
        self._apply_defaults(wanted)
        resource.model = wanted
        self.resources[resource.key] = resource

    def _settable(self, path: PropertyPath, value: Any) -> Any:
        """Return the value at `path` without the readOnly values inside it, which a request can't contain."""
        settable = copied(value)
        for each in self.schema.read_only:
            if each[: len(path)] == path and len(each) > len(path):
                drop(settable, each[len(path) :])
        return settable

    def delete(self, resource: SimulatedResource) -> None:
        """Remove it."""
        del self.resources[resource.key]

    def key_of(self, model: Model) -> str:
        """Return the primary identifier as one text."""
        return json.dumps([at(model, path) for path in self.schema.primary_identifier], sort_keys=True, default=str)

    def _identifiers(self) -> tuple[tuple[PropertyPath, ...], ...]:
        return (self.schema.primary_identifier, *self.schema.additional_identifiers)

    def _refuse_read_only(self, desired: Model) -> None:
        for path in self.schema.read_only:
            if "*" not in path and at(desired, path) is not MISSING:
                name = "/" + "/".join(path)
                raise ServiceError("InvalidRequest", f"{name} is set by the service and cannot be given")

    def _refuse_existing(self, model: Model) -> None:
        for paths in self._identifiers():
            wanted = [at(model, path) for path in paths]
            if any(value is MISSING for value in wanted):
                continue
            if self.resources.identified(paths, wanted) is not None:
                raise ServiceError("AlreadyExists", f"this {self.schema.type_name} already exists")

    def _apply_defaults(self, model: dict[str, Any]) -> None:
        for name, default in self.defaults.of_root.items():
            if name not in model:
                model[name] = copied(default)
        for _, place, default in list(self.defaults.absent(model)):
            parent: Any = model
            for step in place[:-1]:
                parent = parent[step]
            parent[place[-1]] = copied(default)

    def _decide(self, model: dict[str, Any]) -> None:
        """The values that the service gives: readOnly ones, and identifiers that the request leaves out."""
        identifiers = [path for each in self._identifiers() for path in each]
        decided = dict.fromkeys((*self.schema.read_only, *self.schema.primary_identifier))
        for path in decided:
            if "*" in path or at(model, path) is not MISSING or self.schema.subschema_at(path) is None:
                continue
            if len(path) > 1 and at(model, path[:-1]) is MISSING and path not in identifiers:
                continue
            value = self._fresh_value(path)
            if value is not None:
                put(model, path, value)
        self._decide_in_lists(model)

    def _decide_in_lists(self, model: dict[str, Any]) -> None:
        """The readOnly values of objects in lists and maps."""
        for path in self.schema.read_only:
            if "*" in path and self.schema.subschema_at(path) is not None:
                self._decide_inside(model, path, path)

    def _decide_inside(self, value: Any, path: PropertyPath, whole: PropertyPath) -> None:
        """Give every object at the end of `path`, inside lists and maps, its readOnly member where it lacks one."""
        step, rest = path[0], path[1:]
        match value:
            case list() if step == "*" and rest:
                inner = value
            case dict() if step == "*" and rest:
                inner = list(value.values())
            case dict() if rest:
                inner = [value[step]] if step in value else []
            case dict() if step != "*" and step not in value:
                if (fresh := self._fresh_value(whole)) is not None:
                    value[step] = fresh
                return
            case _:
                return
        for each in inner:
            self._decide_inside(each, rest, whole)

    def _fresh_value(self, path: PropertyPath) -> Any:
        self.serial += 1
        return without_nulls(self.generator.value_at(path))

    def _make_unique(self, model: dict[str, Any]) -> None:
        """Give the resource another name where one has the name it was given."""
        for paths in self._identifiers():
            own = [path for path in paths if path in self.schema.read_only]
            for _ in range(_TRIES):
                values = [at(model, path) for path in paths]
                if not own or self.resources.identified(paths, values) is None:
                    break
                for path in own:
                    put(model, path, self._fresh_value(path))
            else:
                raise ServiceError("ServiceLimitExceeded", f"all names for a {self.schema.type_name} are in use")


def put(model: dict[str, Any], path: PropertyPath, value: Any) -> None:
    """Set the value at a property path, creating objects on the way."""
    for step in path[:-1]:
        inner = model.get(step)
        if not isinstance(inner, dict):
            inner = model[step] = {}
        model = inner
    model[path[-1]] = copied(value)


def drop(model: Any, path: PropertyPath) -> None:
    """Remove what stands at a property path, `*` for every item or entry."""
    step, rest = path[0], path[1:]
    match model:
        case list() if step == "*":
            for each in model:
                drop(each, rest)
        case dict() if not rest:
            model.pop(step, None)
        case dict():
            for name in list(model) if step == "*" else [step]:
                if name in model:
                    drop(model[name], rest)
        case _:
            return
