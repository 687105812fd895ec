"""The steps of a test with a stack: creation, updates and deletion, what is expected of them, and their checks."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwork.testing.checks import Checks, failed_checks
from formwork.testing.expectations import (
    Expectations,
    ExpectedFailure,
    failure_notes,
    judge_changes,
    judge_failure,
    judge_plan,
)
from formwork.testing.failures import StepFinding
from formwork.testing.interfaces import StackServices
from formwork.testing.observed import StackEvent, StackResource, show_value
from formwork.testing.operations import (
    CAPABILITIES,
    ChangeSet,
    StepOutcome,
    await_stack,
    create_change_set,
    events_since,
    execute_change_set,
)
from formwork.testing.templates import MAX_BODY, TemplateSource
from formwork.testing.viewed import StackView


class SteppedStack(StackView):
    """A stack with the steps of a test; `disappeared` are resources that were deleted behind its back."""

    def __init__(self, services: StackServices, name: str, checks: Checks) -> None:
        super().__init__(services, name)
        self.parameters: dict[str, Any] = {}
        self.tags: dict[str, str] = {}
        self.checks = checks
        self.disappeared: set[str] = set()
        self._source: TemplateSource | None = None
        self._expected = Expectations()
        self._last_event = ""

    @property
    def source(self) -> TemplateSource:
        """The template that it was last deployed with."""
        assert self._source is not None
        return self._source

    def forget(self) -> None:
        """Treat the stack as one that was never created."""
        self.id, self._last_event = self.name, ""

    # what is expected of its next update or deletion

    def expect_in_place(self, *logical_ids: str) -> None:
        """Expect that the next update changes these resources in place."""
        self._expected.in_place.update(logical_ids)

    def expect_replacement(self, *logical_ids: str) -> None:
        """Expect that the next update replaces these resources."""
        self._expected.replaced.update(logical_ids)

    def expect_changed_output(self, *names: str) -> None:
        """Expect that the next update changes the values of these outputs; exports may change only so."""
        self._expected.outputs.update(names)

    def expect_refused(self, *, by: object = "", match: str = "") -> None:
        """Expect that the next update or deletion is refused, by a hook where `by` names one."""
        self._expected.failure = ExpectedFailure(by=str(by), match=match)

    def expect_failure(self, *, at: str = "", code: str = "", match: str = "") -> None:
        """Expect that the next update or deletion fails: at a resource, with an error code, with a message."""
        self._expected.failure = ExpectedFailure(at=at, code=code, match=match)

    @property
    def unmet(self) -> str:
        """What is still expected of a next operation, in words."""
        return self._expected.describe()

    # steps

    def create(
        self,
        source: TemplateSource,
        parameters: Mapping[str, Any],
        tags: Mapping[str, str],
        checks: Checks,
        expected: Expectations,
    ) -> None:
        """Create the stack; see `CloudFormation.deploy`."""
        __tracebackhide__ = True
        self._expected = expected
        self.step("CREATE", source, dict(parameters), dict(tags), checks)

    def update(
        self,
        template: Any = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        tags: Mapping[str, str] | None = None,
        checks: Checks | None = None,
    ) -> None:
        """Update the stack; what is not given stays, and of the parameters those that are not named.

        Raises:
            AcceptanceFailure: the update fails, a check fails, or an expectation is not met.
        """
        __tracebackhide__ = True
        source = self.source if template is None else self.services.read_template(template, self.name)
        given = self._known_parameters(source, {**self.parameters, **(parameters or {})})
        self.step("UPDATE", source, given, self.tags if tags is None else dict(tags), checks or self.checks)

    def delete(self, *, checks: Checks | None = None) -> None:
        """Delete the stack, and check that its resources are gone.

        Raises:
            AcceptanceFailure: the deletion fails, or resources are left, or an expectation is not met.
        """
        __tracebackhide__ = True
        before = self.resources
        outcome = self._deletion(before)
        expected, self._expected = self._expected, Expectations()
        if expected.failure is not None:
            self.fail([judge_failure(expected.failure, outcome)])
            return
        if not outcome.succeeded:
            self.fail([self._failure("the stack can't be deleted", outcome)])
        if (checks or self.checks).removed:
            self.fail(self._left(before))

    def _deletion(self, before: Mapping[str, StackResource]) -> StepOutcome:
        import botocore.exceptions  # noqa: PLC0415 - optional

        try:
            self.services.cloudformation.delete_stack(StackName=self.id)
        except botocore.exceptions.ClientError as error:
            reason = error.response["Error"]["Message"]
            return StepOutcome("DELETE", ChangeSet("", self.id, "", "", ()), reason=reason)
        stack = await_stack(self.services.cloudformation, self.id)
        return self._outcome("DELETE", ChangeSet("", self.id, "", "", ()), stack, before)

    def step(
        self,
        kind: str,
        source: TemplateSource,
        parameters: Mapping[str, Any],
        tags: Mapping[str, str],
        checks: Checks,
        **more: Any,
    ) -> None:
        """Run an operation, judge it by what is expected, and check what holds after it.

        `more` are members of the request that creates the change set.

        Raises:
            AcceptanceFailure: something is not as it should be.
        """
        __tracebackhide__ = True
        exports = self.exports if kind == "UPDATE" else {}
        outputs = self.outputs if kind == "UPDATE" else {}
        expected, self._expected = self._expected, Expectations()
        outcome = self.run(kind, source, parameters, tags, **more)
        if expected.failure is not None:
            self.fail([judge_failure(expected.failure, outcome)])
            self._after_failure(outcome, checks)
            return
        if not outcome.succeeded:
            done = {"CREATE": "created", "UPDATE": "updated", "IMPORT": "imported"}[kind]
            failure = self._failure(f"the stack {self.name} was not {done}", outcome)
            self.fail([*judge_plan(expected, outcome), failure])
        now = self.resources
        findings = [*judge_changes(expected, outcome, {name: each.physical_id for name, each in now.items()})]
        findings += self._output_findings(expected, exports, outputs, checks)
        findings += self.judge(outcome, now)
        self.fail(findings)
        self.fail([*failed_checks(self, checks, now)])

    def judge(self, _outcome: StepOutcome, _now: Mapping[str, StackResource]) -> list[StepFinding]:
        """Return what is wrong with a successful step beside what was expected."""
        return []

    def run(
        self,
        kind: str,
        source: TemplateSource,
        parameters: Mapping[str, Any],
        tags: Mapping[str, str],
        **more: Any,
    ) -> StepOutcome:
        """Run an operation through a change set, without checks; keep what it was given if it succeeds."""
        client = self.services.cloudformation
        before = {} if self.id == self.name else self.resources
        change_set = create_change_set(
            client, {**self._request(source, parameters, tags), "ChangeSetType": kind, **more}
        )
        self.id = change_set.stack or self.id
        self.plan = change_set.plan
        if change_set.refused:
            return StepOutcome(kind, change_set)
        if change_set.failed:
            outcome = self._outcome(kind, change_set, None, before)
            client.delete_change_set(ChangeSetName=change_set.id)
            if kind == "CREATE":
                client.delete_stack(StackName=self.id)
        else:
            outcome = self._outcome(kind, change_set, execute_change_set(client, change_set), before)
        if outcome.succeeded:
            self._source, self.parameters, self.tags = source, dict(parameters), dict(tags)
        return outcome

    def update_request(self) -> dict[str, Any]:
        """Return the request of a change set that changes nothing."""
        return {**self._request(self.source, self.parameters, self.tags), "ChangeSetType": "UPDATE"}

    def _request(
        self, source: TemplateSource, parameters: Mapping[str, Any], tags: Mapping[str, str]
    ) -> dict[str, Any]:
        if len(source.text.encode()) > MAX_BODY:
            bucket = f"formwork-test-templates-{self.services.account}"
            template = {"TemplateURL": self.services.upload(bucket, f"{self.name}.template", source.text.encode())}
        else:
            template = {"TemplateBody": source.text}
        return {
            "StackName": self.name if self.id == self.name else self.id,
            "Capabilities": CAPABILITIES,
            "Parameters": [{"ParameterKey": key, "ParameterValue": _text(each)} for key, each in parameters.items()],
            "Tags": [{"Key": key, "Value": each} for key, each in tags.items()],
            **template,
        }

    @staticmethod
    def _known_parameters(source: TemplateSource, given: Mapping[str, Any]) -> dict[str, Any]:
        declared = source.value.get("Parameters", {}) if isinstance(source.value, Mapping) else {}
        return {name: each for name, each in given.items() if name in declared}

    def _outcome(
        self, kind: str, change_set: ChangeSet, stack: Mapping[str, Any] | None, before: Mapping[str, StackResource]
    ) -> StepOutcome:
        events: list[StackEvent] = []
        if kind in {"UPDATE", "IMPORT"} or stack is None or stack["StackStatus"] != f"{kind}_COMPLETE":  # or unneeded
            events = events_since(self.services.cloudformation, self.id, self._last_event)
        if events:
            self._last_event = events[-1].id
        return StepOutcome(
            kind,
            change_set,
            status="" if stack is None else stack["StackStatus"],
            reason="" if stack is None else stack.get("StackStatusReason", ""),
            events=tuple(events),
            resources={name: each.physical_id for name, each in before.items()},
        )

    # what is found

    def fail(self, findings: Sequence[StepFinding | None]) -> None:
        """Raise what is wrong with a step, if anything is."""
        __tracebackhide__ = True
        self.services.fail([each for each in findings if each is not None], self)

    @staticmethod
    def _failure(title: str, outcome: StepOutcome) -> StepFinding:
        at = next((event.logical_id for event in outcome.failures), "")
        resource = next((f"{event.logical_id}  {event.type}" for event in outcome.failures), "")
        return StepFinding(title, logical_id=at, resource=resource, notes=failure_notes(outcome))

    def _output_findings(
        self, expected: Expectations, exports: Mapping[str, str], outputs: Mapping[str, str], checks: Checks
    ) -> list[StepFinding]:
        if not (outputs or exports or expected.outputs):
            return []
        now, shown = self.outputs, self.described().get("Outputs", ())
        found = [
            StepFinding(f"the output {name} did not change; it is {show_value(now.get(name))}")
            for name in sorted(expected.outputs)
            if now.get(name) == outputs.get(name)
        ]
        names = {each["ExportName"]: each["OutputKey"] for each in shown if "ExportName" in each}
        for export, value in exports.items() if checks.exports else ():
            after = self.exports.get(export)
            if after is not None and after != value and names[export] not in expected.outputs:
                title = f"the export {export} changed: what imports it was not told"
                found.append(StepFinding(title, changes=[(f"/Outputs/{names[export]}", value, after)]))
        return found

    def _left(self, before: Mapping[str, StackResource]) -> list[StepFinding]:
        """Return a finding for each resource that can still be read, though its stack deleted it."""
        left = {
            name: each
            for name, each in before.items()
            if name not in self.disappeared
            and self.readable(each)
            and self.services.types.read(each.type, each.physical_id) is not None
        }
        kept = {event.physical_id for event in self.events if event.status == "DELETE_SKIPPED"} if left else set()
        return [
            StepFinding(
                f"{name} is left after the stack's deletion: READ still finds it",
                logical_id=name,
                resource=f"{name}  {each.type}  {each.physical_id}",
            )
            for name, each in left.items()
            if each.physical_id not in kept
        ]

    def readable(self, resource: StackResource) -> bool:
        """Whether a resource can be read on its own."""
        own = resource.type.startswith(("AWS::CloudFormation::", "Custom::"))
        return not own and self.services.types.reads(resource.type)

    def _after_failure(self, outcome: StepOutcome, checks: Checks) -> None:
        """Check that a failure that was expected has been rolled back."""
        __tracebackhide__ = True
        if outcome.change_set.failed:
            return
        rolled_back = {"CREATE": "ROLLBACK_COMPLETE", "UPDATE": "UPDATE_ROLLBACK_COMPLETE"}
        expected = rolled_back.get(outcome.kind, outcome.status)
        if outcome.status != expected:
            self.fail([self._failure(f"the stack {self.name} is {outcome.status}, not {expected}", outcome)])
        if outcome.kind == "CREATE" and checks.removed:
            self.fail(self._left(self._created(outcome)))
        elif outcome.kind == "UPDATE":
            self.fail([*failed_checks(self, checks, self.resources)])

    def _created(self, outcome: StepOutcome) -> dict[str, StackResource]:
        """Return the resources that a failed creation created, by logical id."""
        return {
            event.logical_id: self.resource_of(
                {
                    "LogicalResourceId": event.logical_id,
                    "PhysicalResourceId": event.physical_id,
                    "ResourceType": event.type,
                    "ResourceStatus": event.status,
                }
            )
            for event in outcome.events
            if event.status == "CREATE_COMPLETE" and event.type != "AWS::CloudFormation::Stack"
        }


def _text(value: Any) -> str:
    """Return a parameter's value as it is sent."""
    if isinstance(value, (list, tuple)):
        return ",".join(_text(each) for each in value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
