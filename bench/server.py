"""`cfn serve`: its start, its memory, and how soon it continues its work after a kill."""

import json
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import EMPTY, measure
from bench.served import await_stack, seconds_to_first_answer, serving, write_project
from bench.small import SMALL
from bench.table import Row

STARTS = 2 if SMALL else 9
STACKS = 20 if SMALL else 1000
RUNNING = 10 if SMALL else 500
HANDLE = {"Type": "AWS::CloudFormation::WaitConditionHandle"}
THING = "Bench::Poll::Thing"
CREATE = """
folder = Path({folder!r})
with (folder / "calls").open("a") as calls:
    calls.write(f"{{time.time()}}\\n")
if (folder / "go").exists():
    return ProgressEvent(status=OperationStatus.SUCCESS, resourceModel=model)
return ProgressEvent(
    status=OperationStatus.IN_PROGRESS, resourceModel=model, callbackContext={{"a": 1}}, callbackDelaySeconds=1
)
"""


def main() -> Iterator[Row]:
    """Starts, then memory over many stacks, then a kill while resources are made."""
    yield from _starts()
    yield from _memory()
    yield from _recovery()


def _starts() -> Iterator[Row]:
    """Wall time from the command to an answer, and to one for which the registry has to have started."""
    first, new, old = [], [], []
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as name:
        for number in range(STARTS):
            folder = Path(name, str(number))
            folder.mkdir()
            for took in (new, old):
                start = time.perf_counter()
                with serving(folder) as server:
                    server.post(Action="DescribeStacks")
                    took.append(1000 * (time.perf_counter() - start))
            first.append(1000 * seconds_to_first_answer(folder))
    floor = measure(EMPTY).wall
    yield Row("start to first answer", "ms", statistics.median(first), limit=500, floor=floor)
    yield Row("start to DescribeStacks, new state folder", "ms", statistics.median(new), limit=700, floor=floor)
    yield Row("start to DescribeStacks", "ms", statistics.median(old), limit=700, floor=floor)


def _memory() -> Iterator[Row]:
    """Resident memory before and after many stacks, which stay."""
    body = json.dumps({"Resources": {f"R{number}": HANDLE for number in range(3)}})
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as name, serving(Path(name)) as server:
        client = server.client("cloudformation")
        client.describe_stacks()
        time.sleep(2)
        idle, grown = server.megabytes(), 0.0
        for number in range(STACKS):
            client.create_stack(StackName=f"stack-{number}", TemplateBody=body)
            if number % 20 == 19:
                await_stack(client, f"stack-{number}", every=0.02)
            if number == STACKS // 2:
                grown = server.megabytes()
        last = server.megabytes()
    floor = measure(EMPTY).memory
    yield Row("memory, idle", "MB", idle, limit=95, floor=floor)
    yield Row(f"memory after {STACKS} stacks", "MB", last, limit=125, floor=floor)
    yield Row(f"growth over the second half of {STACKS} stacks", "MB", last - grown, limit=4)


def _recovery() -> Iterator[Row]:
    """A server is killed while handlers are polled; when the next one calls a handler."""
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as name:
        folder = Path(name)
        write_project(folder / "thing", THING, CREATE.format(folder=name))
        resources = {f"R{number}": {"Type": THING, "Properties": {"Name": "a"}} for number in range(RUNNING)}
        with serving(folder) as server:
            server.run("submit", "--no-role", cwd=folder / "thing")
            server.client("cloudformation").create_stack(
                StackName="polled", TemplateBody=json.dumps({"Resources": resources})
            )
            while len(_calls(folder)) < RUNNING:
                time.sleep(0.05)
            os.kill(server.pid, signal.SIGKILL)
        time.sleep(1.5)  # every call is due
        (folder / "go").touch()
        before, start = len(_calls(folder)), time.time()
        with serving(folder) as server:
            ready = time.time()
            client = server.client("cloudformation")
            await_stack(client, "polled", every=0.02)
            ended = time.time()
        first = _calls(folder)[before]
    words = f"killed with {RUNNING} running resources"
    yield Row(f"{words}: ready to the first handler's call", "ms", 1000 * (first - ready), limit=500)
    yield Row(f"{words}: start to CREATE_COMPLETE", "s", ended - start, note=f"ready after {ready - start:.2f} s")


def _calls(folder: Path) -> list[float]:
    file = folder / "calls"
    return [float(line) for line in file.read_text().splitlines()] if file.exists() else []
