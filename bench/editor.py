"""The language server on the largest of AWS's schemas, over pipes: ms until it answers, 95 of 100 at most."""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.corpora import provider_schemas
from bench.language_server import LanguageServer
from bench.measure import EMPTY, measure
from bench.small import SMALL
from bench.table import Row

STARTS = 3 if SMALL else 15
TIMES = 10 if SMALL else 100
MOST_START, MOST_COMPLETION, MOST_DIAGNOSTICS = 400.0, 100.0, 300.0
PLACES = ('"type": "', '"$ref": "', '"readOnlyProperties": [\n    "')


def main() -> Iterator[Row]:
    """Time the start of the process to the answer to `initialize`; completions; and diagnostics of single letters."""
    start = statistics.median(_start() for _ in range(STARTS))
    yield Row("start, median", "ms", start, limit=MOST_START, floor=measure(EMPTY).wall)
    name, text = max(provider_schemas(), key=lambda each: len(each[1]))
    written = json.dumps(json.loads(text), indent=2)
    with tempfile.TemporaryDirectory() as folder:
        server = LanguageServer()
        file = Path(folder) / "schema.json"
        file.write_text(written, encoding="utf-8")
        uri = file.as_uri()
        document = {"uri": uri, "languageId": "json", "version": 1, "text": written}
        server.notify("textDocument/didOpen", {"textDocument": document})
        server.await_diagnostics(1)
        size = f"{name}, {len(written) // 1000} kB"
        floor = statistics.median(_read(written) for _ in range(TIMES))  # a parser in C, which knows no places
        completions = [_completion(server, uri, written, number) for number in range(TIMES)]
        yield Row(f"completion in {size}", "ms", _most(completions), limit=MOST_COMPLETION, floor=floor)
        checks = [_diagnostics(server, uri, written, number) for number in range(TIMES)]
        yield Row(f"diagnostics of {size}", "ms", _most(checks), limit=MOST_DIAGNOSTICS, floor=floor)
        server.close()


def _most(taken: list[float]) -> float:
    """The 95th percentile."""
    return sorted(taken)[max(0, round(len(taken) * 0.95) - 1)]


def _start() -> float:
    began = time.perf_counter()
    server = LanguageServer()
    taken = (time.perf_counter() - began) * 1000
    server.close()
    return taken


def _read(text: str) -> float:
    began = time.perf_counter()
    json.loads(text)
    return (time.perf_counter() - began) * 1000


def _position(text: str, at: int) -> dict[str, int]:
    return {"line": text.count("\n", 0, at), "character": at - text.rfind("\n", 0, at) - 1}


def _completion(server: LanguageServer, uri: str, text: str, number: int) -> float:
    before = PLACES[number % len(PLACES)]
    at = text.rindex(before) + len(before)
    began = time.perf_counter()
    found = server.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": _position(text, at)})
    taken = (time.perf_counter() - began) * 1000
    assert found["items"]
    return taken


def _diagnostics(server: LanguageServer, uri: str, text: str, number: int) -> float:
    """Type a letter into a description and wait for what is published about this version."""
    at = _position(text, text.rindex('"description": "') + len('"description": "'))
    began = time.perf_counter()
    change = {"range": {"start": at, "end": at}, "text": "a"}
    document = {"uri": uri, "version": number + 2}
    server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    server.await_diagnostics(number + 2)
    return (time.perf_counter() - began) * 1000
