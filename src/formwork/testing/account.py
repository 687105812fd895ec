"""The account of a test, and the steps that it takes there: what the fixture `cloudformation` is."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import UsageError
from formwork.testing.artifacts import archive_of, upload_artifacts
from formwork.testing.checks import Checks
from formwork.testing.exchanges import names_resource
from formwork.testing.expectations import Expectations, ExpectedFailure
from formwork.testing.failures import AcceptanceFailure, StepFinding, action_of, invoke_command, render
from formwork.testing.interfaces import DescribedStack
from formwork.testing.rewriting import FAILURE, Failing, keeping, with_failure
from formwork.testing.served_account import ServedAccount
from formwork.testing.server import LocalServer
from formwork.testing.snapshots import Normalizer, Snapshots, render_value
from formwork.testing.stack import Stack
from formwork.testing.templates import TemplateSource, read_template_source


class RunningTest(Struct, frozen=True):
    """A test: the command that runs it again, the folder for the requests of its failures, and its snapshots."""

    command: str = ""
    folder: Path | None = None
    snapshots: Snapshots | None = None


class CloudFormation(ServedAccount):
    """An empty account and Region of a server; `checks` are those of every step."""

    def __init__(
        self,
        server: LocalServer,
        *,
        region: str = "us-east-1",
        checks: Checks | None = None,
        test: RunningTest | None = None,
    ) -> None:
        super().__init__(server, region)
        self.checks = checks or Checks()
        self.stacks: dict[str, Stack] = {}
        self.expected = Expectations()
        self._test = test or RunningTest()

    def expect_refused(self, *, by: object = "", match: str = "") -> None:
        """Expect that the next deployment is refused, by a hook where `by` names one, with a message like `match`."""
        self.expected.failure = ExpectedFailure(by=str(by), match=match)

    def expect_failure(self, *, at: str = "", code: str = "", match: str = "") -> None:
        """Expect that the next deployment fails: at a resource, with an error code, with a message like `match`."""
        self.expected.failure = ExpectedFailure(at=at, code=code, match=match)

    def deploy(
        self,
        template: Any,
        *,
        stack: str = "",
        parameters: Mapping[str, Any] | None = None,
        tags: Mapping[str, str] | None = None,
        checks: Checks | None = None,
    ) -> Stack:
        """Create a stack, and check what holds after every deployment; see `Checks`.

        `template` is a dict, a text or its bytes, an open document, the path of a file, a CDK app or stack, or the
        output folder of `cdk synth`. All capabilities are given.

        Raises:
            AcceptanceFailure: the stack is not created, a check fails, or an expectation is not met.
        """
        __tracebackhide__ = True
        source = self.read_template(template, stack)
        made = self._new_stack(stack or source.name)
        expected, self.expected = self.expected, Expectations()
        made.create(source, parameters or {}, tags or {}, checks or self.checks, expected)
        return made

    def rollback(
        self,
        template: Any,
        *,
        after: int | str | Sequence[str] | None = None,
        stack: str = "",
        parameters: Mapping[str, Any] | None = None,
    ) -> Stack:
        """Have a deployment fail, and check that nothing is left of it: neither for READ nor for LIST.

        It fails after the resources that `after` names, after so many in the order of their references, or after all
        of them.

        Raises:
            AcceptanceFailure: the rollback fails, or something is left.
        """
        __tracebackhide__ = True
        source = with_failure(self.read_template(template, stack), after)
        names = sorted({each["Type"] for each in source.value["Resources"].values()})
        self.register(Failing)
        before = {name: self._listed(name) for name in names}
        self.expect_failure(at=FAILURE)
        made = self.deploy(source, stack=stack, parameters=parameters)
        left = {name: sorted(self._listed(name) - before[name]) for name in names}
        self.fail(
            [
                StepFinding(f"LIST of {name} still answers {', '.join(found)}, which the rollback should have deleted")
                for name, found in left.items()
                if found
            ],
            made,
        )
        return made

    def _listed(self, type_name: str) -> frozenset[str]:
        if not self.types.lists(type_name) or self.types.lists_by_model(type_name):
            return frozenset()
        return self.types.listed(type_name) or frozenset()

    def import_(
        self,
        template: Any,
        resources: Mapping[str, Mapping[str, str]],
        *,
        stack: str = "",
        parameters: Mapping[str, Any] | None = None,
        checks: Checks | None = None,
    ) -> Stack:
        """Create a stack of resources that exist: `resources` has the identifier of each by its logical id.

        Raises:
            AcceptanceFailure: a resource can't be imported, or a check fails.
        """
        __tracebackhide__ = True
        source = self.read_template(template, stack)
        declared = source.value["Resources"]
        made = self._new_stack(stack or source.name)
        made.step(
            "IMPORT",
            keeping(source, source.value, outputs=False),
            parameters or {},
            {},
            checks or self.checks,
            ResourcesToImport=[
                {"LogicalResourceId": name, "ResourceType": declared[name]["Type"], "ResourceIdentifier": dict(each)}
                for name, each in resources.items()
            ],
        )
        return made

    def _new_stack(self, name: str) -> Stack:
        made = Stack(self, name or f"stack-{len(self.stacks) + 1}", self.checks)
        self.stacks[made.name] = made
        return made

    def read_template(self, template: Any, stack: str = "") -> TemplateSource:
        """Return a template as it is sent, after the upload of its assets and of the local files that it names."""
        source = read_template_source(template, stack=stack, account=self.account, region=self.region)
        for bucket, key, path in source.assets:
            self.upload(bucket, key, archive_of(path) if path.is_dir() else path.read_bytes())
        return upload_artifacts(source, self._put_artifact)

    def _put_artifact(self, key: str, content: bytes) -> tuple[str, str]:
        bucket = f"formwork-test-artifacts-{self.account}"
        return bucket, self.upload(bucket, key, content)

    def exchanges(self, logical_id: str = "") -> list[Any]:
        """Return the exchanges with handlers in this account so far; with `logical_id` those about one resource."""
        found = self.server.exchanges.of(self.account)
        return [each for each in found if not logical_id or names_resource(each.request, logical_id)]

    def snapshot(self, name: str, value: Any) -> None:
        """Compare a plan, events, a template or another value with the snapshot of that name; see `Snapshots`.

        Ids, times, the account and the server's address are replaced by names.

        Raises:
            AcceptanceFailure: it is another one, or was never written.
        """
        __tracebackhide__ = True
        if self._test.snapshots is None:
            raise UsageError("this account belongs to no test, which snapshots are named after")
        self._test.snapshots.check(name, self.normalized(value))

    def normalized(self, value: Any) -> str:
        """Return a value as the text of a snapshot, which syrupy's `snapshot` can be compared with, too."""
        ids = {event.physical_id for stack in self.stacks.values() for event in stack.events}
        names = (each for found in ids for each in (found, found.rpartition(":")[2], found.rpartition("/")[2]))
        return Normalizer(account=self.account, physical_ids=set(names)).text(render_value(value))

    def fail(self, findings: Sequence[StepFinding], stack: DescribedStack | None = None) -> None:
        """Raise what is wrong with a step as one failure; without findings do nothing.

        Raises:
            AcceptanceFailure: there are findings.
        """
        __tracebackhide__ = True
        if not findings:
            return
        texts = []
        for finding in findings:
            exchanges = self._explaining(finding)
            if stack is not None:
                stack.describe(finding)
            texts.append(render(finding, exchanges, self._replays(exchanges)))
        problems = self.server.problems()
        raise AcceptanceFailure("\n\n".join([*texts, *problems]))

    def _explaining(self, finding: StepFinding) -> list[Any]:
        """Return the exchanges about a finding's resource; the last one explains it."""
        found = self.exchanges(finding.logical_id) if finding.logical_id else []
        return [each for each in found if not finding.action or action_of(each.request) == finding.action] or found

    def _replays(self, exchanges: Sequence[Any]) -> list[str]:
        folder = self._test.folder or Path.cwd() / ".formwork" / "failures"
        commands = [self._test.command] if self._test.command else []
        for exchange in exchanges[-1:]:
            name = exchange.request.get("resourceType") or exchange.request.get("hookTypeName")
            registered = self.registered.get(str(name))
            if registered is not None and registered.extension.project is not None:
                commands.append(invoke_command(exchange, registered.extension.project, folder))
        return commands


def pytest_command(node: str) -> str:
    """Return the command that runs a test again."""
    return f"pytest {shlex.quote(node)}"
