"""The targets of a hook under test: the types that its handlers name, wildcards expanded over the types at hand.

The reasons are in docs/decisions/0551.
"""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase

from msgspec import Struct

from formwork.project.targets import is_wildcard
from formwork.schema import HookSchema, ResourceSchema

# What a handler may name besides resource types.
_WHOLES = {"STACK": "STACK", "CHANGE_SET": "CHANGE_SET"}
_UNHEARD_OF = ("Initech::Unheard::Thing", "Formwork::Contract::Unnamed", "Zzz9::Unheard::OfThis")


class InvocationPoint(StrEnum):
    """When a hook is called, as requests and overrides name it."""

    PRE_CREATE = "CREATE_PRE_PROVISION"
    PRE_UPDATE = "UPDATE_PRE_PROVISION"
    PRE_DELETE = "DELETE_PRE_PROVISION"

    @property
    def handler(self) -> str:
        """The schema's name of the handler: `preCreate`."""
        return "pre" + self.value.partition("_")[0].capitalize()

    @property
    def marker(self) -> str:
        """The test marker: `create_pre_provision`."""
        return self.value.lower()


class TargetUnderTest(Struct, frozen=True):
    """One target; `schema` is None if it is unavailable, and for targets that are not resource types."""

    name: str
    schema: ResourceSchema | None = None

    @property
    def kind(self) -> str:
        """The request's `targetType`: RESOURCE, STACK or CHANGE_SET."""
        return _WHOLES.get(self.name, "RESOURCE")


def expand_targets(
    schema: HookSchema, point: InvocationPoint, known: Mapping[str, ResourceSchema], given: Iterable[str]
) -> tuple[list[TargetUnderTest], list[str]]:
    """Return the targets of the point's handler by name, and the wildcards that no available type matches.

    The available types are those with a schema (`known`) and those of the inputs (`given`).
    """
    at_hand = sorted({*known, *(each for each in given if "::" in each)})
    handler = schema.handlers.get(point.handler)
    names: dict[str, None] = {}
    empty: list[str] = []
    for name in handler.target_names if handler else ():
        matching = [each for each in at_hand if fnmatchcase(each, name)] if is_wildcard(name) else [name]
        names.update(dict.fromkeys(matching))
        if not matching:
            empty.append(name)
    return [TargetUnderTest(each, known.get(each)) for each in names], empty


def sample_targets(
    targets: Sequence[TargetUnderTest], *, most: int, seed: int, always: Collection[str] = ()
) -> list[TargetUnderTest]:
    """At most `most` of the targets, in their order, chosen by `seed`; those named in `always` come on top."""
    others = [each.name for each in targets if each.name not in always]
    if len(others) <= most:
        return list(targets)
    chosen = {*always, *random.Random(seed).sample(others, most)}  # noqa: S311 - a choice of tests, no secret
    return [each for each in targets if each.name in chosen]


def unnamed_target(names: Iterable[str]) -> str | None:
    """Return a type name that none of `names` means; None where they mean every type."""
    names = list(names)
    free = (each for each in _UNHEARD_OF if not any(fnmatchcase(each, name) for name in names))
    return next(free, None)
