"""The models for creates and updates of tests: a set of `inputs/`, or values generated from the schema with overrides.

Where an `inputs/` folder exists, its data is all that is ever created or updated with, as the user guide says.
"""

import copy
import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, Self, assert_never

from msgspec import Struct

from formwork.contract.models import Model, has_value, identity_by, value_at, with_value, without
from formwork.contract.thinning import thinned
from formwork.contract_results.findings import ABSENT
from formwork.diagnostics import parse_pointer
from formwork.documents.copied import copied
from formwork.instances import Extent, InstanceGenerator, UnsatisfiableError
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.coercion import parse_texts

Overrides = Mapping[tuple[str, ...], Any]
_SAMPLE = 4


class InvalidInput(Struct, frozen=True):
    """A model that the handler may refuse, and why."""

    model: dict[str, Any]
    why: str


class Inputs(Protocol):
    """The source of a test's models. Each model is a new copy."""

    given: bool
    """Whether the author wrote the data: then nothing else is created or updated with."""

    def claims(self, *, several: bool = False) -> frozenset[str]:
        """Return names that only one resource at a time can have, of this input set or, with `several`, of all sets."""

    def likeness(self, model: Model) -> str:
        """Return a text that is equal for two create models that have the same values from the author."""

    def likenesses(self, *, several: bool = False) -> frozenset[str]:
        """Return the likenesses that are known beforehand: of the test's own input set, or with `several` of all."""

    def fork(self, name: str) -> Self:
        """Return the inputs of the test `name`, independent of which tests ran before."""

    def create(self, extent: Extent = Extent.RANDOM) -> dict[str, Any]:
        """Return a model to create with; of given inputs it is the given one, whatever `extent` says."""

    def several(self, count: int) -> list[dict[str, Any]]:
        """Up to `count` models that make different resources."""

    def update(self, request: Model, extent: Extent = Extent.RANDOM) -> dict[str, Any] | None:
        """Return a model to update a resource to that was created with `request`; None if there is none."""

    def thinner(self, request: Model) -> dict[str, Any] | None:
        """Return `request` with fewer members in nested objects and collections; None if none can be removed."""

    def invalid(self) -> list[InvalidInput]:
        """Models that break the schema or the back end's rules; none where the data holds none."""

    def value_at(self, path: PropertyPath) -> Any:
        """Return a value that fits the property at `path`, for negative probes; None where nothing does."""


class GeneratedInputs:
    """Inputs made from the schema, each new call a new one; `overrides` are put in by place."""

    given = False

    def __init__(
        self,
        schema: ResourceSchema,
        *,
        seed: int = 0,
        create_overrides: Overrides | None = None,
        update_overrides: Overrides | None = None,
    ) -> None:
        self._schema = schema
        self._generator = InstanceGenerator(schema, seed=seed)
        self._create_overrides = create_overrides or {}
        self._update_overrides = update_overrides or {}

    def claims(self, *, several: bool = False) -> frozenset[str]:
        """Return one name for all models if a few of them already share identifiers, else none."""
        del several
        return self._shared_names

    def likeness(self, model: Model) -> str:
        """Return one text for all models if overrides contain texts, else the model's own text."""
        return next(iter(self._fixed_texts), None) or _text_of(model)

    def likenesses(self, *, several: bool = False) -> frozenset[str]:
        """Return one text for all models if overrides contain texts."""
        del several
        return self._fixed_texts

    @functools.cached_property
    def _fixed_texts(self) -> frozenset[str]:
        fixed = {"/".join(path): value for path, value in self._create_overrides.items() if _holds_text(value)}
        return frozenset({_text_of(fixed)} if fixed else ())

    @functools.cached_property
    def _shared_names(self) -> frozenset[str]:
        sample = self.fork("claims")
        try:
            found = [
                each for _ in range(_SAMPLE) for each in identities_of(self._schema, sample.create(Extent.MINIMAL))
            ]
        except UnsatisfiableError:
            return frozenset({"any"})
        return frozenset({"any"}) if len(set(found)) < len(found) else frozenset()

    def fork(self, name: str) -> Self:
        """Return inputs with an independent random source."""
        other = copy.copy(self)
        other._generator = self._generator.fork(name)  # noqa: SLF001 - of its own kind
        return other

    def create(self, extent: Extent = Extent.RANDOM) -> dict[str, Any]:
        """Return a generated model, with the overrides for CREATE.

        Raises:
            UnsatisfiableError: the generator finds none.
        """
        match extent:
            case Extent.MINIMAL:
                model = self._generator.minimal()
            case Extent.MAXIMAL:
                model = self._generator.maximal()
            case Extent.RANDOM:
                model = self._generator.random()
            case _:
                assert_never(extent)
        return apply_overrides(self._schema, model, self._create_overrides)

    def several(self, count: int) -> list[dict[str, Any]]:
        """Models with different identifiers; fewer than `count` where the schema allows no more."""
        found: list[dict[str, Any]] = []
        taken: set[tuple[int, str]] = set()
        for _ in range(3 * count):
            if len(found) == count:
                break
            model = self.create(Extent.RANDOM)
            identities = identities_of(self._schema, model)
            if not identities & taken:
                found.append(model)
                taken |= identities
        return found

    def update(self, request: Model, extent: Extent = Extent.RANDOM) -> dict[str, Any] | None:
        """Return a change of `request` that keeps createOnly values, with the overrides for UPDATE."""
        try:
            changed = self._generator.changed(request, extent=extent)
        except UnsatisfiableError:
            return None
        changed = apply_overrides(self._schema, self._with_tags_of(request, changed), self._update_overrides)
        return None if changed == request else changed

    def _with_tags_of(self, request: Model, changed: dict[str, Any]) -> dict[str, Any]:
        """`changed`, with the tags of `request` where the type says that update does not take others."""
        tagging = self._schema.tagging
        if not tagging.taggable or tagging.tag_updatable:
            return changed
        tags = value_at(request, tagging.tag_property)
        return (
            without(changed, tagging.tag_property)
            if tags is ABSENT
            else with_value(changed, tagging.tag_property, tags)
        )

    def thinner(self, request: Model) -> dict[str, Any] | None:
        """`request` with less inside, with the overrides for UPDATE."""
        less = thinned(self._schema, request)
        less = less and apply_overrides(self._schema, self._with_tags_of(request, less), self._update_overrides)
        return None if less == request else less

    def invalid(self) -> list[InvalidInput]:
        """One model for each kind of constraint that the schema has."""
        try:
            found = self._generator.invalid(limit=24)
        except UnsatisfiableError:
            return []
        # A resource with a broken identifier could be neither found nor deleted again.
        names = {path[0] for each in _identifiers(self._schema) for path in each}
        usable = [each for each in found if parse_pointer(each.pointer)[0] not in names]
        return [InvalidInput(each.value, f"{each.why} ({each.keyword} at {each.pointer})") for each in usable[:12]]

    def value_at(self, path: PropertyPath) -> Any:
        """Return a value that fits the property at `path`."""
        return self._generator.value_at(path)


class GivenInputs:
    """One set of `inputs/`: create, update, invalid; `others` are the create models of further sets.

    A number or boolean that is written as a text is that number or boolean, as CloudFormation reads it; but what is
    meant to be invalid is left as it is.
    """

    given = True

    def __init__(  # noqa: PLR0913 - one argument an input file
        self,
        schema: ResourceSchema,
        *,
        create: Model,
        update: Model | None = None,
        invalid: Model | None = None,
        others: Sequence[Model] = (),
        name: str = "inputs/ set 1",
        seed: int = 0,
    ) -> None:
        self._schema = schema
        self._create = dict(parse_texts(schema, create))
        self._update = None if update is None else dict(parse_texts(schema, update))
        self._invalid = invalid
        self._others = tuple(parse_texts(schema, each) for each in others)
        self._generator = InstanceGenerator(schema, seed=seed)
        self.name = name

    def claims(self, *, several: bool = False) -> frozenset[str]:
        """Return the identifiers that the create model says, or those of all sets."""
        models = (self._create, *self._others) if several else (self._create,)
        return frozenset(f"{place} {value}" for each in models for place, value in identities_of(self._schema, each))

    def likeness(self, model: Model) -> str:
        """Return the model itself."""
        return _text_of(model)

    def likenesses(self, *, several: bool = False) -> frozenset[str]:
        """Return the create and the update model, or those of all sets."""
        models = [self._create, *([] if self._update is None else [self._update]), *(self._others if several else ())]
        return frozenset(_text_of(each) for each in models)

    def fork(self, name: str) -> Self:
        """Return these inputs: they are the same for all tests."""
        other = copy.copy(self)
        other._generator = self._generator.fork(name)  # noqa: SLF001 - of its own kind
        return other

    def create(self, extent: Extent = Extent.RANDOM) -> dict[str, Any]:
        """Return the set's create model."""
        del extent
        return copied(self._create)

    def several(self, count: int) -> list[dict[str, Any]]:
        """Create models with different identifiers from all sets, repeated if the service generates the identifier."""
        models = [self._create, *self._others]
        if any(path in self._schema.read_only for path in self._schema.primary_identifier):
            models = [models[turn % len(models)] for turn in range(count)]
        different: list[Model] = []
        taken: set[tuple[int, str]] = set()
        for each in models:
            identities = identities_of(self._schema, each)
            if not identities & taken:
                different.append(each)
                taken |= identities
        return [copied(dict(each)) for each in different[:count]]

    def update(self, request: Model, extent: Extent = Extent.RANDOM) -> dict[str, Any] | None:
        """The set's update model, createOnly values of `request` filled in; back to the create model from there."""
        del extent
        if self._update is None:
            return None
        wanted = self._create if _covers(request, self._update) else self._update
        return keep_create_only(self._schema, request, wanted)

    def thinner(self, request: Model) -> None:
        """None: the files of a set can't be reduced."""

    def invalid(self) -> list[InvalidInput]:
        """Return the set's invalid model."""
        if self._invalid is None:
            return []
        return [InvalidInput(copied(dict(self._invalid)), f"the invalid model of {self.name}")]

    def value_at(self, path: PropertyPath) -> Any:
        """Return a value that fits the property at `path`: for negative probes only."""
        return self._generator.value_at(path)


def identities_of(schema: ResourceSchema, model: Model) -> set[tuple[int, str]]:
    """Return the values of every identifier, primary and additional, that `model` has whole, with the place of each."""
    return {
        (place, identity)
        for place, paths in enumerate(_identifiers(schema))
        if (identity := identity_by(paths, model)) is not None
    }


def _identifiers(schema: ResourceSchema) -> tuple[tuple[PropertyPath, ...], ...]:
    return (schema.primary_identifier, *schema.additional_identifiers)


def _text_of(model: Any) -> str:
    return json.dumps(model, sort_keys=True)


def _holds_text(value: Any) -> bool:
    match value:
        case str():
            return True
        case dict():
            return any(_holds_text(each) for each in value.values())
        case list():
            return any(_holds_text(each) for each in value)
        case _:
            return False


def _covers(request: Model, update: Model) -> bool:
    return all(request.get(name) == value for name, value in update.items())


def keep_create_only(schema: ResourceSchema, request: Model, update: Model) -> dict[str, Any]:
    """`update` with the createOnly values that it leaves out taken from `request`: CloudFormation sends them."""
    result = copied(dict(update))
    for path in schema.create_only:
        if "*" in path or path in schema.read_only:
            continue
        value = value_at(request, path)
        if value is not ABSENT and not has_value(result, path):
            result = with_value(result, path, value)
    return result


def apply_overrides(schema: ResourceSchema, model: Model, overrides: Overrides) -> dict[str, Any]:
    """`model` with each override's value at its place; a place that the model lacks is made where it can be.

    A copy, but `model` itself where there is nothing to put in.
    """
    if not overrides:
        return dict(model)
    result = copied(dict(model))
    for tokens, value in overrides.items():
        if not tokens or (tokens[0] not in result and tokens[0] not in schema.properties):
            continue
        _put(result, tokens, copied(value))
    return result


def _put(container: Any, tokens: Sequence[str], value: Any) -> None:
    head, rest = tokens[0], tokens[1:]
    if isinstance(container, list):
        if not head.isdecimal() or int(head) > len(container):
            return
        if int(head) == len(container):
            container.append({} if rest else value)
        if not rest:
            container[int(head)] = value
            return
        _put(container[int(head)], rest, value)
        return
    if not isinstance(container, dict):
        return
    if not rest:
        container[head] = value
        return
    if not isinstance(container.get(head), dict | list):
        container[head] = [] if rest[0].isdecimal() else {}
    _put(container[head], rest, value)


def create_only_changes(
    schema: ResourceSchema, create: Model, update: Model
) -> Iterator[tuple[PropertyPath, Any, Any]]:
    """Yield path, old and new value of createOnly properties that `update` would change, which is not allowed."""
    for path in schema.create_only:
        if "*" in path:
            continue
        before, after = value_at(create, path), value_at(update, path)
        if after is not ABSENT and before is not ABSENT and not schema.equal(path, before, after):
            yield path, before, after
