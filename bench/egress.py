"""The gate for what leaves handlers: a call through it above a direct one, and the start of a sealed process."""

import contextlib
import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.small import SMALL
from bench.table import Row
from formwork.egress.opening import open_gate
from formwork.egress.settings import EgressSettings, local_aws_environment
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.http_messages import Response
from formwork.lambda_host.http_server import HttpServer
from formwork.lambda_host.pool import HostSettings
from formwork.lambda_host.way_out import OpenWay, WayOut

CALLS = 20 if SMALL else 300
STARTS = 3 if SMALL else 15
MOST_CALL, MOST_START = 3.0, 150.0  # milliseconds above
# A runtime's loop, whose handler calls a URL as often as its event says, on one connection, and answers the median.
PROGRAM = """
import http.client, json, os, ssl, statistics, time
from urllib.parse import urlsplit
place, _, secret = os.environ["AWS_LAMBDA_RUNTIME_API"].partition("/")
while True:
    api = http.client.HTTPConnection(place)
    api.request("GET", f"/{secret}/2018-06-01/runtime/invocation/next")
    answer = api.getresponse()
    event = json.loads(answer.read())
    url = urlsplit(event["url"])
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    there, taken = kind(url.netloc), []
    for _ in range(event["calls"]):
        begun = time.perf_counter()
        there.request("POST", "/", b"x" * 500)
        there.getresponse().read()
        taken.append((time.perf_counter() - begun) * 1000)
    path = f"/{secret}/2018-06-01/runtime/invocation/{answer.headers['Lambda-Runtime-Aws-Request-Id']}/response"
    api.request("POST", path, json.dumps(statistics.median(taken) if taken else 0))
    api.getresponse().read()
"""


def main() -> Iterator[Row]:
    """Time calls of a handler process to a server on this machine, which stands in for AWS, and starts of processes."""
    server = HttpServer(lambda _request: Response(200, b"{}"), max_body=1 << 20)
    stand_in = f"http://{server.address}"
    with (
        contextlib.closing(server),
        contextlib.closing(open_gate(local_aws_environment(stand_in), EgressSettings(seal=True))) as gate,
    ):
        direct = _median(OpenWay(), stand_in)
        for name, url in (
            ("a call over TLS through the gate", "https://sqs.us-east-1.amazonaws.com"),
            ("a call through the gate", "http://sqs.us-east-1.amazonaws.com"),
        ):
            through = _median(gate, url)
            note = f"{through:.2f} ms, of which the direct call takes {direct:.2f}"
            yield Row(name, "ms above", through - direct, None, limit=MOST_CALL, note=note)
        opened, sealed = _start(OpenWay()), _start(gate)
        note = f"{sealed:.0f} ms, without a network of its own {opened:.0f}"
        yield Row("start of a sealed process", "ms above", sealed - opened, None, limit=MOST_START, note=note)
    yield Row("start of a gate with an authority", "ms", _gate_start(), None, limit=MOST_START, note="made once a run")


def _function() -> LambdaFunction:
    launch = Launch((sys.executable, "-I", "-c", PROGRAM), {}, Path.cwd())
    return LambdaFunction("it", "it", "python3.12", Path.cwd(), lambda: launch, timeout=300.0)


def _median(way_out: WayOut, url: str) -> float:
    """Milliseconds of a call in the process."""
    with LambdaHost([_function()], settings=HostSettings(way_out=way_out)) as host:
        event = json.dumps({"url": url, "calls": CALLS}).encode()
        host.invoke("it", event)  # warm
        return float(json.loads(host.invoke("it", event).body))


def _start(way_out: WayOut) -> float:
    """Milliseconds until a new process has answered."""
    taken = []
    for _ in range(STARTS):
        with LambdaHost([_function()], settings=HostSettings(way_out=way_out)) as host:
            begun = time.perf_counter()
            host.invoke("it", json.dumps({"url": "http://unused", "calls": 0}).encode())
            taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def _gate_start() -> float:
    taken = []
    for _ in range(STARTS):
        begun = time.perf_counter()
        with contextlib.closing(open_gate(local_aws_environment("http://127.0.0.1:1"), EgressSettings(seal=True))):
            taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)
