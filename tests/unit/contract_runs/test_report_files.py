"""Where the reports of a run may be written."""

import argparse

import pytest

from formwork.cli.commands.test import add_arguments
from formwork.contract_runs.options import check_test_options
from formwork.diagnostics import UsageError


def checked(*words):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    check_test_options(parser.parse_args(words), None)


def test_a_folder_for_reports_is_there_or_can_be_made(tmp_path):
    checked("--report-folder", str(tmp_path))
    checked("--report-folder", str(tmp_path / "reports"))


@pytest.mark.parametrize("place", ["file", "missing/reports"])
def test_another_place_is_refused_before_the_tests(tmp_path, place):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="--report-folder"):
        checked("--report-folder", str(tmp_path / place))


def test_faults_have_no_focus():
    with pytest.raises(UsageError, match="--focus"):
        checked("--faults", "--focus", "update")
