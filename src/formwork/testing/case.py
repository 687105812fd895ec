"""The account of a test for unittest."""

import atexit
import inspect
import unittest
from pathlib import Path
from typing import Any, ClassVar

from formwork.testing.account import CloudFormation, RunningTest
from formwork.testing.checks import Checks
from formwork.testing.servers import Servers, open_account
from formwork.testing.snapshots import Snapshots

_SERVERS = Servers()
atexit.register(_SERVERS.close)


class CloudFormationTestCase(unittest.TestCase):
    """A test case whose tests have an empty account each, `self.cloudformation`, which the standard variables lead to.

    `aws`, `region` and `checks` are those of the marker `cloudformation` of pytest.
    """

    aws: ClassVar[str] = "simulated"
    region: ClassVar[str] = "us-east-1"
    checks: ClassVar[Checks | None] = None
    cloudformation: CloudFormation

    def setUp(self) -> None:
        """Open the account; see `unittest.TestCase`."""
        super().setUp()
        module = Path(inspect.getfile(type(self)))
        snapshots = Snapshots(module, f"{type(self).__name__}.{self._testMethodName}")
        test = RunningTest(f"python -m unittest {self.id()}", snapshots=snapshots)
        options: dict[str, Any] = {"aws": self.aws, "region": self.region, "checks": self.checks}
        opened = self.enterContext(open_account(_SERVERS, test=test, **options))
        self.cloudformation = opened.account
        self.addCleanup(lambda: setattr(opened, "failed", self._has_failed()))

    def _has_failed(self) -> bool:
        outcome = getattr(self, "_outcome", None)
        return outcome is not None and not outcome.success
