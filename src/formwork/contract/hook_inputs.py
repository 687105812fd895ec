"""The targets with which a hook's handlers are called: input files, overrides, models from the targets' schemas.

    inputs_1_pre_create.json           what the handler must pass, by target type
    inputs_1_invalid_pre_create.json   what it must refuse; inputs_1_invalid.json for each point without such a file
    overrides.json                     both for generated models, under CREATE_PRE_PROVISION and so on, and
                                       INVALID_CREATE_PRE_PROVISION or INVALID

No schema tells which model a hook passes: of generated models without overrides only that they are answered is known.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.contract.hook_targets import InvocationPoint, TargetUnderTest
from formwork.contract.inputs import apply_overrides
from formwork.documents.copied import copied
from formwork.instances import Extent, InstanceGenerator, UnsatisfiableError
from formwork.project.inputs import InputKind
from formwork.project.overrides import HOOK_PARTS, Overrides

TargetModel = dict[str, Any]
_PROPERTIES, _PREVIOUS = HOOK_PARTS
_COMPLIANT = {
    InvocationPoint.PRE_CREATE: InputKind.PRE_CREATE,
    InvocationPoint.PRE_UPDATE: InputKind.PRE_UPDATE,
    InvocationPoint.PRE_DELETE: InputKind.PRE_DELETE,
}
_INVALID = {
    InvocationPoint.PRE_CREATE: InputKind.INVALID_PRE_CREATE,
    InvocationPoint.PRE_UPDATE: InputKind.INVALID_PRE_UPDATE,
    InvocationPoint.PRE_DELETE: InputKind.INVALID_PRE_DELETE,
}


class HookCase(Struct, frozen=True):
    """A target model for a call of the hook; `known`: the author says whether it complies; `origin` is its source."""

    model: TargetModel
    known: bool
    origin: str


class HookInputs(Struct, frozen=True):
    """One run's target models. `files` are the contents of an input set, `overrides` those of the project, if any.

    A set that says nothing of a target leaves it to generated models: a hook changes nothing, whatever it is asked.
    """

    files: Mapping[InputKind, Any] = field(default_factory=dict)
    overrides: Overrides | None = None
    seed: int = 0

    @property
    def target_names(self) -> frozenset[str]:
        """The targets that the files speak of."""
        return frozenset(name for each in self.files.values() if isinstance(each, Mapping) for name in each)

    def compliant(self, point: InvocationPoint, target: TargetUnderTest, *, more: int = 1) -> list[HookCase]:
        """Return what the handler should pass; generated models if the author gave none, nothing without a schema.

        `more` is how many random models come after the smallest and the largest one.
        """
        given = self._given(_COMPLIANT[point], target)
        if given is not None:
            return [HookCase(given, known=True, origin=f"the {_COMPLIANT[point]} input")]
        return list(self._generated(point, target, more))

    def non_compliant(self, point: InvocationPoint, target: TargetUnderTest) -> list[HookCase]:
        """Return what the handler must refuse by the inputs or the overrides; empty if they have no such model."""
        for kind in (_INVALID[point], InputKind.INVALID):
            given = self._given(kind, target)
            if given is not None:
                return [self._refused_case(given, kind, point, target)]
        action = f"INVALID_{point}"
        if not self._overridden(action, target):
            return []
        base = next(iter(self._generated(point, target, more=0)), None)
        if base is None:
            return []
        return [HookCase(self._override(base.model, action, target), known=True, origin="the overrides for INVALID")]

    def _refused_case(
        self, given: TargetModel, kind: InputKind, point: InvocationPoint, target: TargetUnderTest
    ) -> HookCase:
        """Return the case of an invalid input.

        An input for any point may lack the previous properties, which CloudFormation sends with every update: it gets
        those of what should pass. Whether such a change is to be refused is not known then.
        """
        if point is not InvocationPoint.PRE_UPDATE or "previousResourceProperties" in given:
            return HookCase(given, known=True, origin=f"the {kind} input")
        passing = self._given(_COMPLIANT[point], target) or self._given(InputKind.PRE_CREATE, target) or given
        previous = passing.get("resourceProperties")
        origin = f"the {kind} input, as a change of what should pass"
        return HookCase({**given, "previousResourceProperties": previous}, known=False, origin=origin)

    def _given(self, kind: InputKind, target: TargetUnderTest) -> TargetModel | None:
        content = self.files.get(kind)
        model = content.get(target.name) if isinstance(content, Mapping) else None
        return copied(dict(model)) if isinstance(model, Mapping) else None

    def _generated(self, point: InvocationPoint, target: TargetUnderTest, more: int) -> Iterator[HookCase]:
        if target.kind != "RESOURCE":
            model = stack_model(changing=point is InvocationPoint.PRE_UPDATE)
            yield HookCase(model, known=False, origin="a generated template")
            return
        if target.schema is None:
            return
        known = bool(self._overridden(str(point), target))
        said = "generated from the target's schema" + (" with the overrides" if known else "")
        generator = InstanceGenerator(target.schema, seed=self.seed)
        for extent in (Extent.MAXIMAL, Extent.MINIMAL, *[Extent.RANDOM] * more):
            try:
                model = _target_model(generator, point, extent)
            except UnsatisfiableError:
                continue
            yield HookCase(self._override(model, str(point), target), known=known, origin=said)

    def _overridden(self, action: str, target: TargetUnderTest) -> dict[str, dict[tuple[str, ...], Any]]:
        if self.overrides is None:
            return {}
        found = {part: self.overrides.for_action(action, target=target.name, part=part) for part in HOOK_PARTS}
        return {part: values for part, values in found.items() if values}

    def _override(self, model: TargetModel, action: str, target: TargetUnderTest) -> TargetModel:
        assert target.schema is not None
        for part, values in self._overridden(action, target).items():
            if part in model:
                model = {**model, part: apply_overrides(target.schema, model[part], values)}
        return model


def _target_model(generator: InstanceGenerator, point: InvocationPoint, extent: Extent) -> TargetModel:
    made = {Extent.MAXIMAL: generator.maximal, Extent.MINIMAL: generator.minimal, Extent.RANDOM: generator.random}
    model = made[extent]()
    if point is InvocationPoint.PRE_UPDATE:
        return {_PROPERTIES: generator.changed(model, extent=extent), _PREVIOUS: model}
    return {_PROPERTIES: model}


def stack_model(*, changing: bool) -> TargetModel:
    """Return what a hook on whole stacks or change sets is given: the template as text, and what changes."""
    kind = "AWS::CloudFormation::WaitConditionHandle"
    template = json.dumps({"Resources": {"Handle": {"Type": kind, "Metadata": {"Version": 2 if changing else 1}}}})
    change = {"LogicalResourceId": "Handle", "ResourceType": kind, "LineNumber": 1, "ResourceProperties": "{}"}
    model: TargetModel = {
        "Template": template,
        "ResolvedTemplate": template,
        "ChangedResources": [{**change, "Action": "UPDATE" if changing else "CREATE"}],
    }
    if changing:
        model["PreviousTemplate"] = template.replace("2", "1")
    return model
