"""The contract suite: violations seen, false alarms, and time, against the incumbent's suite on the same handlers.

Both call the same in-memory handlers over the same local Lambda endpoint, with the same input files. The handlers are
our own mutants (tests/support/mutants.py, written from the clauses): a suite sees one if it fails, ours only if it also
names the right clause.
"""

import json
import os
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.incumbent import REPOSITORY, get_incumbent
from bench.installed import PYTHON, installed_cfn
from bench.measure import ENVIRONMENT, Command, measure
from bench.table import Row
from formwork.invoke import Answer, InProcessTransport
from formwork.simulate import Behaviour, Simulator

sys.path.insert(0, str(REPOSITORY / "tests"))

from support.mutants import MUTANTS, Mutant, mutated
from support.shapes import generated

SOME = int(os.environ.get("FORMWORK_BENCH_MUTANTS", "40"))
TIMED_RUNS = 5
# What the command can't do without: an interpreter that has imported what calls the handlers and judges their answers.
LIBRARIES = Command([PYTHON, "-I", "-c", "import http.client, jsonschema_rs, msgspec"])
OFFLINE_STS = Path(__file__).with_name("probes") / "offline_sts"
CREATE = {
    "Title": "First title",
    "Kind": "small",
    "Password": "open-sesame-9",
    "Colors": ["red", "green", "blue"],
    "Steps": ["one", "two", "three"],
    "Labels": {"team": "a", "stage": "b"},
    "Settings": {"Mode": "fast", "Limit": 3, "Note": "n"},
    "Tags": [{"Key": "k1", "Value": "v1"}, {"Key": "k2", "Value": "v2"}],
}
UPDATE = {
    "Title": "Second title",
    "Size": 9,
    "Kind": "small",
    "Password": "open-sesame-10",
    "Colors": ["green", "black"],
    "Steps": ["three", "four"],
    "Labels": {"team": "c"},
    "Settings": {"Mode": "safe"},
    "Tags": [{"Key": "k1", "Value": "v9"}],
}
Function = Callable[[Any, Any], Any]


class Endpoint:
    """A Lambda endpoint whose one function can be exchanged.

    It costs as little as it can: what is compared is the suites, one of which calls handlers three times as often.
    """

    def __init__(self) -> None:
        self.function: Function = lambda event, _context: event
        endpoint = self

        class Connection(socketserver.StreamRequestHandler):
            disable_nagle_algorithm = True

            def handle(self) -> None:
                while self.rfile.readline():  # the request line
                    length = 0
                    while (header := self.rfile.readline().strip()) != b"":
                        name, _, value = header.partition(b":")
                        length = int(value) if name.lower() == b"content-length" else length
                    answer = endpoint.call(json.loads(self.rfile.read(length)))
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(answer.body)}\r\n"
                    if answer.function_error is not None:
                        head += f"X-Amz-Function-Error: {answer.function_error}\r\n"
                    self.wfile.write(f"{head}\r\n".encode() + answer.body)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Connection)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def call(self, payload: Any) -> Answer:
        ready: list[Answer] = []

        def function(event: Any, context: Any) -> Any:
            result = self.function(event, context)
            if isinstance(result, Answer):
                ready.append(result)
                return {}
            return result

        answer = InProcessTransport(function).invoke(payload)
        return ready[0] if ready else answer

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def main() -> Iterator[Row]:
    """The rows of the table."""
    with tempfile.TemporaryDirectory() as folder:
        project = _project(Path(folder) / "project")
        endpoint = Endpoint()
        try:
            yield from _rows(project, endpoint)
        finally:
            endpoint.close()


def _rows(project: Path, endpoint: Endpoint) -> Iterator[Row]:
    incumbent = get_incumbent()
    ours = [installed_cfn()]
    theirs = [str(incumbent.cfn)] if incumbent else None
    mutants = _some()
    ours_missed = sum(not _ours_sees(each, project, endpoint, ours) for each in mutants)
    theirs_missed = None
    if theirs:
        theirs_missed = sum(not _theirs_sees(each, project, endpoint, theirs) for each in mutants)
    note = f"of {len(mutants)} mutants; ours must name the clause"
    yield Row("violations not reported", "", ours_missed, theirs_missed, limit=len(mutants) * 0.02, note=note)
    sound = [Behaviour(page_size=2), Behaviour(stabilization=2), Behaviour(lag=1, throttled=1)]
    ours_false = sum(_fails(ours, project, endpoint, _simulator(each)) for each in sound)
    theirs_false = sum(_fails(theirs, project, endpoint, _simulator(each)) for each in sound) if theirs else None
    yield Row("sound handlers accused", "", ours_false, theirs_false, limit=0, note=f"of {len(sound)}")
    ours_seconds, theirs_seconds = _times(project, endpoint, ours, theirs)
    note = "the whole command; quick profile, 8 sequences of whole lives"
    floor = measure(LIBRARIES).wall / 1000
    yield Row("cfn test on sound handlers", "s", ours_seconds, theirs_seconds, target=3, note=note, floor=floor)


def _some() -> list[Mutant]:
    """Evenly spread over the clauses; those that need a real minute are left out: they would only show waiting."""
    fitting = [
        each
        for each in MUTANTS
        if "generated" in each.shapes and not each.warns and "late_" not in each.name and "never_" not in each.name
    ]
    step = max(1, len(fitting) // SOME)
    return fitting[::step]


def _ours_sees(each: Mutant, project: Path, endpoint: Endpoint, cfn: list[str]) -> bool:
    endpoint.function = mutated(each, generated())
    done = _run([*cfn, "test", "--endpoint", endpoint.url, "--report", "json"], project)
    try:
        findings = json.loads(done.stdout)["findings"]
    except ValueError:
        raise RuntimeError(f"our suite gave no report on {each.name}: {done.stderr[-500:]}") from None
    return any(one["clause"] == each.clause for one in findings)


def _theirs_sees(each: Mutant, project: Path, endpoint: Endpoint, cfn: list[str]) -> bool:
    return _fails(cfn, project, endpoint, mutated(each, generated()))


def _fails(cfn: list[str], project: Path, endpoint: Endpoint, function: Function) -> bool:
    endpoint.function = function
    return _run([*cfn, "test", "--endpoint", endpoint.url], project).returncode != 0


def _times(project: Path, endpoint: Endpoint, ours: list[str], theirs: list[str] | None) -> tuple[float, float | None]:
    ours_all, theirs_all = [], []
    for _ in range(TIMED_RUNS):
        for cfn, seconds in ((ours, ours_all), (theirs, theirs_all)):
            if cfn is None:
                continue
            endpoint.function = _simulator(Behaviour())
            started = time.perf_counter()
            _run([*cfn, "test", "--endpoint", endpoint.url], project)
            seconds.append(time.perf_counter() - started)
    return statistics.median(ours_all), statistics.median(theirs_all) if theirs_all else None


def _run(argv: list[str], project: Path) -> "subprocess.CompletedProcess[str]":
    environment = {
        **ENVIRONMENT,
        # The incumbent asks STS for credentials, which a sitecustomize.py answers; ours sends no such request.
        **({} if argv[0] == installed_cfn() else {"PYTHONPATH": str(OFFLINE_STS)}),
        "AWS_ACCESS_KEY_ID": "BENCHACCESSKEY000000",
        "AWS_SECRET_ACCESS_KEY": "bench-secret",
        "AWS_SESSION_TOKEN": "bench-token",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    try:
        return subprocess.run(
            argv, cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired:  # hung: it reported nothing
        return subprocess.CompletedProcess(argv, 0, "", "")


def _simulator(behaviour: Behaviour) -> Function:
    return Simulator(generated(), behaviour, seed=11)


def _project(folder: Path) -> Path:
    schema = dict(generated().value)
    config = {
        "artifact_type": "RESOURCE",
        "typeName": schema["typeName"],
        "language": "python311",
        "runtime": "python3.11",
        "entrypoint": "acme_shapes_generated.handlers.resource",
        "testEntrypoint": "acme_shapes_generated.handlers.test_entrypoint",
        "settings": {"protocolVersion": "2.0.0", "subparser_name": "python311"},
    }
    folder.mkdir()
    (folder / ".rpdk-config").write_text(json.dumps(config), encoding="utf-8")
    (folder / "acme-shapes-generated.json").write_text(json.dumps(schema), encoding="utf-8")
    (folder / "inputs").mkdir()
    for kind, model in (("create", CREATE), ("update", UPDATE), ("invalid", {**CREATE, "Size": 1000})):
        (folder / "inputs" / f"inputs_1_{kind}.json").write_text(json.dumps(model), encoding="utf-8")
    return folder
