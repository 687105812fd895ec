"""Plans a request: its deployment, and the changes of that in a stack."""

from collections.abc import Mapping

from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.engine.changes.compute import Changes
from formwork.engine.changes.values import LiveState, TypeTraits
from formwork.engine.deployed.prediction import predict_changes
from formwork.engine.deployed.view import DeploymentView
from formwork.engine.lookups import Lookups
from formwork.engine.operations.decisions import type_traits
from formwork.engine.planning.deployments import new_deployment
from formwork.engine.planning.requests import StackRequest
from formwork.engine.quotas import check_resource_types
from formwork.engine.settings import EngineSettings
from formwork.engine.stack_policies import parse_stack_policy
from formwork.preparation.dependencies import TemplateContext
from formwork.preparation.prepared import Prepared, parse_template, prepare_template
from formwork.preparation.pseudo_parameters import pseudo_parameters
from formwork.stacks.errors import ProcessingError
from formwork.stacks.store.records import STACK_TYPE, Deployment, StackRecord
from formwork.stacks.store.resources import list_resources
from formwork.template.evaluation import Environment, EvaluationError


class Planner:
    """Plans deployments. Every method raises StackError for what the service refuses."""

    def __init__(self, database: Database, settings: EngineSettings, lookups: Lookups) -> None:
        self._database = database
        self._settings = settings
        self._lookups = lookups

    def target(
        self, scope: Scope, request: StackRequest, arn: str, text: str, deployed: Deployment | None
    ) -> tuple[Deployment, str | None]:
        """Return the deployment of a request; if the template's macros fail, a substitute and the error."""
        previous = None if deployed is None else deployed.given
        try:
            prepared = self.prepare(scope, request, arn, text, previous=previous)
        except ProcessingError as error:
            return deployed or Deployment(text, dict(parse_template(text).value)), error.message
        return new_deployment(prepared, request, {} if deployed is None else deployed.tags), None

    def prepare(
        self, scope: Scope, request: StackRequest, arn: str, text: str, *, previous: Mapping[str, str] | None
    ) -> Prepared:
        """Prepare a request's template for the stack `arn`; see `prepare_template`."""
        for policy in (request.policy, request.policy_during):
            if policy is not None:
                parse_stack_policy(policy)
        settings = self._settings
        pseudo = pseudo_parameters(
            scope,
            stack_name=request.name,
            stack_id=arn,
            notification_arns=request.settings.notification_arns,
        )
        context = TemplateContext(
            scope, Environment(pseudo=pseudo), settings.types, settings.references, settings.transforms
        )
        prepared = prepare_template(
            text, request.parameters, context, previous=previous, capabilities=request.capabilities
        )
        check_resource_types(prepared.template, request.resource_types)
        return prepared

    def has_changes(self, stack: StackRecord, target: Deployment) -> bool:
        """Return whether deploying `target` may change something.

        The results of nested stacks and macros are not known before; the service always updates such stacks.
        """
        deployed = stack.deployed
        assert deployed is not None
        if parse_template(target.original).value.get("Transform"):
            return True
        if any(each.get("Type") == STACK_TYPE for each in target.template["Resources"].values()):
            return True
        if dict(deployed.template) == dict(target.template) and dict(deployed.given) == dict(target.given):
            return dict(deployed.tags) != dict(target.tags) or dict(deployed.stored) != dict(target.stored)
        try:
            changed = bool(self.find_changes(stack, target).plain)
        except EvaluationError:  # the operation fails with the reason
            return True
        return changed or deployed.template.get("Outputs") != target.template.get("Outputs")

    def find_changes(
        self, stack: StackRecord, target: Deployment, live: Mapping[str, LiveState] | None = None
    ) -> Changes:
        """Return the changes of deploying `target` to the stack, or to its actual state `live`."""
        before = None if stack.deployed is None else self.view(stack, stack.deployed)
        with self._database.read() as connection:
            records = list_resources(connection, stack.id)
        return predict_changes(
            before, self.view(stack, target), records, lambda name: self._traits(stack.scope, name), live
        )

    def view(self, stack: StackRecord, deployment: Deployment) -> DeploymentView:
        """Return the view of a deployment of the stack."""
        return DeploymentView(deployment, stack, self._lookups)

    def _traits(self, scope: Scope, type_name: str) -> TypeTraits:
        provisioner = self._settings.types.find(scope, type_name)
        return TypeTraits() if provisioner is None else type_traits(provisioner.schema)
