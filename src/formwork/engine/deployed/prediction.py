"""Predicts the changes in a stack when one deployment replaces another."""

from collections.abc import Callable, Iterable, Mapping

from formwork.engine.changes.compute import Changes, StackSide, compute_changes
from formwork.engine.changes.values import DeployedResource, LiveState, TypeTraits
from formwork.engine.deployed.view import DeploymentView
from formwork.stacks.store.records import ResourceRecord
from formwork.template.evaluation import NoResources
from formwork.template.expansion import ModuleInfo


def predict_changes(
    before: DeploymentView | None,
    after: DeploymentView,
    records: Mapping[str, ResourceRecord],
    traits_of: Callable[[str], TypeTraits],
    live: Mapping[str, LiveState] | None = None,
) -> Changes:
    """Return what deploying `after` changes in a stack whose resources are `records`; see `compute_changes`.

    Raises:
        EvaluationError: a property of the new template has no value.
    """
    return compute_changes(
        None if before is None else _side(before),
        _side(after),
        {} if before is None else dict(_deployed(before, records)),
        traits_of,
        live,
    )


def _side(view: DeploymentView) -> StackSide:
    deployment = view.deployment
    modules = {name: ModuleInfo(*each) for name, each in deployment.modules.items()}
    return StackSide(
        view.template, view.environment(NoResources()), given=deployment.given, tags=deployment.tags, modules=modules
    )


def _deployed(view: DeploymentView, records: Mapping[str, ResourceRecord]) -> Iterable[tuple[str, DeployedResource]]:
    for name, each in records.items():
        if name in view.template.resources:
            yield (
                name,
                DeployedResource(
                    view.template.resources[name],
                    each.physical_id,
                    each.properties,
                    each.model,
                    None if each.module is None else ModuleInfo(*each.module),
                ),
            )
