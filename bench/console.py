"""The console: from an event to the screen, a stack of 500 resources and 5,000 events, idle pages, the start.

The browser is a Chromium on this machine (tests/support/chromium.py); without one only the server is measured.
"""

import contextlib
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.incumbent import REPOSITORY
from bench.measure import EMPTY, measure
from bench.served import cpu_seconds
from bench.small import SMALL
from bench.table import Row

sys.path.insert(0, str(REPOSITORY / "tests"))

from formwork.diagnostics import EnvironmentProblemError
from support.browser_pages import BrowserPage
from support.browsers import running_browser
from support.chromium import find_chromium
from support.console import ConsoleBrowser, make_link
from support.serving import serving

_RESOURCES, _UPDATES = (20, 1) if SMALL else (500, 4)  # 1,500 events of the creation, about 1,000 of each update
_PAGES, _IDLE_SECONDS = (5, 3) if SMALL else (50, 30)
_STARTS = 2 if SMALL else 9
_OPENINGS = 2 if SMALL else 7
_CFN = (sys.executable, "-m", "formwork.cli.main")
# Notes for each event how long after its time it is on the page, once the next frame is painted.
_OBSERVE = """
window.late = []; window.seen = new Set([...document.querySelectorAll("td time")].map((each) => each.dateTime));
new MutationObserver(() => requestAnimationFrame(() => {
  for (const each of document.querySelectorAll("td time")) {
    if (seen.has(each.dateTime)) continue;
    seen.add(each.dateTime); late.push(Date.now() - Date.parse(each.dateTime));
  }
})).observe(document.body, { childList: true, subtree: true })
"""
_PAINTED = "performance.getEntriesByName('first-contentful-paint').map((each) => each.startTime)"


def main() -> Iterator[Row]:
    """Measure a server with a large stack, then starts with and without the console."""
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder, serving(Path(folder)) as server:
        stack = _make_large(server)
        small = _deploy(server, "small", 5, "a")
        yield from _served(server, stack)
        with contextlib.suppress(EnvironmentProblemError):
            chromium = find_chromium()
            with tempfile.TemporaryDirectory() as profile, running_browser(chromium, profile) as browser:
                yield from _painted(browser, server, stack)
                yield from _late(browser, server, small)
        yield _idle(server)
    yield from _starts()


def _template(count: int, label: str) -> str:
    def topic(number: int) -> dict[str, Any]:
        needs = [f"T{each}" for each in (number - 7, number - 50) if each >= 0 and number % 3]
        properties = {"DisplayName": f"{label}{number}"}
        return {"Type": "AWS::SNS::Topic", "Properties": properties, **({"DependsOn": needs} if needs else {})}

    return json.dumps({"Resources": {f"T{number}": topic(number) for number in range(count)}}, separators=(",", ":"))


def _deploy(server: Any, name: str, count: int, label: str) -> str:
    client = server.client("cloudformation")
    arn: str = client.create_stack(StackName=name, TemplateBody=_template(count, label))["StackId"]
    client.get_waiter("stack_create_complete").wait(StackName=name)
    return arn.rpartition("/")[2]


def _make_large(server: Any) -> str:
    stack = _deploy(server, "large", _RESOURCES, "a")
    client = server.client("cloudformation")
    for number in range(_UPDATES):
        client.update_stack(StackName="large", TemplateBody=_template(_RESOURCES, f"b{number}-"))
        client.get_waiter("stack_update_complete").wait(StackName="large")
    return stack


def _served(server: Any, stack: str) -> Iterator[Row]:
    """What the server needs for a page: the median of wall times."""
    console = ConsoleBrowser.entered(server)
    events = sum(len(page["StackEvents"]) for page in _event_pages(server))
    note = f"{_RESOURCES} resources, {events:,} events"
    for label, path in (("timeline", ""), ("events", "/events"), ("graph", "/graph"), ("resources", "/resources")):
        seconds, size = [], 0
        for _ in range(_OPENINGS):
            start = time.perf_counter()
            status, text = console.get(f"/stacks/{stack}{path}")
            seconds.append(time.perf_counter() - start)
            size = len(text)
            if status != 200:
                raise RuntimeError(f"{path}: {status}")
        said = f"{note}, {size / 1000:.0f} kB"
        yield Row(f"{label}: the server's answer", "ms", 1000 * statistics.median(seconds), note=said)


def _event_pages(server: Any) -> Any:
    return server.client("cloudformation").get_paginator("describe_stack_events").paginate(StackName="large")


def _enter(browser: Any, server: Any) -> Any:
    page = BrowserPage(browser)
    page.open(make_link(server))
    page.wait_for("location.pathname === '/stacks' && document.readyState === 'complete'")
    return page


def _painted(browser: Any, server: Any, stack: str) -> Iterator[Row]:
    page = _enter(browser, server)
    origin = page.value("location.origin")
    for label, path in (("timeline", ""), ("events", "/events"), ("graph", "/graph")):
        painted = []
        for _ in range(_OPENINGS):
            page.open(f"{origin}/stacks/{stack}{path}")
            page.wait_for(f"{_PAINTED}.length > 0")
            painted += page.value(_PAINTED)
        yield Row(f"{label}: painted", "ms", statistics.median(painted), limit=1000.0)


def _late(browser: Any, server: Any, stack: str) -> Iterator[Row]:
    """Update a stack while its events are looked at."""
    page = _enter(browser, server)
    page.open(f"{page.value('location.origin')}/stacks/{stack}/events")
    page.wait_for("document.getElementById('stream').dataset.state === 'live'")
    page.value(_OBSERVE)
    client = server.client("cloudformation")
    for number in range(_OPENINGS):
        client.update_stack(StackName="small", TemplateBody=_template(5, f"c{number}-"))
        client.get_waiter("stack_update_complete").wait(StackName="small")
    time.sleep(2)  # for the last of them
    late = sorted(page.value("late"))
    if not late:
        raise RuntimeError("no event reached the page")
    note = f"{len(late)} events, from their time to the frame"
    yield Row("an event on the screen, median", "ms", statistics.median(late), limit=500.0, note=note)
    yield Row("the slowest of 20", "ms", late[int(len(late) * 0.95)])


def _idle(server: Any) -> Row:
    """Streams of as many browsers, none of which shares one, while nothing happens."""
    streams = []
    for _ in range(_PAGES):
        console = ConsoleBrowser.entered(server)
        connection = http.client.HTTPConnection(console.address, timeout=60)
        connection.request("GET", "/changes", headers={"Host": console.address, "Cookie": console.cookie})
        answer = connection.getresponse()
        answer.read(10)
        streams.append((connection, answer))
    time.sleep(2)
    before = cpu_seconds(server.process.pid)
    time.sleep(_IDLE_SECONDS)
    share = 100 * (cpu_seconds(server.process.pid) - before) / _IDLE_SECONDS
    for connection, _ in streams:
        connection.close()
    return Row(f"{_PAGES} idle streams", "% of a core", share, limit=5.0)


def _starts() -> Iterator[Row]:
    """The start of `cfn serve` with the console and without, in turn: CPU time until it is ready."""
    found: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(_STARTS):
        for console in (True, False):
            found[console].append(_start([] if console else ["--no-console"]))
    ours, without = (statistics.median(found[each]) for each in (True, False))
    note = f"{1000 * without:.0f} ms without the console"
    yield Row("cfn serve until ready, CPU", "ms", 1000 * ours, note=note, floor=measure(EMPTY).cpu)
    yield Row("the start, with the console to without", "times", ours / without, limit=1.1)


def _start(options: list[str]) -> float:
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        environment = {
            "FORMWORK_CACHE": f"{folder}/cache",
            "FORMWORK_STATE": f"{folder}/state",
            "PATH": "/usr/bin:/bin",
        }
        words = [*_CFN, "serve", "--port", "0", *options]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        with subprocess.Popen(words, cwd=folder, env=environment, **pipes) as process:
            assert process.stdout is not None
            ready = process.stdout.readline()
            seconds: float = cpu_seconds(process.pid)
            process.kill()
    if not ready.startswith("ready"):
        raise RuntimeError("cfn serve did not start")
    return seconds
