"""When `cfn test` records which lines of handlers run, and what it says where it does not."""

from argparse import Namespace

import pytest
from msgspec.structs import replace

from formwork.contract_runs.handler_coverage import record_lines
from formwork.project import load_project
from support.handler_projects import make_project


def recorded(project, **options):
    given = {"coverage": None, "simulated": False, "touched": None, "endpoint": None, "debug_port": None}
    with record_lines(Namespace(**{**given, **options}), project) as recording:
        return recording.settings, recording.read()


@pytest.fixture
def project(tmp_path):
    return load_project(make_project(tmp_path / "thing"))


def test_other_languages_and_handlers_out_of_reach_are_not_measured(project):
    for runtime in ("nodejs22.x", "java21", "provided.al2023"):
        settings, found = recorded(replace(project, config=replace(project.config, runtime=runtime)))
        assert settings is None
        assert runtime in found.unmeasured
    for options in ({"endpoint": "http://127.0.0.1:3001"}, {"debug_port": 5678}, {"simulated": True, "coverage": True}):
        settings, found = recorded(project, **options)
        assert settings is None
        assert found.unmeasured


def test_nothing_is_said_where_coverage_was_not_asked_for(project):
    for options in ({"coverage": False}, {"simulated": True}, {"touched": object()}):
        assert recorded(project, **options) == (None, None)


def test_a_run_of_handlers_that_record_nothing_says_how_to_measure_them(project):
    settings, found = recorded(project)
    assert not settings.traced
    assert not settings.folder.exists()  # removed at the end
    assert "--coverage" in found.unmeasured
    settings, found = recorded(project, coverage=True)
    assert settings.traced
    assert "--coverage" not in found.unmeasured
