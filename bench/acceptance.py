"""Acceptance tests on two workers of xdist: a stack of three resources each, deployed with every check and deleted."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.small import SMALL
from bench.table import Row

TESTS = 10 if SMALL else 300
SECONDS = 60.0
_MODULE = """
import pytest
from formwork.testing import HandlerFailure

class Shelf:
    schema = {{
        "typeName": "Acme::Books::Shelf",
        "description": "A shelf of books.",
        "properties": {{"Name": {{"type": "string"}}, "Size": {{"type": "integer"}}, "Arn": {{"type": "string"}}}},
        "required": ["Name"],
        "createOnlyProperties": ["/properties/Name"],
        "readOnlyProperties": ["/properties/Arn"],
        "primaryIdentifier": ["/properties/Name"],
    }}

    def __init__(self):
        self.kept = {{}}

    def create(self, model):
        self.kept[model["Name"]] = {{**model, "Arn": "arn:acme:" + model["Name"]}}
        return self.kept[model["Name"]]

    def read(self, model):
        if model["Name"] not in self.kept:
            raise HandlerFailure("NotFound", "there is no such shelf")
        return self.kept[model["Name"]]

    def update(self, model, previous):
        self.read(model)
        return self.create(model)

    def delete(self, model):
        self.read(model)
        del self.kept[model["Name"]]

    def list(self, model):
        return list(self.kept.values())

TEMPLATE = '''
Resources:
  Shelf: {{Type: Acme::Books::Shelf, Properties: {{Name: novels, Size: 1}}}}
  News: {{Type: AWS::SNS::Topic, Properties: {{DisplayName: !Ref Shelf}}}}
  Orders: {{Type: AWS::SQS::Queue}}
'''

@pytest.mark.parametrize("number", range({tests}))
def test_a_shop(cloudformation, number):
    assert cloudformation.cloudformation.describe_stacks()["Stacks"] == []
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    assert len(shop.resources) == 3
    if number % 10:
        shop.delete()  # the others leave the stack
"""
# As many tests that do nothing: what pytest and its workers cost.
_EMPTY = """
import pytest

@pytest.mark.parametrize("number", range({tests}))
def test_nothing(number):
    pass
"""


def main() -> Iterator[Row]:
    """Measure the tests; every tenth leaves its stack, of which the next one must see nothing."""
    took, floor = _seconds(_MODULE), _seconds(_EMPTY)
    note = f"{1000 * took / TESTS:.0f} ms a test, with the start of two servers"
    yield Row(f"{TESTS} tests of 3 resources, 2 workers", "s", took, limit=SECONDS, note=note, floor=floor)


def _seconds(module: str) -> float:
    """Run the tests of a module to their end."""
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        (Path(folder) / "test_shops.py").write_text(module.format(tests=TESTS), encoding="utf-8")
        words = [sys.executable, "-m", "pytest", "-p", "formwork.testing.plugin", "-p", "xdist.plugin", "-n", "2", "-q"]
        start = time.perf_counter()
        done = subprocess.run(
            [*words, "-p", "no:cacheprovider", "--basetemp", str(Path(folder) / "t"), "."],
            cwd=folder,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        took = time.perf_counter() - start
    if done.returncode or f"{TESTS} passed" not in done.stdout:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-500:])
    return took
