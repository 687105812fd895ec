"""The pytest plugin: the fixture `cloudformation`. What it needs is imported when a test asks for it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from formwork.testing.account import CloudFormation
    from formwork.testing.servers import Servers

_MARKER = "cloudformation"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes snapshots."""
    group = parser.getgroup(_MARKER, "acceptance tests of CloudFormation")
    group.addoption("--update-snapshots", action="store_true", help="write the snapshots of `cloudformation.snapshot`")


def pytest_configure(config: pytest.Config) -> None:
    """Describe the marker."""
    config.addinivalue_line(
        "markers",
        f'{_MARKER}(aws="simulated", region="us-east-1", checks=Checks()): the account of the fixture {_MARKER}: who '
        'makes AWS\'s own types ("simulated" or "moto"), its Region, the checks of every step',
    )


@pytest.hookimpl(tryfirst=True, hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let the fixture know whether the test has failed."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.when == "call":
        item.stash[_FAILED] = report.failed


_FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def formwork_servers() -> "Iterator[Servers]":
    """The servers of this session, which start when a test needs them."""
    from formwork.testing.servers import Servers  # noqa: PLC0415 - it costs as much as the toolkit

    servers = Servers()
    yield servers
    servers.close()


@pytest.fixture
def cloudformation(
    request: pytest.FixtureRequest, formwork_servers: "Servers", tmp_path: Any
) -> "Iterator[CloudFormation]":
    """An empty account and Region of CloudFormation, which the standard variables lead to."""
    from formwork.testing.account import RunningTest, pytest_command  # noqa: PLC0415 - it costs as much as the toolkit
    from formwork.testing.servers import open_account  # noqa: PLC0415 - the same
    from formwork.testing.snapshots import Snapshots  # noqa: PLC0415 - the same

    marker = request.node.get_closest_marker(_MARKER)
    options = dict(marker.kwargs) if marker is not None else {}
    update = request.config.getoption("--update-snapshots")
    snapshots = Snapshots(request.path, request.node.name, update=update)
    test = RunningTest(pytest_command(request.node.nodeid), tmp_path / "failures", snapshots)
    with open_account(formwork_servers, test=test, **options) as opened:
        yield opened.account
        opened.failed = request.node.stash.get(_FAILED, True)
        if opened.failed and (left := opened.left()):
            request.node.add_report_section("teardown", "left by the test", left)
