"""Models of a resource type (or values of any schema) from a seed.

    InstanceGenerator(schema, seed=7).minimal()      what is required, and nothing more
    InstanceGenerator(schema, seed=7).maximal()      everything that may stand together
    InstanceGenerator(schema, seed=7).random()       another one with every call
    InstanceGenerator(schema, seed=7).changed(model) an update of `model`: createOnly values and identifiers stay

Values are valid against the schema, checked by its own validator, and hold no readOnly property. The same seed and the
same calls give the same values.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from formwork.documents.copied import copied
from formwork.instances.errors import DeadEndError, UnsatisfiableError
from formwork.instances.invalid import InvalidInstance, break_constraints
from formwork.instances.nodes import Nodes
from formwork.instances.values import Extent, ValueMaker
from formwork.schema import ResourceSchema
from formwork.schema.instance_paths import instance_path
from formwork.schema.paths import PropertyPath
from formwork.schema.validator import compile_validator
from formwork.schema.view import SchemaView

__all__ = ["Extent", "InstanceGenerator"]

_ATTEMPTS = 30
_HOPELESS = 2  # attempts where a full round has failed before
_FULL = 3  # of them with everything
_FUTILE = 2  # updates that change nothing or break the schema, before what cannot change is left out from the start
_LESS = 6  # of them with some of it, before as little as can be


class InstanceGenerator:
    """Makes models of one type; deterministic: the seed and the calls so far decide the next value."""

    def __init__(self, schema: ResourceSchema | Mapping[str, Any], *, seed: int = 0) -> None:
        self._schema = schema if isinstance(schema, ResourceSchema) else None
        self._root: Mapping[str, Any] = schema.value if isinstance(schema, ResourceSchema) else schema
        self._read_only = frozenset(self._schema.read_only if self._schema else ())
        self._seed = str(seed)
        self._random = Random(seed)  # noqa: S311 - test data, the same again from the same seed
        self._validator: list[Any] = []  # compiled when first needed, and shared with forks
        self._hopeless: list[str] = []  # why there is no model, where that is known; shared with forks
        identifiers: set[PropertyPath] = set()
        if self._schema is not None:
            identifiers = {path for each in self._identifiers() for path in each}
        self._view = SchemaView(self._schema.input_root if self._schema else self._root)
        self._maker = ValueMaker(Nodes(self._view), self._random, skip=self._read_only, wanted=frozenset(identifiers))

    def fork(self, name: str) -> "InstanceGenerator":
        """Return a generator whose values depend only on this one's seed and `name`, not on earlier values."""
        other = copy.copy(self)
        other.begin_anew(f"{self._seed}/{name}")
        return other

    def begin_anew(self, seed: str) -> None:
        """Depend on `seed` from here on."""
        self._seed = seed
        self._random = Random(seed)  # noqa: S311 - test data
        self._maker = self._maker.fork(self._random)

    def minimal(self) -> dict[str, Any]:
        """Return a model with only the required properties and the writable identifiers."""
        return self._make(Extent.MINIMAL)

    def maximal(self) -> dict[str, Any]:
        """Return every property that may stand together with the others."""
        return self._make(Extent.MAXIMAL)

    def random(self) -> dict[str, Any]:
        """Some of the optional properties."""
        return self._make(Extent.RANDOM)

    def changed(self, model: Mapping[str, Any], *, extent: Extent = Extent.RANDOM) -> dict[str, Any]:
        """Return a valid update of `model`: createOnly values and identifiers as they are, the rest generated."""
        kept, futile = self._kept_paths(), 0
        for attempt in range(_ATTEMPTS):
            chosen = extent if attempt < _ATTEMPTS // 2 else Extent.MINIMAL
            try:
                fresh = self._make(chosen) if futile < _FUTILE else self._maker.without(kept).model(chosen)
            except DeadEndError:
                continue
            for path in kept:
                carry_over(model, fresh, path)
            if fresh != model and self.is_valid(fresh):
                return fresh
            futile += 1
        return copied(dict(model))

    def invalid(self, *, limit: int = 40) -> list[InvalidInstance]:
        """Models that each break exactly one constraint, at most `limit`; none where no valid model is found."""
        base = self.maximal()
        return break_constraints(base, self._view.root, self._errors, self._read_only, limit=limit)

    def value_at(self, path: Sequence[str]) -> Any:
        """Return a value for the property at `path`, a readOnly one too; None where nothing fits."""
        found = self._schema.subschema_at(path) if self._schema else None
        try:
            return self._maker.value((found and found.value) or {"type": "string"}, Extent.RANDOM, tuple(path))
        except DeadEndError:
            return None

    def is_valid(self, model: Mapping[str, Any]) -> bool:
        """Return whether `model` is valid input: against the schema, with readOnly properties not required."""
        return next(iter(self._errors(model)), None) is None

    def _errors(self, model: Any) -> Iterator[Any]:
        if not self._validator:
            self._validator.append(self._schema.input_validator if self._schema else compile_validator(self._root))
        found: Iterator[Any] = self._validator[0].iter_errors(model)
        return found

    def _make(self, extent: Extent) -> dict[str, Any]:
        reason = "no attempt"
        for attempt in range(_HOPELESS if self._hopeless else _ATTEMPTS):
            # Where everything at once contradicts itself, less does not: fall back to random, then to minimal models.
            chosen = extent
            if attempt >= _FULL + _LESS:
                chosen = Extent.MINIMAL
            elif attempt >= _FULL and extent is Extent.MAXIMAL:
                chosen = Extent.RANDOM
            try:
                model = self._maker.model(chosen)
            except DeadEndError as error:
                reason = str(error)
                continue
            problem = next(iter(self._errors(model)), None)
            if problem is None:
                return model
            place = instance_path(problem, model)
            if attempt == 0 and self._is_mended(model, place):
                return model
            reason = f"{problem.message[:200]} at /{'/'.join(map(str, place))}"
        self._hopeless.append(reason)
        raise UnsatisfiableError(f"no valid model found in {_ATTEMPTS} attempts; the last: {reason}")

    def _is_mended(self, model: dict[str, Any], place: Sequence[str | int]) -> bool:
        """Whether `model` is valid without what is wrong at `place`, or what stands beside or around it; left out then.

        Beside it: what an object's `dependencies` say of one member is often the fault of another.
        """
        for depth in range(len(place), 0, -1):
            parent: Any = model
            for step in place[: depth - 1]:
                parent = parent[step]
            if isinstance(parent, dict) and place[depth - 1] in parent and self._leave_out(model, parent, place, depth):
                return True
        return False

    def _leave_out(self, model: dict[str, Any], parent: dict[Any, Any], place: Sequence[str | int], depth: int) -> bool:
        wrong, faults = place[depth - 1], len(list(self._errors(model)))
        for name in (wrong, *(each for each in parent if each != wrong)):
            members = dict(parent)
            del parent[name]
            left = len(list(self._errors(model)))
            if not left:
                return True
            if left < faults and name != wrong:
                faults = left
            else:
                parent.clear()
                parent.update(members)
        return False

    def _identifiers(self) -> tuple[tuple[PropertyPath, ...], ...]:
        assert self._schema is not None
        return (self._schema.primary_identifier, *self._schema.additional_identifiers)

    def _kept_paths(self) -> tuple[PropertyPath, ...]:
        if self._schema is None:
            return ()
        identifiers = tuple(path for each in self._identifiers() for path in each)
        return (*self._schema.create_only, *self._schema.conditional_create_only, *identifiers)


def carry_over(source: Mapping[str, Any], target: dict[str, Any], path: PropertyPath) -> None:
    """Copy the value at `path` from `source` to `target`; remove it if `source` lacks it.

    Items of arrays have no identity, so a path into an array copies the whole array.
    """
    steps = path[: path.index("*")] if "*" in path else path
    if not steps:
        return
    here: Any = source
    for step in steps:
        here = here.get(step) if isinstance(here, Mapping) else None
    parent: Any = target
    for step in steps[:-1]:
        if not isinstance(parent.get(step), dict):
            if here is None:
                return
            parent[step] = {}
        parent = parent[step]
    if here is None:
        parent.pop(steps[-1], None)
    else:
        parent[steps[-1]] = copied(here)
