"""What Lambda's Python runtimes include is the same for every handler on this machine."""

import importlib.metadata
import sys
from pathlib import Path

import pytest

from formwork.languages.python.installing import InstallSettings
from formwork.languages.python.runtime_packages import lambda_distributions, provide_runtime_packages
from formwork.languages.python.versions import PYTHON_VERSIONS
from formwork.project.runtimes import OUTDATED_RUNTIMES
from formwork.toolchain.python import Interpreter

RUNNING = Interpreter(Path(sys.executable), sys.version_info[1])
MODULES = {"boto3", "botocore", "dateutil", "jmespath", "s3transfer", "six", "urllib3"}


@pytest.fixture
def settings(tmp_path):
    return InstallSettings(tmp_path / "cache")


def test_every_python_of_the_guide_and_of_lambda_includes_the_sdk():
    old = [name.removeprefix("python") for name in OUTDATED_RUNTIMES if name.startswith("python3")]
    assert {lambda_distributions(version) for version in (*PYTHON_VERSIONS, *old)} == {
        frozenset({"boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"})
    }
    assert not lambda_distributions("3.99")
    assert not lambda_distributions("nodejs20.x")


def test_the_toolkits_are_given_but_for_what_the_code_brings(tmp_path, settings):
    (tmp_path / "urllib3").mkdir()
    made = provide_runtime_packages(RUNNING, (tmp_path,), settings)
    assert made.packages.keys() == MODULES - {"urllib3"}
    assert made.paths == ()


@pytest.mark.parametrize("too_new", ["boto3", "urllib3"])
def test_the_toolkits_are_not_given_to_a_python_that_one_of_them_does_not_support(
    tmp_path, settings, monkeypatch, too_new
):
    class Distribution:
        def __init__(self, name):
            self.json = {"requires_python": ">=3.12" if name == too_new else ">=3.5,!=3.6.*"}

    monkeypatch.setattr(importlib.metadata, "metadata", Distribution)
    monkeypatch.setattr(sys, "version_info", (3, 14))
    assert provide_runtime_packages(Interpreter(RUNNING.executable, 12), (tmp_path,), settings).packages
    assert not provide_runtime_packages(Interpreter(RUNNING.executable, 9), (tmp_path,), settings).packages
