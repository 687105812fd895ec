"""The command that a report gives to replay a finding makes the same run again."""

import argparse

import pytest

from formwork.cli.commands.test import add_arguments
from formwork.contract_runs.reports import replay_command


@pytest.mark.parametrize(
    ("words", "replay"),
    [
        ([], "cfn test --seed 7"),
        (["--seed", "3", "--report", "html", "--report-file", "r.html", "--", "-k", "x"], "cfn test --seed 7"),
        (
            ["--typeconfig", "my config.json", "--examples", "40", "--enforce-timeout", "1.5", "--aws", "moto"],
            "cfn test --seed 7 --aws moto --enforce-timeout 1.5 --typeconfig 'my config.json' --examples 40",
        ),
        (["--region", "eu-west-1", "--effort", "thorough"], "cfn test --seed 7 --region eu-west-1 --effort thorough"),
        (["--region", "us-east-1", "--effort", "quick", "--simulated"], "cfn test --seed 7 --simulated"),
    ],
)
def test_what_decided_the_run_is_repeated(words, replay):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert replay_command(parser.parse_args(words), 7) == replay
