"""Whether a change needs a new physical resource."""

from collections.abc import Iterable, Mapping, Sequence

from formwork.engine.changes.values import ChangeDetail, EvaluationType, Recreation, Replacement, TypeTraits
from formwork.template.expressions import Path


def recreation_of(path: Path, traits: TypeTraits) -> Recreation:
    """Return whether the change of a property at `path` needs recreation; an index of a list matches `*`."""
    steps = tuple("*" if isinstance(each, int) else each for each in path)
    if not traits.updatable or _touches(traits.create_only, steps):
        return Recreation.ALWAYS
    if _touches(traits.conditional_create_only, steps):
        return Recreation.CONDITIONALLY
    return Recreation.NEVER


def replacement_of(details: Iterable[ChangeDetail]) -> Replacement:
    """Return the replacement that follows from all details; it is conditional where a value may stay the same."""
    answer = Replacement.FALSE
    for each in _by_name(details).values():
        always = [detail for detail in each if detail.recreation is Recreation.ALWAYS]
        if any(detail.evaluation is EvaluationType.STATIC for detail in always):
            return Replacement.TRUE
        if always or any(detail.recreation is Recreation.CONDITIONALLY for detail in each):
            answer = Replacement.CONDITIONAL
    return answer


def _by_name(details: Iterable[ChangeDetail]) -> Mapping[str | None, Sequence[ChangeDetail]]:
    groups: dict[str | None, list[ChangeDetail]] = {}
    for each in details:
        groups.setdefault(each.name, []).append(each)
    return groups


def _touches(paths: Iterable[tuple[str, ...]], steps: tuple[str, ...]) -> bool:
    """Return whether one of the paths is at, above or below the place that changes."""
    return any(all(a == b or "*" in (a, b) for a, b in zip(path, steps, strict=False)) for path in paths)
