"""A stack of a test, with the scenarios that a type's users will meet: disappearance, rollback, import, upgrade."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwork.schema_changes import compare_schemas
from formwork.testing.checks import Checks, detect_drift, drifted_resources, failed_checks
from formwork.testing.expectations import is_replaced
from formwork.testing.failures import StepFinding
from formwork.testing.handlers import load_schema
from formwork.testing.observed import ABSENT, StackResource
from formwork.testing.operations import StepOutcome
from formwork.testing.rewriting import FAILURE, Failing, keeping, with_failure, with_mark
from formwork.testing.steps import SteppedStack

# What `cfn diff` says of a property whose change replaces a resource.
_REPLACING = frozenset({"change.became-create-only", "change.became-conditional-create-only"})


class Stack(SteppedStack):
    """A stack in the account of a test."""

    def disappears(self, logical_id: str, *, checks: Checks | None = None) -> None:
        """Delete a resource behind the stack's back: its drift must be DELETED, and an update must still work.

        Raises:
            AcceptanceFailure: READ still finds it, drift detection does not see it, or the update fails.
        """
        __tracebackhide__ = True
        resource = self.resources[logical_id]
        self.services.types.delete(resource.type, resource.physical_id)
        detect_drift(self)
        status = drifted_resources(self).get(logical_id, {}).get("StackResourceDriftStatus", "IN_SYNC")
        if status != "DELETED":
            about = f"{logical_id}  {resource.type}  {resource.physical_id}"
            title = f"{logical_id} was deleted behind the stack's back, and drift detection says {status}, not DELETED"
            self.fail([StepFinding(title, logical_id=logical_id, resource=about, action="READ")])
        self.disappeared.add(logical_id)
        before = self.source
        self.step("UPDATE", with_mark(before), self.parameters, self.tags, checks or self.checks)
        self.step("UPDATE", before, self.parameters, self.tags, checks or self.checks)

    def rollback(
        self,
        template: Any = None,
        *,
        after: int | str | Sequence[str] | None = None,
        parameters: Mapping[str, Any] | None = None,
        checks: Checks | None = None,
    ) -> None:
        """Have an update fail, and check that everything is as it was before.

        The update fails after the resources that `after` names, after so many in the order of their references, or
        after all of them.

        Raises:
            AcceptanceFailure: the rollback fails, or a resource is not what it was.
        """
        __tracebackhide__ = True
        before = {name: (each, self._read(each)) for name, each in self.resources.items()}
        source = self.source if template is None else self.services.read_template(template, self.name)
        self.services.register(Failing)
        self.expect_failure(at=FAILURE)
        self.update(with_failure(source, after), parameters=parameters, checks=checks)
        now = self.resources
        findings = []
        for name, (resource, model) in before.items():
            found = self._read(now[name]) if name in now else None
            if name not in now or now[name].physical_id != resource.physical_id or found != model:
                changes = _differences(model or {}, found or {})
                findings.append(StepFinding(f"{name} is not what it was before the update", "", "", name, changes))
        self.fail(findings)

    def import_(self, *, checks: Checks | None = None) -> None:
        """Have CloudFormation forget the stack, and import its resources again into one of the same template.

        Raises:
            AcceptanceFailure: a resource can't be imported, or a check after the import fails.
        """
        __tracebackhide__ = True
        source, parameters, tags = self.source, self.parameters, self.tags
        checks = checks or self.checks
        processed = self.template
        self.step("UPDATE", keeping(source, processed, outputs=True), parameters, tags, checks)
        identifiers = [self._identifier(each) for each in self.resources.values()]
        self.delete()
        self.forget()
        importable = keeping(source, processed, outputs=False)
        self.step("IMPORT", importable, parameters, tags, checks, ResourcesToImport=identifiers)
        self.step("UPDATE", with_mark(source), parameters, tags, checks)
        self.step("UPDATE", source, parameters, tags, checks)

    def upgrade(
        self,
        extension: Any,
        *,
        template: Any = None,
        parameters: Mapping[str, Any] | None = None,
        checks: Checks | None = None,
        **registration: Any,
    ) -> None:
        """Register the next version of a type, check the stack under it, and update the stack with it.

        `extension` and `registration` are as for `CloudFormation.register`. The update may replace a resource of the
        type only where `cfn diff` reports a property that can no longer be changed without a replacement.

        Raises:
            AcceptanceFailure: a check finds something under the new version, the update fails, or it replaces.
        """
        __tracebackhide__ = True
        types = self.services.types
        old = {each.type: types.schema(each.type) for each in self.resources.values()}
        name = self.services.register(extension, **registration).type_name
        if name not in old:
            self.fail([StepFinding(f"the stack has no resource of the type {name}, which was upgraded")])
        checks = checks or self.checks
        self.fail([*failed_checks(self, checks, self.resources)])
        found = compare_schemas(load_schema(old[name]), load_schema(types.schema(name)))
        self._upgrading = name if not any(each.code in _REPLACING for each in found) else ""
        try:
            self.update(with_mark(self.source) if template is None else template, parameters=parameters, checks=checks)
        finally:
            self._upgrading = ""

    _upgrading = ""

    def judge(self, outcome: StepOutcome, now: Mapping[str, StackResource]) -> list[StepFinding]:
        """Return what is wrong with a successful update beside what was expected: replacements by an upgrade."""
        ids = {name: each.physical_id for name, each in now.items()}
        return [
            StepFinding(
                f"{name} was replaced by the upgrade of {self._upgrading}; `cfn diff` reports nothing that replaces",
                logical_id=name,
                notes=[f"physical id {outcome.resources[name]} → {each.physical_id}"],
                action="CREATE",
            )
            for name, each in now.items()
            if each.type == self._upgrading and name in outcome.resources and is_replaced(name, outcome, ids)
        ]

    def _read(self, resource: StackResource) -> dict[str, Any] | None:
        return self.services.types.read(resource.type, resource.physical_id) if self.readable(resource) else None

    def _identifier(self, resource: StackResource) -> dict[str, Any]:
        """Return what an import needs of a resource."""
        paths = self.services.types.schema(resource.type)["primaryIdentifier"]
        names = [path.rpartition("/")[2] for path in paths]
        model = self._read(resource) or {}
        values = resource.physical_id.split("|") if len(names) > 1 else [resource.physical_id]
        given = dict(zip(names, values, strict=False))
        return {
            "ResourceType": resource.type,
            "LogicalResourceId": resource.logical_id,
            "ResourceIdentifier": {name: str(model.get(name, given.get(name))) for name in names},
        }


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    return [
        (f"/{name}", before.get(name, ABSENT), after.get(name, ABSENT))
        for name in sorted({*before, *after})
        if before.get(name, ABSENT) != after.get(name, ABSENT)
    ]
