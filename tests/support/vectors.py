"""The handler protocol's vectors against handler libraries of any language.

A language has a runner: a program that reads one JSON document a line from its standard input,

    {"id": "<file>: <name>", "kind": "resource", "entrypoint": "request", "handler": "echo", "secret": "…", "request": …}

and writes one a line, {"id": …, "response": …}, or {"id": …, "error": "…"} where the library raised (Lambda's function
error). It registers the behaviour called `handler` (tests/conformance/protocol/README.md says what each does) for every
action, with `secret` the caller's secret key for those that need it. Compressed requests are compressed already.
"""

import base64
import functools
import gzip
import json
import subprocess
import sys
from pathlib import Path

PROTOCOL = Path(__file__).parents[1] / "conformance" / "protocol"


def _python_runner():
    sys.path.insert(0, str(PROTOCOL))
    try:
        import run_python
    finally:
        sys.path.remove(str(PROTOCOL))
    return run_python


@functools.cache
def vectors():
    """Every vector by its id, with its kind."""
    return {f"{name}: {vector['name']}": {"kind": kind, **vector} for name, kind, vector in _python_runner().load()}


def requests():
    """What a runner reads, one document a vector."""
    secret_of = _python_runner().secret_of
    for name, vector in vectors().items():
        request = vector["request"]
        secret = secret_of(request)
        if "$gzip" in request:
            packed = base64.b64encode(gzip.compress(json.dumps(request["$gzip"]).encode(), mtime=0)).decode()
            request = {"__COMPRESSED__": packed, "__COMPRESSION_METHOD__": "gzip_base64"}
        yield {
            "id": name,
            "kind": vector["kind"],
            "entrypoint": vector.get("entrypoint", "request"),
            "handler": vector["handler"],
            "secret": secret,
            "request": request,
        }


def run(command, *, cwd=None, env=None, timeout=300):
    """Every answer of a runner by the vector's id: {"response": …} or {"error": …}."""
    lines = "".join(f"{json.dumps(each)}\n" for each in requests())
    done = subprocess.run(
        [str(each) for each in command],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env=env,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "canary" not in done.stderr, "credentials in the log"
    answers = [json.loads(line) for line in done.stdout.split("\n") if line.startswith("{")]
    found = {each.pop("id"): each for each in answers}
    assert found.keys() == vectors().keys(), "a runner answers every vector once"
    return found


def differences(answers):
    """What a library answers otherwise than the vectors say, by id."""
    matches = _python_runner().matches
    return {
        name: answer
        for name, answer in sorted(answers.items())
        if "response" not in answer or not matches(vectors()[name]["response"], answer["response"])
    }


def check_listed(answers, table, *, update=False):
    """The differences of a published library are exactly those that the committed file `table` lists.

    `update` (pytest --update-golden) writes them instead.
    """
    found = differences(answers)
    if update:
        table.parent.mkdir(parents=True, exist_ok=True)
        table.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return
    listed = json.loads(table.read_text(encoding="utf-8")) if table.is_file() else {}
    assert found == listed, f"{table} differs; run pytest --update-golden and look at what it wrote"
