"""What pages show of a stack's properties, models and template: secrets are masked as in its events."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from formwork.diagnostics.secrets import NO_ECHO_MASK, mask_at, mask_copies, mask_text, secrets_at
from formwork.engine.deployed.secrets import hidden_values, with_references
from formwork.engine.engine import Engine
from formwork.schema import ResourceSchema
from formwork.stacks.store.records import Deployment, ResourceRecord, StackRecord
from formwork.stacks.store.resources import list_custom_resources, list_resources


class ShownResource(Struct, frozen=True):
    """A resource's properties by the template, and its model as it was last read."""

    properties: Mapping[str, Any]
    model: Mapping[str, Any]


class StackMask:
    """Masks the secrets of one stack: values of NoEcho parameters, and answers of custom resources with NoEcho."""

    def __init__(self, engine: Engine, stack: StackRecord, shown: Deployment | None) -> None:
        """Take the stack and its deployment that pages show, which may be one that an operation is deploying."""
        self._engine = engine
        self._stack = stack
        self._schemas: dict[str, ResourceSchema | None] = {}
        deployments = (shown,) if shown is stack.deployed else (stack.deployed, shown)
        views = [None if each is None else engine.planner.view(stack, each) for each in deployments]
        with engine.database.read() as connection:
            self._hidden = hidden_values(views, list_custom_resources(connection, stack.id))

    def resource(self, resource: ResourceRecord) -> ShownResource:
        """Return what is shown of a resource; writeOnly properties are masked too."""
        schema = self.schema(resource.type)
        write_only = () if schema is None else schema.write_only
        properties = dict(resource.properties)
        written = secrets_at(properties, write_only)
        masked = with_references(mask_at(properties, write_only, NO_ECHO_MASK), properties)
        hidden = [*self._hidden, *written]
        model = mask_at(dict(resource.model), write_only, NO_ECHO_MASK)
        shown = {name: each for name, each in model.items() if name[:1] != "$"}  # what the engine itself notes
        return ShownResource(mask_copies(masked, hidden, NO_ECHO_MASK), mask_copies(shown, hidden, NO_ECHO_MASK))

    def learn_written(self) -> None:
        """Mask the values of writeOnly properties wherever they are repeated, as in the text of the template."""
        with self._engine.database.read() as connection:
            resources = list_resources(connection, self._stack.id)
        for each in resources.values():
            if (schema := self.schema(each.type)) is not None:
                self._hidden += secrets_at(dict(each.properties), schema.write_only)

    def learn_declared(self, deployment: Deployment) -> None:
        """Mask what a template writes into writeOnly properties, also of resources that do not exist any more."""
        declared = deployment.template.get("Resources")
        for each in declared.values() if isinstance(declared, Mapping) else ():
            properties = each.get("Properties") if isinstance(each, Mapping) else None
            if isinstance(properties, Mapping) and (schema := self.schema(str(each.get("Type")))) is not None:
                self._hidden += secrets_at(_literals(dict(properties)), schema.write_only)

    def change(self, change: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a change of DescribeChangeSet without the values of writeOnly properties, which the API shows."""
        shown = dict(change["ResourceChange"])
        schema = self.schema(shown["ResourceType"])
        write_only = () if schema is None else schema.write_only
        secrets: set[str] = set()
        for name in ("BeforeContext", "AfterContext", "PreviousDeploymentContext"):
            context = json.loads(shown.get(name) or "null")
            if isinstance(context, dict) and isinstance(properties := context.get("Properties"), dict):
                secrets |= secrets_at(properties, write_only)
                masked = {**context, "Properties": mask_at(properties, write_only, NO_ECHO_MASK)}
                shown[name] = json.dumps(masked)
        shown["Details"] = [_without_values(each, write_only) for each in shown.get("Details") or ()]
        masked_change: Mapping[str, Any] = mask_copies(shown, [*self._hidden, *secrets], NO_ECHO_MASK)
        return {**change, "ResourceChange": masked_change}

    def value(self, value: Any) -> Any:
        """Return a JSON value with copies of secrets masked."""
        return mask_copies(value, self._hidden, NO_ECHO_MASK)

    def text(self, text: str) -> str:
        """Return a text with copies of secrets masked."""
        return mask_text(text, frozenset(self._hidden), NO_ECHO_MASK)

    def schema(self, type_name: str) -> ResourceSchema | None:
        """Return the schema of a type in the stack's account and Region, None where there is none."""
        if type_name not in self._schemas:
            provisioner = self._engine.settings.types.find(self._stack.scope, type_name)
            self._schemas[type_name] = None if provisioner is None else provisioner.schema
        return self._schemas[type_name]


def _literals(value: Any) -> Any:
    """Return a value of a template without intrinsic functions: their arguments are names, not secrets."""
    if isinstance(value, Mapping):
        if any(name == "Ref" or name.startswith("Fn::") for name in value):
            return None
        return {name: _literals(each) for name, each in value.items()}
    return [_literals(each) for each in value] if isinstance(value, list) else value


def _without_values(detail: Mapping[str, Any], write_only: Iterable[Sequence[str]]) -> Mapping[str, Any]:
    """Return a detail of a change without its values where it is at or below a writeOnly property."""
    target = detail["Target"]
    steps = str(target.get("Path") or f"/Properties/{target.get('Name') or ''}").split("/")[2:]
    if not any(_leads_to(steps, path) for path in write_only):
        return detail
    values = {each: NO_ECHO_MASK for each in ("BeforeValue", "AfterValue") if target.get(each) is not None}
    return {**detail, "Target": {**target, **values, "Drift": None}}


def _leads_to(steps: Sequence[str], path: Sequence[str]) -> bool:
    """Return whether the value at `steps` is, contains or is inside the property at `path`."""
    return all(step in {wanted, "*"} or wanted == "*" for step, wanted in zip(steps, path, strict=False))
