"""Computes the changes between two templates of a stack whose resources are deployed.

There are two results, as in the service: with property values the new values are computed, and a resource that only
refers to attributes that stay the same does not change; without them all possible changes are listed. The rules were
derived from recorded answers of the service.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.documents import Json
from formwork.engine.changes.details import DetailSources, direct_detail, parameter_details, property_details
from formwork.engine.changes.differences import ValueDifference, find_differences, texts
from formwork.engine.changes.drifted import drift_details, with_live_state
from formwork.engine.changes.graph import build_graph
from formwork.engine.changes.recreation import replacement_of
from formwork.engine.changes.values import (
    ChangeAction,
    ChangeDetail,
    ChangeScope,
    ChangeSource,
    DeployedResource,
    EvaluationType,
    LiveState,
    PolicyAction,
    Recreation,
    Replacement,
    ResourceChange,
    TypeTraits,
)
from formwork.template import Resource, Template, literal, to_value
from formwork.template.evaluation import (
    UNKNOWN,
    Environment,
    Evaluator,
    NoResources,
    StackOutput,
    UnknownStacks,
    Value,
)
from formwork.template.expansion import ModuleInfo
from formwork.template.expressions import Expression

_POLICY_ACTIONS = {
    "Retain": (PolicyAction.RETAIN, PolicyAction.REPLACE_AND_RETAIN),
    "RetainExceptOnCreate": (PolicyAction.RETAIN, PolicyAction.REPLACE_AND_RETAIN),
    "Snapshot": (PolicyAction.SNAPSHOT, PolicyAction.REPLACE_AND_SNAPSHOT),
}


class StackSide(Struct, frozen=True):
    """One side of a change: a processed template and its environment.

    `given` are the parameters' values as texts, before lookups in Parameter Store; `tags` are the stack's.
    """

    template: Template
    environment: Environment
    given: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, ModuleInfo] = field(default_factory=dict)


class Changes(Struct, frozen=True):
    """The changes, by logical id: `plain` has all possible changes, `with_values` only certain ones.

    `gaps` say why values could not be computed: (logical id, reason). `actual` are the actual properties of resources
    that have drifted.
    """

    plain: tuple[ResourceChange, ...]
    with_values: tuple[ResourceChange, ...]
    gaps: tuple[tuple[str, str], ...] = ()
    actual: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)


def compute_changes(
    before: StackSide | None,
    after: StackSide,
    deployed: Mapping[str, DeployedResource],
    traits_of: Callable[[str], TypeTraits],
    live: Mapping[str, LiveState] | None = None,
) -> Changes:
    """Return the changes of deploying `after` to a stack with resources `deployed`; `live`: states of drifted ones.

    Raises:
        EvaluationError: a property of the new template has no value.
    """
    return _Computation(before, after, deployed, traits_of, live or {}).run()


class _Predicted:
    """Resources after the change: values of recreated ones are unknown, others stay the same."""

    def __init__(self, deployed: Mapping[str, DeployedResource], fresh: set[str]) -> None:
        self._deployed = deployed
        self._fresh = fresh

    def reference(self, logical_id: str) -> Value:
        known = None if logical_id in self._fresh else self._deployed.get(logical_id)
        return UNKNOWN if known is None or known.physical_id is None else known.physical_id

    def attribute(self, logical_id: str, name: str) -> Value:
        known = None if logical_id in self._fresh else self._deployed.get(logical_id)
        if known is None:
            return UNKNOWN
        value: Json = dict(known.attributes)
        for step in name.split("."):
            if not isinstance(value, dict) or step not in value:
                return UNKNOWN
            value = value[step]
        return value


class _Computation:
    def __init__(
        self,
        before: StackSide | None,
        after: StackSide,
        deployed: Mapping[str, DeployedResource],
        traits_of: Callable[[str], TypeTraits],
        live: Mapping[str, LiveState],
    ) -> None:
        self._before = before
        self._after = after
        self._deployed = deployed
        self._traits_of = traits_of
        self._live = live
        self._actual: dict[str, Mapping[str, Value]] = {}
        self._fresh: set[str] = set()  # added or replaced: their values are unknown yet
        self._modified: set[str] = set()  # changed in place, or possibly changed
        self._gaps: list[tuple[str, str]] = []
        self._looked_at = ""  # the resource whose properties are evaluated
        environment = replace(after.environment, resources=_Predicted(deployed, self._fresh), stacks=self)
        self._evaluator = Evaluator(after.template, environment)
        given = before.given if before is not None else after.given
        self._parameters = frozenset(name for name, text in after.given.items() if given.get(name) != text)
        self._new_parameters = self._parameters - given.keys()
        self._tags_differ = before is not None and before.tags != after.tags

    def export(self, name: str) -> Value:
        """See `OtherStacks.export`; UNKNOWN if it does not exist yet."""
        try:
            return self._after.environment.stacks.export(name)
        except KeyError:
            self._gaps.append((self._looked_at, f"No export named {name}"))
            return UNKNOWN

    def output(self, wanted: StackOutput) -> Value:
        """See `OtherStacks.output`; UNKNOWN if it does not exist yet."""
        try:
            return self._after.environment.stacks.output(wanted)
        except LookupError as error:
            self._gaps.append((self._looked_at, str(error.args[0])))
            return UNKNOWN

    def run(self) -> Changes:
        plain: dict[str, ResourceChange] = {}
        valued: dict[str, ResourceChange] = {}
        for logical_id in build_graph(self._after.template, self._evaluator):
            resource = self._after.template.resources[logical_id]
            known = self._deployed.get(logical_id)
            self._looked_at = logical_id
            missing = known is None or self._is_deleted(logical_id)
            certain, possible = self._add(resource) if known is None or missing else self._modify(resource, known)
            if certain is not None:
                valued[logical_id] = self._with_previous(certain, known)
            if possible is not None:
                plain[logical_id] = self._with_live(possible)
        for logical_id, known in self._deployed.items():
            resource_after = self._after.template.resources.get(logical_id)
            if resource_after is None or not self._evaluator.exists(resource_after):
                removed = self._remove(logical_id, known)
                valued[logical_id] = self._with_previous(removed, known)
                plain[logical_id] = self._with_live(replace(removed, before_context=None))
        gaps = tuple(dict.fromkeys(self._gaps))
        return Changes(_in_order(plain), _in_order(valued), gaps, self._actual)

    def _is_deleted(self, logical_id: str) -> bool:
        live = self._live.get(logical_id)
        return live is not None and live.found.status == "DELETED"

    def _with_live(self, change: ResourceChange) -> ResourceChange:
        live = self._live.get(change.logical_id)
        return change if live is None else with_live_state(change, live)

    def _with_previous(self, change: ResourceChange, known: DeployedResource | None) -> ResourceChange:
        if known is None or change.logical_id not in self._live:
            return change
        return replace(self._with_live(change), previous_context=_context(known.declaration, known.properties))

    def _add(self, resource: Resource) -> tuple[ResourceChange, ResourceChange]:
        self._fresh.add(resource.logical_id)
        module = self._after.modules.get(resource.logical_id)
        change = ResourceChange(ChangeAction.ADD, resource.logical_id, resource.type, module=module)
        context = _context(resource, self._evaluator.properties(resource))
        return replace(change, after_context=context), change

    def _remove(self, logical_id: str, known: DeployedResource) -> ResourceChange:
        declaration = known.declaration
        properties: Value = known.properties
        if self._before is not None and logical_id in self._before.template.resources:
            # As the service shows them: without values of other resources.
            environment = replace(self._before.environment, resources=NoResources(), stacks=UnknownStacks())
            properties = Evaluator(self._before.template, environment).properties(declaration)
        return ResourceChange(
            ChangeAction.REMOVE,
            logical_id,
            declaration.type,
            physical_id=known.physical_id,
            policy_action=_policy(declaration.deletion_policy, self._before)[0],
            module=known.module,
            before_context=_context(declaration, properties),
        )

    def _modify(
        self, resource: Resource, known: DeployedResource
    ) -> tuple[ResourceChange | None, ResourceChange | None]:
        traits = self._traits_of(resource.type)
        properties = self._evaluator.properties(resource)
        live = self._live.get(resource.logical_id)
        found = known.properties if live is None else live.actual(properties)
        if found != known.properties:
            self._actual[resource.logical_id] = found
        differences = tuple(find_differences(dict(found), properties))
        sources = DetailSources(
            known.declaration,
            resource,
            self._parameters,
            self._new_parameters,
            frozenset(self._fresh),
            frozenset(self._modified),
        )
        attributes = tuple(self._attribute_details(resource, known, traits))
        certain = self._details(sources, differences, traits, values=True)
        possible = self._details(sources, differences, traits, values=live is not None)
        if live is not None:
            certain, possible = (drift_details(live, known.properties, found, each) for each in (certain, possible))
        possible += tuple(sources.possible_details(traits, {each.name for each in possible}))
        change = ResourceChange(
            ChangeAction.MODIFY,
            resource.logical_id,
            resource.type,
            physical_id=known.physical_id,
            module=self._after.modules.get(resource.logical_id),
        )
        policy = _policy(resource.update_replace_policy, self._after)[1]
        valued = _with_details(change, (*certain, *attributes), policy)
        plain = _with_details(change, (*possible, *attributes), policy)
        if valued is not None:
            before, after = (_context(*each) for each in ((known.declaration, found), (resource, properties)))
            valued = replace(valued, before_context=before, after_context=after)
        self._remember(resource.logical_id, valued, plain)
        return valued, plain

    def _details(
        self, sources: DetailSources, differences: tuple[ValueDifference, ...], traits: TypeTraits, *, values: bool
    ) -> tuple[ChangeDetail, ...]:
        found = (
            each for difference in differences for each in property_details(sources, difference, traits, values=values)
        )
        return tuple(dict.fromkeys(found))

    def _attribute_details(
        self, resource: Resource, known: DeployedResource, traits: TypeTraits
    ) -> Iterator[ChangeDetail]:
        for scope, now, then in _attributes(resource, known.declaration):
            if (now is None) != (then is None) or (now is not None and then is not None and _differ(now, then)):
                yield direct_detail(scope)
            elif scope is ChangeScope.METADATA and then is not None:
                yield from parameter_details(scope, then, self._parameters)
        if self._tags_differ and traits.taggable:
            yield direct_detail(ChangeScope.TAGS)
        if traits.automatic:
            yield ChangeDetail(ChangeScope.PROPERTIES, EvaluationType.DYNAMIC, ChangeSource.AUTOMATIC, Recreation.NEVER)

    def _remember(self, logical_id: str, valued: ResourceChange | None, plain: ResourceChange | None) -> None:
        if valued is not None and valued.replacement is Replacement.TRUE:
            self._fresh.add(logical_id)
        elif plain is not None:
            self._modified.add(logical_id)


def _in_order(changes: Mapping[str, ResourceChange]) -> tuple[ResourceChange, ...]:
    return tuple(changes[name] for name in sorted(changes))


def _with_details(
    change: ResourceChange, details: tuple[ChangeDetail, ...], policy: PolicyAction
) -> ResourceChange | None:
    if not details:
        return None
    replacement = replacement_of(details)
    replaced = None if replacement is Replacement.FALSE else policy
    scope = tuple(sorted({each.scope for each in details}))
    return replace(change, replacement=replacement, policy_action=replaced, scope=scope, details=details)


def _policy(expression: Expression | None, side: StackSide | None) -> tuple[PolicyAction, PolicyAction]:
    """Return the action of a policy for a resource that is removed, and for one that is replaced."""
    name: object = None if expression is None else literal(expression)
    if expression is not None and name is None and side is not None:
        name = Evaluator(side.template, replace(side.environment, resources=NoResources())).value(expression)
    return _POLICY_ACTIONS.get(str(name), (PolicyAction.DELETE, PolicyAction.REPLACE_AND_DELETE))


def _attributes(now: Resource, then: Resource) -> Iterator[tuple[ChangeScope, Expression | None, Expression | None]]:
    yield ChangeScope.METADATA, now.metadata, then.metadata
    yield ChangeScope.CREATION_POLICY, now.creation_policy, then.creation_policy
    yield ChangeScope.UPDATE_POLICY, now.update_policy, then.update_policy
    yield ChangeScope.DELETION_POLICY, now.deletion_policy, then.deletion_policy
    yield ChangeScope.UPDATE_REPLACE_POLICY, now.update_replace_policy, then.update_replace_policy


def _differ(one: Expression, other: Expression) -> bool:
    return bool(to_value(one) != to_value(other))


def _context(resource: Resource, properties: Mapping[str, Value]) -> dict[str, Json]:
    context: dict[str, Json] = {"Properties": texts(dict(properties))}
    for scope, expression, _ in _attributes(resource, resource):
        if expression is not None:
            context[scope.value] = to_value(expression)
    return context
