"""The hook that the repository offers to pre-commit."""

import re

import yaml

from formwork.cli.main import COMMANDS
from support.corpus import REPOSITORY


def test_the_hook_runs_a_command_that_exists():
    (hook,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, command = hook["entry"].split()
    assert (program, command in COMMANDS, hook["language"]) == ("cfn", True, "python")
    wanted = ["acme-store-thing.json", ".rpdk-config", "sub/.rpdk-config", "schema.yaml", "inputs/inputs_1_create.json"]
    assert all(re.search(hook["files"], name) for name in wanted)
    assert not re.search(hook["files"], "handlers.py")
