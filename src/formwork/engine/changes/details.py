"""The causes of a property's change: its text in the template, a parameter, another resource."""

from collections.abc import Iterator

from msgspec import Struct

from formwork.engine.changes.differences import ValueDifference, shown
from formwork.engine.changes.recreation import recreation_of
from formwork.engine.changes.values import (
    ChangeDetail,
    ChangeScope,
    ChangeSource,
    EvaluationType,
    Recreation,
    TypeTraits,
)
from formwork.template import Items, Members, Reference, ReferenceKind, Resource, references_in, to_value
from formwork.template.expressions import Expression, Path


class DetailSources(Struct, frozen=True):
    """The possible causes of a resource's changes.

    `parameters` are those whose value changes, `new_parameters` those of them that the old template lacks, `fresh`
    the resources that are recreated, `modified` those that change in place.
    """

    before: Resource
    after: Resource
    parameters: frozenset[str]
    new_parameters: frozenset[str]
    fresh: frozenset[str]
    modified: frozenset[str]

    def possible_details(self, traits: TypeTraits, named: set[str | None]) -> Iterator[ChangeDetail]:
        """Yield the changes that a changed attribute of a resource, itself changed in place, might cause."""
        properties = self.after.properties
        if not isinstance(properties, Members):
            return
        for name, expression in properties.members.items():
            for reference in references_in(expression):
                if reference.kind is ReferenceKind.ATTRIBUTE and reference.name in self.modified and name not in named:
                    yield ChangeDetail(
                        ChangeScope.PROPERTIES,
                        EvaluationType.DYNAMIC,
                        ChangeSource.ATTRIBUTE,
                        recreation_of((name,), traits),
                        name=name,
                        causing_entity=f"{reference.name}.{reference.attribute}",
                    )


def direct_detail(scope: ChangeScope) -> ChangeDetail:
    """Return the change of an attribute other than the properties; such changes never replace a resource."""
    return ChangeDetail(scope, EvaluationType.STATIC, ChangeSource.DIRECT, Recreation.NEVER)


def parameter_details(scope: ChangeScope, expression: Expression, changed: frozenset[str]) -> Iterator[ChangeDetail]:
    """Yield the changes that parameters cause in an attribute other than the properties, whose text is unchanged."""
    references = references_in(expression)
    names = dict.fromkeys(each.name for each in references if each.kind is ReferenceKind.NAME and each.name in changed)
    for name in names:
        yield ChangeDetail(scope, EvaluationType.STATIC, ChangeSource.PARAMETER, Recreation.NEVER, causing_entity=name)
    if names:
        yield ChangeDetail(scope, EvaluationType.DYNAMIC, ChangeSource.DIRECT, Recreation.NEVER)


def property_details(
    sources: DetailSources, difference: ValueDifference, traits: TypeTraits, *, values: bool
) -> Iterator[ChangeDetail]:
    """Yield the details of one difference; `values` says that property values were requested."""
    expression = _expression_at(sources.after.properties, difference.path)
    references = () if expression is None else tuple(references_in(expression))
    rewritten = _text_at(sources.before.properties, difference.path) != _text_at(
        sources.after.properties, difference.path
    )

    def detail(source: ChangeSource, evaluation: EvaluationType, cause: str | None = None) -> ChangeDetail:
        found = ChangeDetail(
            ChangeScope.PROPERTIES,
            evaluation,
            source,
            recreation_of(difference.path, traits),
            name=str(difference.path[0]),
            causing_entity=cause,
        )
        return _with_values(found, difference) if values else found

    resources = tuple(dict.fromkeys(_resource_causes(references, sources.fresh)))
    parameters = tuple(
        dict.fromkeys(
            each.name for each in references if each.kind is ReferenceKind.NAME and each.name in sources.parameters
        )
    )
    caused = bool(resources or parameters) and not rewritten
    dynamic = caused or not sources.new_parameters.isdisjoint(parameters)
    direct = detail(ChangeSource.DIRECT, EvaluationType.DYNAMIC if dynamic else EvaluationType.STATIC)
    if resources and (values or rewritten):
        yield direct
    for source, cause in resources:
        yield detail(source, EvaluationType.STATIC, cause)
    for name in parameters:
        yield detail(ChangeSource.PARAMETER, EvaluationType.STATIC, name)
    if not resources:
        yield direct


def _resource_causes(references: tuple[Reference, ...], fresh: frozenset[str]) -> Iterator[tuple[ChangeSource, str]]:
    for each in references:
        if each.name not in fresh:
            continue
        if each.kind is ReferenceKind.NAME:
            yield ChangeSource.RESOURCE, each.name
        elif each.kind is ReferenceKind.ATTRIBUTE:
            yield ChangeSource.ATTRIBUTE, f"{each.name}.{each.attribute}"


def _with_values(detail: ChangeDetail, difference: ValueDifference) -> ChangeDetail:
    return ChangeDetail(
        detail.scope,
        detail.evaluation,
        detail.source,
        detail.recreation,
        name=detail.name,
        causing_entity=detail.causing_entity,
        path="/" + "/".join(("Properties", *map(str, difference.path))),
        change_type=difference.kind,
        before=shown(difference.before),
        after=shown(difference.after),
    )


def _expression_at(properties: Expression | None, path: Path) -> Expression | None:
    """Return the innermost expression of the template that gives the value at `path`."""
    found = properties
    for step in path:
        match found:
            case Members() if step in found.members:
                found = found.members[str(step)]
            case Items() if isinstance(step, int) and step < len(found.items):
                found = found.items[step]
            case Members() | Items() | None:
                return None
            case _:
                return found
    return found


def _text_at(properties: Expression | None, path: Path) -> object:
    found = _expression_at(properties, path)
    return None if found is None else to_value(found)
