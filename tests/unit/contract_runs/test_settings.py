"""What the options of `cfn test` make of a run."""

import argparse

import pytest

from formwork.cli.commands import test as command
from formwork.contract.scheduling import TurnScheduler
from formwork.contract_runs.settings import read_settings


@pytest.mark.parametrize(
    ("words", "waited"),
    [
        ([], 20.0),
        (["--aws", "moto"], 1.0),
        (["--aws", "moto", "--patience", "7"], 7.0),
        (["--aws", "http://127.0.0.1:5000"], 20.0),
        (["--aws", "real"], 90.0),
    ],
)
def test_a_callback_is_waited_for_according_to_where_aws_is(monkeypatch, words, waited):
    slept = []
    monkeypatch.setattr(TurnScheduler, "sleep", lambda _turns, seconds: slept.append(seconds))
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    patience = read_settings(parser.parse_args([*words, "--effort", "quick"]), seed=1).patience
    patience.begin()
    patience.sleep(90.0)
    patience.sleep(0.5)
    assert slept == ([waited] if waited < 90.0 else [90.0, 0.5])
    assert patience.has_skipped == (waited < 90.0)
