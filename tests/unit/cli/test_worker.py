"""`cfn worker` serves nothing: what it starts imports no part of the API."""

import json
import subprocess
import sys

WORKER = """
import argparse, contextlib, json, pathlib, sys
from formwork.cli.commands import worker
from formwork.command_context.output import CommandOutput
state = pathlib.Path(sys.argv[1])
parser = argparse.ArgumentParser()
worker.add_arguments(parser)
arguments = parser.parse_args(["--database", "postgresql://h/d", "--state", str(state)])
arguments.database = state  # SQLite: the same work
with contextlib.ExitStack() as stack:
    worker._work(arguments, CommandOutput(sys.stderr, sys.stderr, colour=False, interactive=False), stack)
    print(json.dumps(sorted(sys.modules)))
"""


def test_a_worker_imports_no_api(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", WORKER, str(tmp_path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    modules = json.loads(ended.stdout)
    assert "formwork.assembly.assemble" in modules
    served = {"formwork.api", "formwork.local_service", "formwork.stand_ins", "starlette", "uvicorn"}
    assert not served.intersection(modules)
